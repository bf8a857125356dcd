"""A process that follows every write holds the same as one that starts anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.embedded import blocks, lexical, mirror, views, writing
from adapters.embedded.index import EmbeddedIndex
from core.documents import Passage, Scope
from tests.index.values import ANALYZER, EMBEDDER, Index, passage, scope

WORDS = ["upgrade", "cluster", "lunch", "refund", "노드", "업그레이드"]
step = st.tuples(
    st.sampled_from(["put", "put", "drop", "search"]),
    st.integers(0, 5),
    st.integers(1, 3),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
)


def _passages(document: int, version: int, words: list[str]) -> list[Passage]:
    return [
        passage(f"{word} {n} {' '.join(words)}", f"{document}.md", version=str(version), position=n)
        for n, word in enumerate(words)
    ]


async def _everything(index: Index, published: Scope) -> list[object]:
    vectors = await EMBEDDER.embed(["cluster upgrade 노드"], "query")
    (dense,) = await index.vectors.search(published, vectors, 1000)
    lexical = await index.lexical.search(published, "cluster upgrade 노드", 1000)
    return [sorted((hit.passage_id, round(hit.score, 4)) for hit in hits.hits) for hits in (dense, lexical)] + [
        {k: (round(m.mean, 4), m.count) for k, m in hits.moments.items()} for hits in (dense, lexical)
    ]


def _open(path: Path) -> EmbeddedIndex:
    return EmbeddedIndex(path, ANALYZER)


def _ports(opened: EmbeddedIndex) -> Index:
    return Index(opened.vectors, opened.lexical, opened.passages)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(step, max_size=12))
async def test_catching_up_is_the_same_as_reading_everything(
    steps: list[tuple[str, int, int, list[str]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("mirror") / "index.sqlite"
    published = scope({f"{n}.md": "1" for n in range(3)} | {f"{n}.md": "2" for n in range(3, 6)})
    async with _open(path) as writer, _open(path) as follower:
        for what, document, version, words in steps:
            if what == "put":
                await _ports(writer).put(*_passages(document, version, words))
            elif what == "drop":
                await _ports(writer).drop("docs", (f"{document}.md", str(version)))
            else:
                await _everything(_ports(follower), published)
        async with _open(path) as fresh:
            assert await _everything(_ports(follower), published) == await _everything(_ports(fresh), published)


async def test_emptied_rows_are_used_again_and_more_than_one_block_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (blocks, lexical, mirror, views):
        monkeypatch.setattr(module, "ROWS", 64)
    many = [passage(f"row {n} upgrade", f"{n}.md") for n in range(200)]
    async with _open(tmp_path / "index.sqlite") as opened:
        index = _ports(opened)
        await index.put(*many)
        whole = scope({p.document_id: "1" for p in many})
        last = many[-1]
        assert (await index.words(whole, last.text, 1)) == [last.id]
        assert last.id in await index.meaning(whole, last.text, 10)
        await index.drop("docs", *((p.document_id, "1") for p in many[:100]))
        fresh = [passage(f"fresh {n} canteen", f"fresh-{n}.md") for n in range(150)]
        await index.put(*fresh)
        after = scope({p.document_id: "1" for p in [*many[100:], *fresh]})
        found = await index.lexical.search(after, "upgrade", 1000)
        assert len(found.hits) == 100
        assert found.moments["en"].count == 250
        assert len((await index.lexical.search(after, "canteen", 1000)).hits) == 150
        assert fresh[7].id in await index.meaning(after, fresh[7].text, 10)  # other numbers may hash alike
        few = scope({p.document_id: "1" for p in many[-20:]})
        assert last.id in await index.meaning(few, last.text, 10)


async def test_a_process_that_was_away_too_long_reads_everything_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "KEPT_TOMBSTONES", 3)
    path = tmp_path / "index.sqlite"
    async with _open(path) as writer, _open(path) as follower:
        old = [passage(f"old {n} upgrade", f"{n}.md") for n in range(10)]
        await _ports(writer).put(*old)
        published = scope({p.document_id: "1" for p in old})
        assert len(await _ports(follower).words(published, "upgrade")) == 10
        for p in old[:8]:
            await _ports(writer).drop("docs", (p.document_id, "1"))
        assert len(await _ports(follower).words(published, "upgrade")) == 2
        assert len(await _ports(follower).meaning(published, "upgrade")) == 2
