"""Each sync tests the router on its new Cards, by headings that they have not seen, and publishes either way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.local.hashing import HashingEmbedder
from adapters.local.planner import LocalPlanner
from adapters.memory.catalog import MemoryCatalog, MemoryDigests, MemoryRouterRecord
from core.answers import Plan
from core.catalog.cards import EDITION, Cards
from core.catalog.holding import held_back
from core.catalog.samples import TALK_SAMPLES
from core.catalog.tested import Tally
from core.documents import Card, Parsed, Piece, Readable
from core.errors import UpstreamError
from core.indexing.carding import CatalogCards
from core.indexing.examining import Examining, RouterExam
from core.indexing.parts import SyncPorts, SyncTarget
from core.indexing.report import SyncReport, told_router
from core.indexing.sync import Syncer
from core.ports import Planner, PlanRequest
from tests.indexing.workshop import MemorySource, Workshop, workshop

FRUIT = ("mango", "cherry", "banana", "papaya", "grape", "lemon", "peach", "plum")
TOOLS = ("hammer", "pliers", "chisel", "wrench", "sander", "drill", "clamp", "ruler")
BOTH = Readable(frozenset({"docs", "other"}))


class Headed:
    """A line that begins with # heads what follows it."""

    def split(self, document: Parsed) -> Sequence[Piece]:
        pieces, heading = [], ""
        for line in document.text.splitlines():
            if line.startswith("# "):
                heading = line[2:]
            elif line.strip():
                pieces.append(Piece(line, (heading,) if heading else (), "", 0))
        return pieces


def pages(words: Sequence[str], count: int = 12) -> MemorySource:
    """Pages with six headings each, every heading of its own page; each body has a word that stands nowhere else."""
    source = MemorySource()
    for n in range(count):
        parts = [f"# {words[(n + h) % len(words)]} {words[(n * h) % len(words)]} storage {n}{h}" for h in range(6)]
        bodies = [f"Keep the {words[(n + h) % len(words)]} dry, unique{n}x{h} {words[0]}word" for h in range(6)]
        body = "\n".join(f"{heading}\n{text}" for heading, text in zip(parts, bodies, strict=True))
        source.write(f"{n:02}.md", f"{words[n % len(words)].title()} guide {n}\n{body}")
    return source


@dataclass
class Asked:
    """A planner that remembers what it was asked, over the local one; `lost` sends everything to one collection."""

    inner: Planner = field(default_factory=lambda: LocalPlanner(HashingEmbedder(64)))
    lost: str = ""
    failing: bool = False
    requests: list[PlanRequest] = field(default_factory=list)

    async def plan(self, request: PlanRequest) -> Plan:
        self.requests.append(request)
        if self.failing:
            raise UpstreamError
        if (request.language, request.question) in TALK_SAMPLES:  # hashed words mean nothing to the local one
            return Plan(request.question, "direct")
        plan = await self.inner.plan(request)
        if self.lost and plan.route == "collections":
            return replace(plan, collections=(self.lost,))
        return plan


@dataclass
class Room:
    """A workshop with real Cards and a real exam."""

    shop: Workshop
    planner: Asked
    how: Examining = field(default_factory=Examining)

    @property
    def catalog(self) -> MemoryCatalog:
        return MemoryCatalog(self.shop.stored)

    @property
    def record(self) -> MemoryRouterRecord:
        return MemoryRouterRecord(self.shop.stored)

    @property
    def ports(self) -> SyncPorts:
        cards = CatalogCards(self.catalog, MemoryDigests(self.shop.stored), Cards(HashingEmbedder(64)), {}, {})
        exam = RouterExam(self.catalog, self.record, lambda: self.planner, BOTH.collections, self.how)
        return replace(self.shop.ports, splitter=Headed(), cards=cards, exam=exam)

    async def sync(self, name: str, source: MemorySource) -> SyncReport:
        self.shop.clock.pass_by(timedelta(days=1))
        return await Syncer(self.ports).sync(SyncTarget(name, source))

    async def cards(self) -> dict[str, Card]:
        return {card.collection: card for card in await self.catalog.cards(BOTH)}


