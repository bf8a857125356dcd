"""Requests stay within the service's limits, and ask for no more than is needed."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.pinecone.index import PineconeVectors
from adapters.pinecone.names import index_name, namespace, passage_of, record_id, version_prefix
from adapters.pinecone.searching import FILTERED
from adapters.pinecone.writing import BYTES, RECORDS, batches
from core.documents import Passage, Scope
from tests.index.values import EMBEDDER, passage, scope
from tests.pinecone.conftest import entries, question, random_entries
from tests.pinecone_server.server import PineconeServer


@settings(deadline=None, max_examples=12)
@given(st.integers(1, 230), st.sampled_from([8, 1536, 3072]), st.integers(0, 3))
def test_batches_hold_every_record_once_within_count_and_size(count: int, dimension: int, seed: int) -> None:
    one = passage("words", "가이드/" + "x" * 200)
    row = np.random.default_rng(seed).standard_normal(dimension).astype(np.float32)
    row /= np.linalg.norm(row)
    made = list(batches((f"{n}:a:en:p{n}", (one, row)) for n in range(count)))
    assert [record["_id"] for batch in made for record in batch] == [f"{n}:a:en:p{n}" for n in range(count)]
    for batch in (made[0], made[-1]):
        assert len(batch) <= RECORDS
        assert len(json.dumps({"documents": batch}, ensure_ascii=False, separators=(",", ":")).encode()) <= BYTES


@given(st.text(max_size=30), st.text(max_size=12), st.sampled_from(["en", "ko", "und"]), st.text(max_size=40))
def test_record_ids_are_ascii_short_and_tell_passage_and_version(
    document: str, version: str, language: str, text: str
) -> None:
    one = passage(text, document, version=version, language=language)
    id_ = record_id(one)
    assert id_.isascii()
    assert len(id_) <= 512
    assert passage_of(id_) == one.id
    assert id_.startswith(version_prefix(document, version))


@given(st.text(max_size=200), st.text(max_size=200))
def test_namespaces_are_ascii_and_different_for_different_embeddings(one: str, other: str) -> None:
    name = namespace("docs", one)
    assert name.isascii()
    assert len(name) <= 512
    assert "/" not in name
    assert (name == namespace("docs", other)) == (one == other)


def test_the_longest_name_that_the_settings_allow_is_a_name_of_an_index() -> None:
    assert len(index_name("n" * 39, 20_000)) <= 45


def documents(count: int, version: str = "1") -> list[Passage]:
    return [passage(f"text {n} of {version}", f"{n}.md", version=version) for n in range(count)]


def asked_with(server: PineconeServer) -> list[dict[str, object] | None]:
    """The filters of the searches that questions made: the sample's ask for the most there is."""
    return [asked.body.get("filter") for asked in server.paths("search") if asked.body["top_k"] < 10_000]


async def test_a_small_scope_is_a_filter_of_the_query(server: PineconeServer, vectors: PineconeVectors) -> None:
    await vectors.upsert("docs", EMBEDDER.name, await entries(*documents(30), *documents(30, "2")))
    await vectors.search(scope({"1.md": "1", "2.md": "2"}), await question("text"), 5)
    (only,) = asked_with(server)
    assert only is not None
    assert len(only["version"]["$in"]) == 2  # type: ignore[index]


async def test_a_large_scope_is_no_filter_and_still_only_its_versions_come_back(
    server: PineconeServer, vectors: PineconeVectors
) -> None:
    old, new = documents(FILTERED + 100), documents(FILTERED + 100, "2")
    await vectors.upsert("docs", EMBEDDER.name, random_entries([*new, *old], seed=3))
    published = scope({p.document_id: "1" for p in old})
    (hits,) = await vectors.search(published, random_entries(new)[0].vector[None, :], 400)  # type: ignore[index]
    assert len(hits.hits) == 400
    assert {hit.document_hash for hit in hits.hits} == {"1"}
    assert set(map(str, asked_with(server))) == {"None"}
    sizes = [asked.body["top_k"] for asked in server.paths("search") if asked.body["top_k"] < 10_000]
    assert sizes == [400, 1600]


async def test_another_collection_is_not_even_asked(server: PineconeServer, vectors: PineconeVectors) -> None:
    secret = passage("secret words", collection="secret")
    await vectors.upsert("docs", EMBEDDER.name, await entries(passage("words")))
    await vectors.upsert("secret", EMBEDDER.name, await entries(secret))
    both = Scope(scope({"a.md": "1"}).generations + scope({"a.md": "1"}, "secret").generations)
    await vectors.search(both.narrowed(["docs"]), await question("secret words"), 5)
    assert all("/namespaces/docs." in asked.path for asked in server.paths("search"))


async def test_removal_is_by_id_and_only_of_that_version(server: PineconeServer, vectors: PineconeVectors) -> None:
    await vectors.upsert("docs", EMBEDDER.name, await entries(*documents(3), *documents(3, "2")))
    await vectors.remove("docs", [("1.md", "1"), ("2.md", "1"), ("never.md", "1")])
    ids = [id_ for asked in server.paths("delete") for id_ in asked.body["ids"]]
    assert len(ids) == 2
    assert all(id_.startswith((version_prefix("1.md", "1"), version_prefix("2.md", "1"))) for id_ in ids)


async def test_a_document_of_more_passages_than_a_page_is_listed_whole(vectors: PineconeVectors) -> None:
    passages = [passage(f"part {n}", position=n) for n in range(230)]
    await vectors.upsert("docs", EMBEDDER.name, random_entries(passages))
    assert await vectors.known("docs", [p.id for p in passages], EMBEDDER.name) == {p.id for p in passages}
    await vectors.remove("docs", [("a.md", "1")])
    assert not await vectors.known("docs", [p.id for p in passages])


async def test_metadata_tells_document_version_and_language(server: PineconeServer, vectors: PineconeVectors) -> None:
    await vectors.upsert("docs", EMBEDDER.name, await entries(passage("본문", "휴가.md", language="ko", version="h1")))
    (record,) = server.paths("upsert")[0].body["documents"]
    assert (record["document"], record["hash"], record["language"]) == ("휴가.md", "h1", "ko")
    assert "본문" not in json.dumps(record, ensure_ascii=False)
