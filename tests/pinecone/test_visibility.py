"""Writes are seen some time after they were accepted: what is published must be there to be found."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from adapters.embedded.index import EmbeddedIndex
from adapters.memory.catalog import MemoryCollections
from adapters.pinecone.index import PineconePassages, PineconeVectors
from core.errors import UpstreamError, UpstreamTimeout
from core.indexing.parts import SyncPorts, SyncSettings
from core.ports import IndexEntry
from core.retrieval.analysis import BigramAnalyzer
from tests.index.values import EMBEDDER, passage, scope
from tests.indexing.workshop import CountingEmbedder, MovingClock, Workshop
from tests.pinecone.conftest import entries, over, question
from tests.pinecone_server.server import Fault, PineconeServer

ONE = passage("words")
PUBLISHED = scope({"a.md": "1"})


async def found(vectors: PineconeVectors) -> list[str]:
    (hits,) = await vectors.search(PUBLISHED, await question("words"), 5)
    return [hit.passage_id for hit in hits.hits]


@pytest.mark.parametrize("numbers", [True, False])
async def test_settling_waits_until_searches_see_the_writes(server: PineconeServer, numbers: bool) -> None:
    server.delay, server.numbers = 0.3, numbers
    async with over(server) as vectors:
        await vectors.upsert("docs", EMBEDDER.name, await entries(ONE))
        assert await found(vectors) == []
        await vectors.settle("docs")
        assert await found(vectors) == [ONE.id]


@pytest.mark.parametrize("numbers", [True, False])
async def test_a_namespace_that_the_service_does_not_know_yet_is_waited_for(
    server: PineconeServer, numbers: bool
) -> None:
    server.numbers = numbers
    async with over(server) as vectors:
        await vectors.upsert("docs", EMBEDDER.name, await entries(ONE))
        server.faults += [Fault(404, "search")] * 2
        await vectors.settle("docs")
        assert not server.faults
        assert await found(vectors) == [ONE.id]


async def test_settling_waits_for_removals_too(server: PineconeServer, vectors: PineconeVectors) -> None:
    await vectors.upsert("docs", EMBEDDER.name, await entries(ONE))
    await vectors.settle("docs")
    server.delay = 0.2
    await vectors.remove("docs", [("a.md", "1")])
    await vectors.settle("docs")
    assert await found(vectors) == []


async def test_settling_without_writes_asks_nothing(server: PineconeServer, vectors: PineconeVectors) -> None:
    await vectors.upsert("docs", EMBEDDER.name, await entries(ONE))
    await vectors.settle("docs")
    before = len(server.asked)
    await vectors.settle("docs")
    await vectors.settle("other")
    assert len(server.asked) == before


async def test_what_never_becomes_visible_is_said_after_a_while(server: PineconeServer) -> None:
    server.delay = 60
    async with over(server, visible=0.3) as vectors:
        await vectors.upsert("docs", EMBEDDER.name, await entries(ONE))
        with pytest.raises(UpstreamTimeout) as caught:
            await vectors.settle("docs")
    assert "refdesk sync" in caught.value.user_message("en")


async def test_a_vector_is_carried_over_when_the_write_that_holds_it_is_seen(server: PineconeServer) -> None:
    server.delay = 0.2
    async with over(server) as vectors:
        await vectors.upsert("docs", EMBEDDER.name, await entries(ONE))
        await vectors.upsert("docs", EMBEDDER.name, [IndexEntry(replace(ONE, document_hash="2"), None)])
        await vectors.settle("docs")
        (hits,) = await vectors.search(scope({"a.md": "2"}), await question("words"), 5)
        assert [(hit.passage_id, hit.document_hash) for hit in hits.hits] == [(ONE.id, "2")]


async def test_a_vector_that_is_nowhere_is_told(server: PineconeServer) -> None:
    async with over(server, visible=0.2) as vectors:
        with pytest.raises(UpstreamError) as caught:
            await vectors.upsert("docs", EMBEDDER.name, [IndexEntry(ONE, None)])
    assert caught.value.reason == "error.index_lost"


@dataclass
class Shop(Workshop):
    """A workshop whose vectors are at Pinecone."""

    vectors: PineconeVectors | None = None

    @property
    def ports(self) -> SyncPorts:
        assert self.vectors is not None
        passages = PineconePassages(self.index.passages, self.vectors)
        return replace(super().ports, vectors=self.vectors, passages=passages, settle=self.vectors.settle)

    async def meant(self, text: str) -> list[str]:
        """The texts that the dense list finds."""
        assert self.vectors is not None
        scope = await self.scope()
        (hits,) = await self.vectors.search(scope, await self.embedder.embed([text], "query"), 100)
        texts = await self.index.passages.get(scope, [hit.passage_id for hit in hits.hits])
        return sorted(passage.text for passage in texts.values())


@pytest.fixture
async def shop(server: PineconeServer, tmp_path: Path) -> AsyncIterator[Shop]:
    server.delay = 0.1
    clock = MovingClock()
    async with EmbeddedIndex(tmp_path / "index.sqlite", BigramAnalyzer()) as index, over(server) as vectors:
        opened = Shop(index, MemoryCollections(clock), clock, CountingEmbedder(), vectors=vectors)
        opened.source.write("a.md", "Alpha\nfirst apple\n\nsecond apple")
        opened.source.write("b.md", "Beta\nonly banana")
        yield opened


async def test_a_sync_publishes_what_can_be_found(shop: Shop) -> None:
    await shop.sync()
    assert await shop.meant("apple") == ["first apple", "only banana", "second apple"]


async def test_a_changed_document_embeds_what_is_new_and_a_removed_one_is_gone(shop: Shop) -> None:
    await shop.sync()
    shop.source.write("a.md", "Alpha\nfirst apple\n\nthird apple")
    del shop.source.files["b.md"]
    report = await shop.sync()
    assert report.embedded == 1
    assert await shop.meant("apple") == ["first apple", "third apple"]


async def test_a_sync_that_could_not_see_its_writes_publishes_nothing_and_the_next_one_finishes(
    shop: Shop, server: PineconeServer
) -> None:
    await shop.sync()
    server.delay = 3.5
    shop.source.write("c.md", "Gamma\nnew cherry")
    with pytest.raises(UpstreamTimeout):
        await shop.sync()
    assert "new cherry" not in await shop.meant("cherry")
    await asyncio.sleep(0.6)
    embedded = len(shop.embedder.texts)
    await shop.sync()
    assert "new cherry" in await shop.meant("cherry")
    assert "Gamma\nnew cherry" not in shop.embedder.texts[embedded:]


async def test_a_lost_index_is_filled_again_by_the_next_sync(shop: Shop, server: PineconeServer) -> None:
    await shop.sync()
    server.indexes.clear()
    async with over(server) as vectors:
        shop.vectors = vectors
        report = await shop.sync()
        assert report.embedded == 3
        assert await shop.meant("apple") == ["first apple", "only banana", "second apple"]


def long_text(first: str) -> str:
    return "Log\n" + "\n\n".join([first, *(f"line{number} of the log" for number in range(119))])


async def test_a_long_document_is_listed_once_however_many_steps_it_is_written_in(
    shop: Shop, server: PineconeServer
) -> None:
    shop.settings = SyncSettings(passages_at_once=8)
    shop.source.files.clear()
    for text, embedded, pages in (("begun", 120, 1), ("begun anew", 1, 2), ("and again", 1, 3)):
        shop.source.write("log.md", long_text(text))
        before = len(server.paths("list"))
        report = await shop.sync()
        assert report.embedded == embedded
        assert len(server.paths("list")) - before == pages  # of a hundred; all versions that are still held
    assert len(await shop.meant("log")) == 100


async def test_what_one_process_has_listed_is_looked_at_again_at_its_next_sync(
    shop: Shop, server: PineconeServer
) -> None:
    await shop.sync()
    (generation,) = (await shop.scope()).generations
    async with over(server) as other:
        await other.remove("docs", list(generation.documents.items()))
        await other.settle("docs")
    shop.source.write("a.md", "Alpha anew\nfirst apple\n\nsecond apple")
    shop.settings = SyncSettings(recipe="2")
    assert (await shop.sync()).embedded == 3
    assert await shop.meant("apple") == ["first apple", "only banana", "second apple"]