@asynccontextmanager
async def room(path: Path, **how: int) -> AsyncIterator[Room]:
    async with workshop(path / "index.sqlite") as shop:
        yield Room(shop, Asked(), Examining(**how))  # type: ignore[arg-type]


async def test_a_sync_reports_and_stores_how_the_router_does_on_the_new_cards(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        await here.sync("docs", pages(FRUIT))
        report = await here.sync("other", pages(TOOLS))
        test = report.self_test
        assert test is not None
        assert (await here.record.tests(5))[0] == test
        assert len(await here.record.tests(5)) == 2
        assert test.collections["docs"].asked >= 10
        assert min(test.collections["docs"].accuracy or 0, test.collections["other"].accuracy or 0) >= 0.8
        assert test.card_versions == {name: card.version for name, card in (await here.cards()).items()}
        assert (report.alarms, report.untested, report.prompt_changed) == ((), False, True)
        assert test.at == here.shop.clock.now()


async def test_the_questions_are_about_headings_that_no_card_and_no_statistics_have_seen(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        await here.sync("docs", pages(FRUIT))
        records = list((await here.catalog.documents("docs")).values())
        held = held_back(records)
        card = (await here.cards())["docs"]
        asked = {request.question for request in here.planner.requests}
        assert held
        assert all(any(heading in question for question in asked) for heading in held)
        assert not set(held) & {*card.examples, *card.headings, *card.titles, *card.questions}
        (digest,) = await MemoryDigests(here.shop.stored).digests()
        unseen = {heading.split()[-1] for heading in held if "storage" in heading}
        assert unseen
        assert not [term for term in digest.terms if term.startswith("unique") and term[6:].replace("x", "") in unseen]
        assert any(term.startswith("unique") for term in digest.terms)
        published = [p async for batch in here.shop.index.passages.read(await here.shop.scope()) for p in batch]
        indexed = {heading for passage in published for heading in passage.heading_path}
        assert {heading for heading in held if "storage" in heading} <= indexed


async def test_a_sync_without_changes_tests_nothing(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        source = pages(FRUIT)
        await here.sync("docs", source)
        here.planner.requests.clear()
        report = await here.sync("docs", source)
        assert (report.published, report.self_test, report.untested) == (False, None, False)
        assert here.planner.requests == []


async def test_a_sample_stays_the_same_when_a_page_is_added(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        source = pages(FRUIT)
        await here.sync("docs", source)
        before = (await here.cards())["docs"].held
        source.write("new.md", "A new page\n# how to peel a mango\nslowly")
        await here.sync("docs", source)
        after = (await here.cards())["docs"].held
        assert len(set(before) - set(after)) <= 2


async def test_a_test_that_fails_is_reported_as_missing_and_stops_no_sync(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with room(tmp_path) as here:
        here.planner.failing = True
        report = await here.sync("docs", pages(FRUIT))
        assert (report.published, report.self_test, report.untested) == (True, None, True)
        assert await here.record.tests(5) == []
        assert "could not be tested" in caplog.text
        assert "refdesk.log" in told_router(report, "en")[0]


async def test_a_test_that_takes_too_long_counts_what_it_has(tmp_path: Path) -> None:
    async with workshop(tmp_path / "index.sqlite") as shop:

        class Slow(Asked):
            async def plan(self, request: PlanRequest) -> Plan:
                await asyncio.sleep(0.05)
                return await super().plan(request)

        here = Room(shop, Slow(), Examining(seconds=0.4))
        report = await here.sync("docs", pages(FRUIT))
        assert report.published
        assert report.self_test is not None
        assert report.self_test.collections["docs"].asked > 0
        assert report.self_test.unasked > 0


async def test_what_got_worse_is_warned_of_in_the_report_and_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with room(tmp_path) as here:
        fruit = pages(FRUIT)
        await here.sync("docs", fruit)
        await here.sync("other", pages(TOOLS))
        fruit.write("one.md", "One more\n# mango juice\npress")
        here.planner.lost = "other"
        with caplog.at_level(logging.WARNING, "core.indexing.examining"):
            report = await here.sync("docs", fruit)
        assert [alarm.place for alarm in report.alarms] == ["docs"]
        assert (report.alarms[0].before or 0) > 0.9
        assert report.alarms[0].accuracy == 0
        (pair,) = report.alarms[0].pairs
        assert (pair.confusion.asked, pair.confusion.routed) == ("docs", "other")
        assert set(pair.own) & {*FRUIT, "mangoword"}
        assert set(pair.other) & {*TOOLS, "hammerword"}
        assert caplog.messages == [caplog.messages[0]]
        assert "docs → other" in caplog.messages[0]
        told = "\n".join(told_router(report, "ko"))
        assert "경고 1건" in told
        assert "other" not in told  # a report may be read where that collection may not


async def test_a_collection_of_few_headings_is_not_asked_about(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        report = await here.sync("docs", MemorySource({"a.md": b"Fruit\n# Mango\nsweet"}))
        assert report.self_test is not None
        assert report.self_test.collections == {"docs": Tally()}
        assert report.self_test.accuracy is not None


async def test_what_is_configured_no_more_is_in_no_test(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        await here.sync("gone", pages(FRUIT))
        report = await here.sync("docs", pages(TOOLS))
        assert report.self_test is not None
        assert set(report.self_test.collections) == {"docs"}
        assert {card.collection for request in here.planner.requests[-5:] for card in request.cards} == {"docs"}


async def test_a_model_is_asked_less_and_only_when_a_card_has_changed(tmp_path: Path) -> None:
    async with room(tmp_path, most=5, only_news=True) as here:
        source = pages(FRUIT)
        report = await here.sync("docs", source)
        assert report.self_test is not None
        assert report.self_test.collections["docs"].asked <= 10
        source.write("00.md", source.files["00.md"].decode() + " ")  # another hash, the same words
        here.planner.requests.clear()
        report = await here.sync("docs", source)
        assert (report.published, report.prompt_changed, report.self_test) == (True, False, None)
        assert not report.untested
        assert here.planner.requests == []


async def test_a_card_says_on_which_day_its_own_documents_last_changed_it(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        fruit, tools = pages(FRUIT), pages(TOOLS)
        await here.sync("docs", fruit)
        first = here.shop.clock.now().date()
        await here.sync("other", tools)
        cards = await here.cards()
        assert (cards["docs"].updated, cards["other"].updated) == (first, here.shop.clock.now().date())
        fruit.write("one.md", "One more\n# mango juice\npress")
        await here.sync("docs", fruit)
        assert (await here.cards())["docs"].updated == here.shop.clock.now().date()


async def test_the_card_before_the_last_sync_is_kept_and_others_syncs_do_not_replace_it(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        fruit = pages(FRUIT)
        await here.sync("docs", fruit)
        assert await here.record.before(BOTH) == {}
        before = (await here.cards())["docs"]
        fruit.write("one.md", "One more\n# mango juice\npress")
        await here.sync("docs", fruit)
        await here.sync("other", pages(TOOLS))  # contrast rewrites the first collection's Card too
        kept = await here.record.before(BOTH)
        assert kept == {"docs": replace(before, vectors=b"")}
        assert await here.record.before(Readable(frozenset({"other"}))) == {}


async def test_cards_made_by_an_older_version_are_made_anew_by_the_next_sync(tmp_path: Path) -> None:
    async with room(tmp_path) as here:
        source = pages(FRUIT)
        await here.sync("docs", source)
        card = (await here.cards())["docs"]
        assert card.edition == EDITION
        here.shop.stored.cards["docs"] = replace(card, edition=EDITION - 1, version="old")
        report = await here.sync("docs", source)
        assert report.published
        assert report.self_test is not None
        assert (await here.cards())["docs"] == replace(card, updated=here.shop.clock.now().date())
