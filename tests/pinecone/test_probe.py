"""The probe sample stands for all scores: moments by language, close to those of the whole collection."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from adapters.pinecone.index import PineconeVectors
from adapters.pinecone.probe import MOST, SAMPLE
from core.documents import Passage, Scope
from core.errors import UpstreamError
from core.ports import Hits, IndexEntry, Moments
from core.retrieval.fusion import Lists, fuse
from tests.index.values import EMBEDDER, passage, scope
from tests.pinecone.conftest import entries, over, question, random_entries
from tests.pinecone_server.server import Fault, PineconeServer

MANY = 3000


def passages(count: int, collection: str = "docs", version: str = "1") -> list[Passage]:
    """Ten a document, every tenth document Korean."""
    return [
        passage(
            f"text {n}",
            f"{n // 10}.md",
            collection=collection,
            version=version,
            language="ko" if n // 10 % 10 == 0 else "en",
        )
        for n in range(count)
    ]


def of(found: list[Passage]) -> Scope:
    return scope({p.document_id: p.document_hash for p in found}, found[0].collection)


def rows(stored: list[IndexEntry]) -> np.ndarray:
    return np.stack([entry.vector for entry in stored if entry.vector is not None])


def exact(stored: list[IndexEntry], query: np.ndarray, language: str) -> tuple[float, float]:
    own = rows([entry for entry in stored if entry.passage.language == language]) @ query
    return float(own.mean()), float(own.std())


async def test_moments_of_a_large_collection_are_close_to_those_of_all_its_scores(
    server: PineconeServer, vectors: PineconeVectors
) -> None:
    stored = random_entries(passages(MANY))
    await vectors.upsert("docs", EMBEDDER.name, stored)
    queries = rows(random_entries(passages(20), seed=9))
    found = await vectors.search(of([e.passage for e in stored]), queries, 50)
    for query, hits in zip(queries, found, strict=True):
        for language in ("en", "ko"):
            mean, deviation = exact(stored, query, language)
            assert hits.moments[language].mean == pytest.approx(mean, abs=0.25 * deviation)
            assert hits.moments[language].deviation == pytest.approx(deviation, rel=0.2)
    assert hits.moments["en"].count == 2700
    fetched = sum(len(asked.body["ids"]) for asked in server.paths("fetch"))
    assert fetched == SAMPLE + min(SAMPLE, 300)


async def test_fusion_ranks_as_it_does_with_all_scores(vectors: PineconeVectors) -> None:
    stored = random_entries(passages(MANY))
    await vectors.upsert("docs", EMBEDDER.name, stored)
    queries = rows(random_entries(passages(10), seed=11))
    lexical = Hits((), {"en": Moments(0, 1, 1), "ko": Moments(0, 1, 1)})
    for query, hits in zip(queries, await vectors.search(of([e.passage for e in stored]), queries, 200), strict=True):
        whole = {name: Moments(*exact(stored, query, name), 1) for name in ("en", "ko")}
        one = [c.hit.passage_id for c in fuse([Lists("en", hits, lexical)], limit=20)]
        other = [c.hit.passage_id for c in fuse([Lists("en", Hits(hits.hits, whole), lexical)], limit=20)]
        assert len(set(one) & set(other)) >= 17


async def test_collections_count_by_their_size(vectors: PineconeVectors) -> None:
    large, small = random_entries(passages(MANY)), random_entries(passages(50, "other"), seed=2)
    for entry in small:
        assert entry.vector is not None
        entry.vector[:] = -entry.vector
    await vectors.upsert("docs", EMBEDDER.name, large)
    await vectors.upsert("other", EMBEDDER.name, small)
    both = Scope(of([e.passage for e in large]).generations + of([e.passage for e in small]).generations)
    query = rows(random_entries(passages(1), seed=5))
    (hits,) = await vectors.search(both, query, 10)
    mean, deviation = exact([*large, *small], query[0], "en")
    assert hits.moments["en"].mean == pytest.approx(mean, abs=0.25 * deviation)
    assert hits.moments["en"].count == 2700 + 40


async def test_a_sample_is_drawn_from_a_part_when_the_collection_is_too_large_to_list(server: PineconeServer) -> None:
    stored = random_entries(passages(MOST + 2000), 8)
    published, query = of([e.passage for e in stored]), rows(random_entries(passages(1), 8, seed=5))
    async with over(server, 8) as vectors:  # it has not been told how many there are
        await vectors.upsert("docs", EMBEDDER.name, stored)
        (hits,) = await vectors.search(published, query, 10)
    async with over(server, 8) as vectors:
        (again,) = await vectors.search(published, query, 10)
    mean, deviation = exact(stored, query[0], "en")
    for found in (hits.moments["en"], again.moments["en"]):
        assert found.count == pytest.approx(10_800, rel=0.1)
        assert found.mean == pytest.approx(mean, abs=0.25 * deviation)
    assert any("lot" in (asked.body.get("filter") or {}) for asked in server.paths("search"))


async def test_questions_that_come_together_load_the_sample_once_and_a_cancelled_one_leaves_it(
    server: PineconeServer, vectors: PineconeVectors
) -> None:
    stored = random_entries(passages(100))
    await vectors.upsert("docs", EMBEDDER.name, stored)
    published, query = of([e.passage for e in stored]), rows(stored[:1])
    tasks = [asyncio.create_task(vectors.search(published, query, 5)) for _ in range(6)]
    await asyncio.sleep(0.01)
    tasks[0].cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert not any(isinstance(result, BaseException) for result in results[1:])
    assert sum(len(asked.body["ids"]) for asked in server.paths("fetch")) == 100


async def test_a_new_generation_fetches_only_what_is_new_in_its_sample(
    server: PineconeServer, vectors: PineconeVectors
) -> None:
    stored = random_entries(passages(100))
    await vectors.upsert("docs", EMBEDDER.name, stored)
    await vectors.search(of([e.passage for e in stored]), rows(stored[:1]), 5)
    before = len(server.paths("fetch"))
    more = random_entries([passage("one more", "more.md")], seed=4)
    await vectors.upsert("docs", EMBEDDER.name, more)
    (hits,) = await vectors.search(of([e.passage for e in [*stored, *more]]), rows(stored[:1]), 5)
    fetched = [id_ for asked in server.paths("fetch")[before:] for id_ in asked.body["ids"]]
    assert len(fetched) == 1
    assert hits.moments["en"].count + hits.moments["ko"].count == 101


async def test_the_samples_of_all_collections_that_are_asked_together_are_kept(
    server: PineconeServer, vectors: PineconeVectors
) -> None:
    names = [f"c{n}" for n in range(40)]
    stored = {name: random_entries([passage("words", collection=name)]) for name in names}
    await asyncio.gather(*(vectors.upsert(name, EMBEDDER.name, own) for name, own in stored.items()))
    every = Scope(tuple(scope({"a.md": "1"}, name).generations[0] for name in names))
    query = rows(stored["c0"])
    together = await asyncio.gather(*(vectors.search(every, query, 99) for _ in range(2)))
    (hits,) = await vectors.search(every.narrowed(["c7"]), query, 99)
    again = await vectors.search(every, query, 99)
    assert [len(hits.hits) for (hits,) in (*together, again)] == [40] * 3
    assert len(hits.hits) == 1
    assert len(server.paths("fetch")) == 40


async def test_a_sample_is_forgotten_when_newer_generations_are_read_and_then_loaded_again(
    server: PineconeServer, vectors: PineconeVectors
) -> None:
    stored = random_entries(passages(40))
    await vectors.upsert("docs", EMBEDDER.name, stored)
    generations = [of([e.passage for e in stored[: 10 * number]]) for number in (1, 2, 3)]

    async def fetched(published: Scope) -> int:
        before = len(server.paths("fetch"))
        await vectors.search(published, rows(stored[:1]), 5)
        return sum(len(asked.body["ids"]) for asked in server.paths("fetch")[before:])

    oldest, older, newest = generations
    assert [await fetched(each) for each in (newest, older, oldest)] == [30, 0, 0]
    assert await fetched(newest) == 10


async def test_a_search_whose_load_is_ended_by_the_end_of_the_index_fails_and_is_not_cancelled(
    server: PineconeServer,
) -> None:
    async with over(server) as vectors:
        await vectors.upsert("docs", EMBEDDER.name, await entries(passage("words")))
        server.faults.append(Fault(path="fetch", delay=30))
        asking = asyncio.create_task(vectors.search(scope({"a.md": "1"}), await question("words"), 5))
        while not server.paths("fetch"):
            await asyncio.sleep(0.01)
    with pytest.raises(UpstreamError):
        await asking
