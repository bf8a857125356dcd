"""Another embedder: its vectors are built aside, the old ones answer meanwhile, and the two are never compared."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest

from adapters.local.hashing import HashingEmbedder
from adapters.local.use import USEEmbedder
from adapters.memory.catalog import MemoryCollections
from core.documents import Readable, Scope
from core.errors import ConfigError
from core.indexing.parts import SyncSettings, SyncTarget
from core.indexing.report import SyncReport
from core.indexing.sync import Syncer
from core.ports import Embedder, Vectors
from core.retrieval.analysis import BigramAnalyzer
from core.retrieval.embeddings import Embeddings, changed
from core.retrieval.search import Retriever
from tests.index.conftest import embedded, pinecone
from tests.indexing.workshop import CountingEmbedder, DyingPublisher, MemorySource, MovingClock, Workshop

OLD = HashingEmbedder(64)
PAGES = 12


class Gated(CountingEmbedder):
    """128 dimensions; the passages after the first few wait until the gate is opened."""

    def __init__(self, name: str = "wide-128", dimension: int = 128) -> None:
        super().__init__(name)
        self._dimension = dimension
        self.gate = asyncio.Event()
        self.reached = asyncio.Event()

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        if kind == "passage" and len(self.texts) >= 4:
            self.reached.set()
            await self.gate.wait()
        return await super().embed(texts, kind)


@pytest.fixture(params=["embedded", "pinecone"])
async def shop(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Workshop]:
    """A dozen pages, synced with the old embedder."""
    path = tmp_path / "index.sqlite"
    async with embedded(path) if request.param == "embedded" else pinecone(path) as index:
        clock = MovingClock()
        settings = SyncSettings(documents_at_once=2, passages_at_once=2)
        made = Workshop(index, MemoryCollections(clock), clock, CountingEmbedder(), settings=settings)  # type: ignore[arg-type]
        for number in range(PAGES):
            made.source.write(f"{number:02}.md", f"Page\nparagraph {number} is about fruit number{number}")
        await made.sync()
        clock.pass_by(timedelta(hours=1))
        yield made


def among(*embedders: Embedder, current: Embedder) -> Embeddings:
    """Those that can be had, and the configured one."""
    known = {each.name: each for each in embedders}

    async def opener(name: str) -> Embedder:
        if name not in known:
            raise ConfigError("error.embedding_unknown", embedding=name)
        return known[name]

    return Embeddings(current, current.name, opener)


def desk(shop: Workshop, embeddings: Embeddings, current: Embedder) -> Retriever:
    """Who searches."""
    index = shop.index
    return Retriever(index.vectors, index.lexical, index.passages, current, BigramAnalyzer(), embeddings=embeddings)


async def first(retriever: Retriever, scope: Scope, question: str) -> tuple[str, float | None]:
    """The best passage and how near its meaning was."""
    best = (await retriever.retrieve(scope, [question], 3))[0]
    return best.passage.text, best.scores.dense


async def test_the_old_vectors_answer_with_their_own_embedder_while_the_new_ones_are_built(shop: Workshop) -> None:
    before = await shop.scope()
    shop.embedder = wide = Gated()
    retriever = desk(shop, among(OLD, current=wide), wide)
    expected = await first(Retriever(*_ports(shop), OLD, BigramAnalyzer()), before, "number7 fruit")
    assert await first(retriever, before, "number7 fruit") == expected
    syncing = asyncio.create_task(shop.sync())
    await wide.reached.wait()
    assert await first(retriever, await shop.scope(), "number7 fruit") == expected
    wide.gate.set()
    report = await syncing
    assert (report.embedded, report.generation) == (PAGES, 2)
    after = await shop.scope()
    assert [g.embedding for g in after.generations] == ["wide-128"]
    assert (await first(retriever, after, "number7 fruit"))[0] == expected[0]
    assert await first(retriever, before, "number7 fruit") == expected  # a run that began before the swap


async def test_a_name_is_enough_to_keep_vectors_of_one_dimension_apart(shop: Workshop) -> None:
    other = CountingEmbedder("other-64")
    retriever = desk(shop, among(current=other), other)
    found = await retriever.retrieve(await shop.scope(), ["number7 fruit"], 3)
    assert found.by_words == ("docs",)
    assert all(each.scores.dense is None for each in found)


async def test_a_collection_whose_embedder_is_gone_is_searched_by_words_and_said_so(
    shop: Workshop, caplog: pytest.LogCaptureFixture
) -> None:
    wide = Gated()
    found = await desk(shop, among(current=wide), wide).retrieve(await shop.scope(), ["number7 fruit"], 3)
    assert found[0].passage.text.endswith("number7")
    assert found.by_words == ("docs",)
    assert "refdesk sync" in caplog.text


async def test_collections_of_two_embedders_are_searched_together(shop: Workshop) -> None:
    wide = Gated()
    wide.gate.set()
    source = MemorySource()
    for number in range(PAGES):
        source.write(f"{number:02}.md", f"Page\nparagraph {number} is about tools number{number + 100}")
    shop.embedder = wide
    await Syncer(shop.ports, shop.settings).sync(SyncTarget("tools", source))
    both = await shop.ports.catalog.pin(Readable(frozenset({"docs", "tools"})))
    assert len(both.by_embedding()) == 2
    retriever = desk(shop, among(OLD, current=wide), wide)
    assert (await first(retriever, both, "fruit number7"))[0].endswith("number7")
    assert (await first(retriever, both, "tools number107"))[0].endswith("number107")
    assert changed(both, wide.name) == {"hashing-64": ("docs",)}


async def test_a_crash_while_it_is_built_costs_nothing_twice_and_the_old_ones_serve_on(shop: Workshop) -> None:
    before = await shop.scope()
    shop.embedder = wide = Gated()
    wide.gate.set()
    wide.fail_after = 7
    with pytest.raises(ConnectionResetError):
        await shop.sync()
    kept = len(wide.texts)
    assert 0 < kept < PAGES
    assert await shop.scope() == before
    assert (await first(desk(shop, among(OLD, current=wide), wide), before, "fruit number3"))[1] is not None
    wide.fail_after = None
    report = await shop.sync()
    assert report.embedded == PAGES - kept
    assert (await shop.scope()).generations[0].embedding == "wide-128"


async def test_going_back_before_it_was_published_costs_nothing_and_leaves_nothing_behind(shop: Workshop) -> None:
    ids = [passage.id for passage in await shop.published()]
    shop.embedder, shop.publisher = Gated(), DyingPublisher(shop.stored)
    shop.embedder.gate.set()
    with pytest.raises(ConnectionResetError):
        await shop.sync()
    assert await shop.index.passages.known("docs", ids, "wide-128") == set(ids)
    shop.embedder, shop.publisher = CountingEmbedder(), None
    report = await shop.sync()
    assert (report.embedded, report.published, report.generation) == (0, False, 1)
    assert await shop.index.passages.known("docs", ids, "wide-128") == frozenset()
    assert await shop.index.passages.known("docs", ids, "hashing-64") == set(ids)


async def test_the_old_vectors_go_when_nobody_can_read_them_any_more(shop: Workshop) -> None:
    ids = [passage.id for passage in await shop.published()]
    before = await shop.scope()
    shop.embedder = Gated()
    shop.embedder.gate.set()
    await shop.sync()
    assert await shop.index.passages.known("docs", ids, "hashing-64") == set(ids)
    (hits,) = await shop.index.vectors.search(before, await OLD.embed(["fruit"], "query"), 5)
    assert hits.hits
    shop.clock.pass_by(timedelta(hours=1))
    await shop.sync()
    assert await shop.index.passages.known("docs", ids, "hashing-64") == frozenset()
    assert await shop.index.passages.known("docs", ids, "wide-128") == set(ids)


async def test_a_document_that_can_not_be_read_this_time_is_embedded_from_its_stored_text(shop: Workshop) -> None:
    shop.embedder = wide = Gated()
    wide.gate.set()
    shop.source.write("03.md", "BROKEN")
    report = await shop.sync()
    assert (report.failed, report.embedded) == (1, PAGES)
    found = await desk(shop, among(current=wide), wide).retrieve(await shop.scope(), ["fruit number3"], 3)
    assert found.by_words == ()
    assert (found[0].passage.document_id, found[0].scores.dense is None) == ("03.md", False)


async def test_the_next_sync_is_nothing_to_do(shop: Workshop) -> None:
    shop.embedder = Gated()
    shop.embedder.gate.set()
    shop.source.write("03.md", "BROKEN")
    await shop.sync()
    report = await shop.sync()
    assert (report.embedded, report.published) == (0, False)


async def test_from_hashes_to_a_model_and_back_questions_are_answered_by_meaning_all_the_time(tmp_path: Path) -> None:
    async with embedded(tmp_path / "index.sqlite") as index, USEEmbedder() as use:
        clock = MovingClock()
        shop = Workshop(index, MemoryCollections(clock), clock, OLD)  # type: ignore[arg-type]
        shop.settings = SyncSettings(documents_at_once=1, passages_at_once=1)
        for name, text in PAGES_OF_AN_OFFICE.items():
            shop.source.write(name, text)
        await shop.sync()
        forth, asked = await _changing(shop, use, among(OLD, current=use))
        assert (forth.embedded, forth.published, asked > 2) == (len(PAGES_OF_AN_OFFICE), True, True)
        back, _ = await _changing(shop, OLD, among(use, current=OLD))
        assert (back.embedded, back.published) == (0, True)  # its vectors had not been cleaned up yet


async def _changing(shop: Workshop, embedder: Embedder, embeddings: Embeddings) -> tuple[SyncReport, int]:
    """Sync with another embedder, asking all the time; the report, and how often was asked."""
    shop.clock.pass_by(timedelta(hours=1))
    shop.embedder = embedder  # type: ignore[assignment]
    retriever, asked = desk(shop, embeddings, embedder), 0
    syncing = asyncio.create_task(shop.sync())
    over = False
    while not over:
        over = syncing.done()
        found = await retriever.retrieve(await shop.scope(), ["How often does the VPN password change?"], 3)
        assert (found[0].passage.document_id, found.by_words) == ("vpn.md", ())
        assert found[0].scores.dense is not None
        asked += 1
    return await syncing, asked


PAGES_OF_AN_OFFICE = {
    "vpn.md": "VPN\nThe VPN password changes every 90 days.",
    "lunch.md": "Lunch\nLunch is served at noon in the canteen.",
    "leave.md": "Leave\nParental leave lasts sixteen weeks.",
    "cards.md": "Cards\nLost key cards are blocked at the reception.",
    "refunds.md": "Refunds\nRefunds take five days after approval.",
    "rooms.md": "Rooms\nMeeting rooms are booked in the calendar.",
}


def _ports(shop: Workshop) -> tuple:  # type: ignore[type-arg]
    return shop.index.vectors, shop.index.lexical, shop.index.passages
