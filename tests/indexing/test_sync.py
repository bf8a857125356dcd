"""A sync brings a collection up to date, costs only what changed, and loses nothing when it is interrupted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest

from adapters.embedded.index import EmbeddedIndex
from adapters.sql.catalog import SqlCatalog, SqlDigests
from adapters.sql.database import Database, sqlite_url
from adapters.sql.publisher import SqlPublisher
from core.documents import Parsed, Problem, SourceEntry
from core.errors import Busy, ParseError, RefdeskError
from core.indexing.parts import SyncSettings, SyncTarget
from core.indexing.report import Phase
from core.indexing.sync import Syncer
from core.ports import Vectors
from core.retrieval.analysis import BigramAnalyzer
from tests.indexing.workshop import CountingEmbedder, DyingPublisher, MemorySource, Workshop, read, workshop


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Workshop]:
    async with workshop(tmp_path / "index.sqlite") as opened:
        opened.source.write("a.md", "Alpha\nfirst apple\n\nsecond apple")
        opened.source.write("b.md", "Beta\nonly banana")
        yield opened


async def test_a_first_sync_publishes_everything(shop: Workshop) -> None:
    report = await shop.sync()
    assert (report.added, report.passages, report.embedded, report.generation) == (2, 3, 3, 1)
    assert await shop.found("apple banana") == ["first apple", "only banana", "second apple"]
    assert shop.stored.cards["docs"].passages == 3
    assert shop.stored.published["docs"].generation.card_version == "v1"


async def test_an_unchanged_collection_is_not_even_read(shop: Workshop) -> None:
    await shop.sync()
    shop.source.fetched.clear()
    report = await shop.sync()
    assert (report.unchanged, report.embedded, report.published, report.generation) == (2, 0, False, 1)
    assert shop.source.fetched == []


async def test_an_index_that_was_lost_is_built_anew(shop: Workshop, tmp_path: Path) -> None:
    await shop.sync()
    (generation,) = (await shop.scope()).generations
    async with EmbeddedIndex(tmp_path / "anew.sqlite", BigramAnalyzer()) as shop.index:
        assert not await Syncer(shop.ports).is_whole(generation)
        report = await shop.sync()
        assert (report.embedded, report.published) == (3, True)
        assert await shop.found("banana") == ["only banana"]
        assert await Syncer(shop.ports).is_whole((await shop.scope()).generations[0])


async def test_a_touched_document_is_read_and_nothing_more(shop: Workshop) -> None:
    await shop.sync()
    shop.source.touched = 1
    report = await shop.sync()
    assert (report.changed, report.unchanged, report.embedded) == (0, 2, 0)
    shop.source.fetched.clear()
    await shop.sync()
    assert shop.source.fetched == []


async def test_an_inserted_paragraph_embeds_only_itself(shop: Workshop) -> None:
    await shop.sync()
    shop.embedder.texts.clear()
    shop.source.write("a.md", "Alpha\nfirst apple\n\nnew apple\n\nsecond apple")
    report = await shop.sync()
    assert (report.changed, report.unchanged, report.embedded) == (1, 1, 1)
    assert shop.embedder.texts == ["Alpha\nnew apple"]
    in_a = [passage for passage in await shop.published() if passage.document_id == "a.md"]
    assert [(passage.text, passage.position) for passage in in_a] == [
        ("first apple", 0),
        ("new apple", 1),
        ("second apple", 2),
    ]


async def test_a_changed_document_replaces_exactly_its_passages(shop: Workshop) -> None:
    await shop.sync()
    before = {passage.id for passage in await shop.published()}
    shop.source.write("a.md", "Alpha\nfirst apple\n\nsecond cherry")
    await shop.sync()
    after = {passage.id for passage in await shop.published()}
    assert len(before - after) == len(after - before) == 1
    assert await shop.found("apple cherry") == ["first apple", "second cherry"]


async def test_ids_are_the_same_in_another_index(shop: Workshop, tmp_path: Path) -> None:
    await shop.sync()
    async with workshop(tmp_path / "other.sqlite") as other:
        other.source.files = dict(reversed(shop.source.files.items()))
        await other.sync()
        assert {p.id for p in await other.published()} == {p.id for p in await shop.published()}


async def test_equal_paragraphs_of_one_document_are_told_apart(shop: Workshop) -> None:
    shop.source.write("c.md", "Gamma\nsame words\n\nsame words\n\nsame words")
    report = await shop.sync()
    assert report.passages == 6
    assert await shop.found("same") == ["same words"] * 3


async def test_a_new_title_is_embedded_and_found(shop: Workshop) -> None:
    await shop.sync()
    shop.embedder.texts.clear()
    shop.source.write("b.md", "Zebra\nonly banana")
    await shop.sync()
    assert shop.embedder.texts == ["Zebra\nonly banana"]
    assert await shop.found("zebra") == ["only banana"]
    assert await shop.found("beta") == []


async def test_a_vanished_document_is_no_longer_found(shop: Workshop) -> None:
    await shop.sync()
    del shop.source.files["b.md"]
    report = await shop.sync()
    assert (report.removed, report.unchanged) == (1, 1)
    assert await shop.found("banana") == []


async def test_a_renamed_document_is_found_once_under_its_new_name(shop: Workshop) -> None:
    await shop.sync()
    shop.source.files["renamed.md"] = shop.source.files.pop("b.md")
    report = await shop.sync()
    assert (report.added, report.removed) == (1, 1)
    assert [p.document_id for p in await shop.published() if "banana" in p.text] == ["renamed.md"]


async def test_a_partial_listing_removes_nothing_and_says_so(shop: Workshop) -> None:
    await shop.sync()
    del shop.source.files["b.md"]
    shop.source.write("c.md", "Gamma\nnew cherry")
    shop.source.complete = False
    report = await shop.sync()
    assert (report.complete, report.removed, report.added) == (False, 0, 1)
    assert await shop.found("banana cherry") == ["new cherry", "only banana"]


async def test_a_document_that_the_source_could_not_list_is_kept_and_reported(shop: Workshop) -> None:
    await shop.sync()
    del shop.source.files["b.md"]
    shop.source.problems = (Problem("b.md", "parse.unreadable"),)
    report = await shop.sync()
    assert report.problems == shop.source.problems
    assert await shop.found("banana") == ["only banana"]


@pytest.mark.parametrize(
    ("text", "reason"), [("BROKEN", "parse.scanned"), ("BUG", "parse.broken"), ("\n\n", "parse.empty")]
)
async def test_a_document_that_fails_is_named_and_the_others_go_in(shop: Workshop, text: str, reason: str) -> None:
    shop.source.write("bad.md", text)
    report = await shop.sync()
    assert [(problem.document, problem.reason) for problem in report.problems] == [("bad.md", reason)]
    assert report.added == 2
    assert await shop.ports.digests.problems("docs") == report.problems


REMARK = Problem("b.md", "parse.note_pages_empty", "2, 3")


async def test_whatever_a_broken_file_is_said_to_hold_publishes_nothing_anew(shop: Workshop, tmp_path: Path) -> None:
    async def failing(data: bytes, entry: SourceEntry) -> Parsed:
        if entry.id == "b.md":
            raise ParseError("parse.broken", detail="bad \x00 mark \ud800\r\n")
        return await read(data, entry)

    async with Database(sqlite_url(tmp_path / "refdesk.db"), shop.clock) as database:
        catalog, digests, publisher = SqlCatalog(database), SqlDigests(database), SqlPublisher(database)
        ports = replace(shop.ports, read=failing, catalog=catalog, digests=digests, publisher=publisher)
        assert (await Syncer(ports).sync(shop.target)).published
        again = await Syncer(ports).sync(shop.target)
        assert (again.published, again.failed) == (False, 1)
        assert shop.source.fetched == ["a.md", "b.md"]


async def test_what_a_parser_remarks_is_told_of_a_document_that_goes_in(shop: Workshop) -> None:
    shop.source.write("b.md", "Beta\nPARTLY banana")
    report = await shop.sync()
    assert (report.added, report.failed, report.problems) == (2, 0, (REMARK,))
    assert await shop.found("banana") == ["PARTLY banana"]


async def test_a_remark_stays_while_its_document_does_and_publishes_nothing_anew(shop: Workshop) -> None:
    shop.source.write("b.md", "Beta\nPARTLY banana")
    await shop.sync()
    for shop.source.touched in (0, 1):  # not even looked at; read and found to be the same
        report = await shop.sync()
        assert (report.published, report.problems) == (shop.source.touched == 1, (REMARK,))
    assert await shop.ports.digests.problems("docs") == (REMARK,)


async def test_what_a_source_says_of_a_document_at_each_visit_is_said_once(shop: Workshop) -> None:
    shop.source.problems = (Problem("a.md", "parse.note_pages_limit", "5"),)
    first, *others = [await shop.sync() for _ in range(3)]
    assert first.published
    assert [(each.published, len(each.problems)) for each in others] == [(False, 1), (False, 1)]


async def test_a_remark_goes_when_its_document_is_mended_or_gone(shop: Workshop) -> None:
    shop.source.write("a.md", "Alpha\nPARTLY apple")
    shop.source.write("b.md", "Beta\nPARTLY banana")
    await shop.sync()
    shop.source.write("a.md", "Alpha\napple")
    del shop.source.files["b.md"]
    assert (await shop.sync()).problems == ()


async def test_a_document_that_fails_keeps_the_remark_of_its_old_version(shop: Workshop) -> None:
    shop.source.write("b.md", "Beta\nPARTLY banana")
    await shop.sync()
    shop.source.write("b.md", "BROKEN")
    report = await shop.sync()
    assert (report.failed, report.problems) == (1, (REMARK, Problem("b.md", "parse.scanned")))


async def test_a_document_that_fails_keeps_its_old_version_until_it_can_be_read(shop: Workshop) -> None:
    await shop.sync()
    shop.source.write("b.md", "BROKEN")
    report = await shop.sync()
    assert (report.unchanged, report.failed) == (2, 1)
    assert await shop.found("banana") == ["only banana"]
    shop.source.write("b.md", "Beta\nripe banana")
    report = await shop.sync()
    assert report.failed == 0
    assert await shop.found("banana") == ["ripe banana"]


async def test_an_emptied_document_is_no_longer_found(shop: Workshop) -> None:
    await shop.sync()
    shop.source.write("b.md", "Beta\n")
    report = await shop.sync()
    assert (report.removed, [p.reason for p in report.problems]) == (1, ["parse.empty"])
    assert await shop.found("banana") == []


@pytest.mark.parametrize("text", ["BROKEN", "\n\n"])
async def test_what_was_refused_for_good_is_not_even_read_again_and_still_named(shop: Workshop, text: str) -> None:
    shop.source.write("b.md", text)
    first = await shop.sync()
    shop.source.fetched.clear()
    again = await shop.sync()
    assert (again.published, again.problems, shop.source.fetched) == (False, first.problems, [])
    assert await shop.ports.digests.problems("docs") == first.problems
    for shop.source.touched in (1, 1):  # read once, and remembered as it is now
        assert (await shop.sync()).problems == first.problems
    assert shop.source.fetched == ["a.md", "b.md"]
    shop.source.write("b.md", "Beta\nripe banana")
    assert (await shop.sync()).problems == ()
    assert await shop.found("banana") == ["ripe banana"]


async def test_a_version_that_is_refused_for_good_keeps_the_one_before_it_and_is_not_read_again(shop: Workshop) -> None:
    shop.source.write("b.md", "Beta\nPARTLY banana")
    await shop.sync()
    shop.source.write("b.md", "BROKEN")
    reports = [await shop.sync() for _ in range(3)]
    assert shop.source.fetched == ["a.md", "b.md", "b.md"]
    assert {each.problems for each in reports} == {(REMARK, Problem("b.md", "parse.scanned"))}
    assert [(each.published, each.unchanged) for each in reports] == [(True, 2), (False, 2), (False, 2)]
    assert await shop.found("banana") == ["PARTLY banana"]
    shop.source.write("b.md", "Beta\nPARTLY banana")
    assert (await shop.sync()).problems == (REMARK,)


async def test_another_recipe_reads_again_what_was_refused(shop: Workshop) -> None:
    shop.source.write("b.md", "BROKEN")
    await shop.sync()
    shop.source.fetched.clear()
    shop.settings = SyncSettings(recipe="2")
    assert (await shop.sync()).failed == 1
    assert sorted(shop.source.fetched) == ["a.md", "b.md"]


@pytest.mark.parametrize("reason", ["parse.timeout", "parse.memory", "parse.gone", "parse.too_large", "error.upstream"])
async def test_a_failure_that_may_pass_is_tried_again(shop: Workshop, reason: str) -> None:
    async def failing(data: bytes, entry: SourceEntry) -> Parsed:
        if entry.id == "b.md":
            raise RefdeskError(reason)
        return await read(data, entry)

    assert (await Syncer(replace(shop.ports, read=failing)).sync(shop.target)).failed == 1
    assert (await shop.sync()).failed == 0
    assert await shop.found("banana") == ["only banana"]


async def test_a_bug_over_a_document_is_tried_again(shop: Workshop) -> None:
    shop.source.write("b.md", "BUG")
    await shop.sync()
    await shop.sync()
    assert shop.source.fetched == ["a.md", "b.md", "b.md"]


async def test_what_the_reader_would_refuse_by_its_kind_is_not_fetched_and_read_when_it_can_be(shop: Workshop) -> None:
    def admit(entry: SourceEntry) -> None:
        if entry.id.endswith(".png"):
            raise ParseError("parse.unsupported")

    shop.source.files["c.png"] = b"Chart\na cherry"
    ports = replace(shop.ports, admit=admit)
    for published in (True, False):
        report = await Syncer(ports).sync(shop.target)
        assert (report.published, report.problems) == (published, (Problem("c.png", "parse.unsupported"),))
    assert shop.source.fetched == ["a.md", "b.md"]
    assert (await shop.sync()).problems == ()
    assert await shop.found("cherry") == ["a cherry"]


async def test_a_crash_before_publishing_shows_nothing_and_costs_no_second_embedding(shop: Workshop) -> None:
    shop.publisher = DyingPublisher(shop.stored)
    with pytest.raises(ConnectionResetError):
        await shop.sync()
    assert await shop.found("apple banana") == []
    shop.publisher = None
    report = await shop.sync()
    assert (report.added, report.embedded) == (2, 0)
    assert await shop.found("apple banana") == ["first apple", "only banana", "second apple"]


async def test_a_crash_in_the_middle_of_a_change_leaves_the_old_generation_whole(shop: Workshop) -> None:
    await shop.sync()
    shop.source.write("a.md", "Alpha\nfirst cherry\n\nsecond cherry")
    shop.publisher = DyingPublisher(shop.stored)
    with pytest.raises(ConnectionResetError):
        await shop.sync()
    assert await shop.found("apple cherry") == ["first apple", "second apple"]


async def test_an_interrupted_sync_goes_on_where_it_was(shop: Workshop) -> None:
    shop.settings = SyncSettings(documents_at_once=4, passages_at_once=4)
    for number in range(40):
        shop.source.write(f"{number:02}.md", f"Page\nparagraph {number} of many")
    shop.embedder.fail_after = 20
    with pytest.raises(ConnectionResetError):
        await shop.sync()
    kept = len(shop.embedder.texts)
    assert kept > 0
    shop.embedder.fail_after = None
    report = await shop.sync()
    assert report.embedded == 43 - kept
    assert len(await shop.published()) == 43


async def test_a_cancelled_sync_gives_the_collection_free_and_loses_nothing(shop: Workshop) -> None:
    shop.settings = SyncSettings(documents_at_once=2, passages_at_once=2)
    for number in range(30):
        shop.source.write(f"{number:02}.md", f"Page\nparagraph {number} of many")
    stored = asyncio.Event()

    def watch(phase: Phase, done: int, total: int) -> None:
        if phase == "documents" and done >= 4:
            stored.set()

    task = asyncio.create_task(Syncer(shop.ports, shop.settings).sync(shop.target, watch))
    await stored.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert shop.stored.locks == {}
    kept = len(shop.embedder.texts)
    report = await shop.sync()
    assert report.embedded <= 33 - kept + 2  # at most the batch in hand is done again
    assert len(await shop.published()) == 33


async def test_a_second_sync_of_the_same_collection_says_that_one_is_running(shop: Workshop) -> None:
    assert await shop.ports.publisher.lock("docs", "somebody", timedelta(minutes=1))
    with pytest.raises(Busy) as caught:
        await shop.sync()
    assert "docs" in caught.value.user_message("en")
    assert shop.source.fetched == []


async def test_a_second_sync_may_wait_for_the_first(shop: Workshop) -> None:
    shop.settings = SyncSettings(wait=timedelta(seconds=20))
    publisher = shop.ports.publisher
    assert await publisher.lock("docs", "somebody", timedelta(minutes=1))
    waiting = asyncio.create_task(shop.sync())
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await publisher.unlock("docs", "somebody")
    assert (await waiting).added == 2


async def test_a_sync_that_lost_its_right_publishes_nothing(shop: Workshop) -> None:
    shop.settings = SyncSettings(lease=timedelta(milliseconds=60))
    publisher = shop.ports.publisher

    class Slow(MemorySource):
        async def fetch(self, entry: object) -> bytes:
            shop.clock.pass_by(timedelta(seconds=1))  # our lease has run out
            await publisher.lock("docs", "somebody", timedelta(minutes=1))
            await asyncio.sleep(5)
            raise AssertionError("the sync went on without its lease")

    slow = Slow({"a.md": b"Alpha\napple"})
    with pytest.raises(Busy):
        await Syncer(shop.ports, shop.settings).sync(SyncTarget("docs", slow))
    assert shop.stored.published == {}
    assert shop.stored.locks["docs"][0] == "somebody"


async def test_a_reader_that_pinned_the_old_generation_keeps_reading_it_whole(shop: Workshop) -> None:
    await shop.sync()
    pinned = await shop.scope()
    shop.clock.pass_by(timedelta(hours=1))
    shop.source.write("a.md", "Alpha\nfirst cherry\n\nsecond cherry")
    del shop.source.files["b.md"]
    await shop.sync()
    old = {hit.passage_id for hit in (await shop.index.lexical.search(pinned, "apple banana cherry", 10)).hits}
    texts = await shop.index.passages.get(pinned, list(old))
    assert sorted(passage.text for passage in texts.values()) == ["first apple", "only banana", "second apple"]


async def test_a_reader_during_a_sync_sees_the_old_or_the_new_never_half(shop: Workshop) -> None:
    shop.settings = SyncSettings(documents_at_once=3, passages_at_once=3)
    for number in range(30):
        shop.source.write(f"{number:02}.md", f"Page\ncolour red {number}")
    await shop.sync()
    for number in range(30):
        shop.source.write(f"{number:02}.md", f"Page\ncolour blue {number}")
    syncing = asyncio.create_task(shop.sync())
    seen = set()
    while not syncing.done():
        found = await shop.found("colour")
        seen.add((len(found), sum("red" in text for text in found), sum("blue" in text for text in found)))
    await syncing
    found = await shop.found("colour")
    assert (len(found), sum("blue" in text for text in found)) == (30, 30)
    assert seen <= {(30, 30, 0), (30, 0, 30)}


async def test_old_versions_are_forgotten_when_nobody_can_read_them_any_more(shop: Workshop) -> None:
    await shop.sync()
    shop.clock.pass_by(timedelta(hours=1))
    shop.source.write("a.md", "Alpha\nfirst cherry")
    await shop.sync()
    assert len(await shop.index.passages.versions("docs")) == 3  # somebody may still be reading the old one
    shop.clock.pass_by(timedelta(hours=1))
    await shop.sync()
    assert len(await shop.index.passages.versions("docs")) == 2


async def test_without_grace_old_versions_go_at_once(shop: Workshop) -> None:
    shop.settings = SyncSettings(grace=timedelta(0))
    await shop.sync()
    shop.source.write("a.md", "Alpha\nfirst cherry")
    await shop.sync()
    assert len(await shop.index.passages.versions("docs")) == 2


async def test_another_embedder_reads_and_embeds_everything_again_and_is_then_the_only_one(shop: Workshop) -> None:
    await shop.sync()
    ids = [passage.id for passage in await shop.published()]
    shop.embedder = CountingEmbedder("another-model")
    shop.settings = SyncSettings(grace=timedelta(0))
    report = await shop.sync()
    assert report.embedded == 3
    assert (await shop.scope()).generations[0].embedding == "another-model"
    assert await shop.index.passages.known("docs", ids, "hashing-64") == frozenset()


async def test_another_recipe_reads_everything_again_and_embeds_nothing(shop: Workshop) -> None:
    await shop.sync()
    shop.source.fetched.clear()
    shop.settings = SyncSettings(recipe="2")
    report = await shop.sync()
    assert (sorted(shop.source.fetched), report.changed, report.embedded) == (["a.md", "b.md"], 2, 0)


async def test_footnotes_link_by_the_template_of_the_collection(shop: Workshop) -> None:
    shop.link = "https://wiki.example/{path}#{anchor}"
    shop.source.files = {"가이드/my page.md": b"Title\ntext here"}
    await shop.sync()
    (passage,) = await shop.published()
    assert passage.link == "https://wiki.example/%EA%B0%80%EC%9D%B4%EB%93%9C/my%20page.md"


async def test_progress_is_told_by_phase(shop: Workshop) -> None:
    told: list[tuple[Phase, int, int]] = []
    await Syncer(shop.ports).sync(shop.target, lambda phase, done, total: told.append((phase, done, total)))
    assert [phase for phase, _, _ in told] == ["list", "documents", "documents", "cards", "publish"]
    assert told[2] == ("documents", 2, 2)


async def test_a_passage_without_a_language_of_its_own_goes_by_its_documents_as_in_a_fresh_index(
    shop: Workshop, tmp_path: Path
) -> None:
    shop.source.files.clear()
    shop.source.write("1.md", "Title\n한국어로 쓴 문장입니다.\n\n1234 5678")
    await shop.sync()
    assert {passage.language for passage in await shop.published()} == {"ko"}
    await shop.found("1234")  # the index's mirror has read it
    shop.source.write("1.md", "Title\nA sentence that is in English now.\n\n1234 5678")
    await shop.sync()
    async with workshop(tmp_path / "fresh.sqlite") as fresh:
        fresh.source.write("1.md", "Title\nA sentence that is in English now.\n\n1234 5678")
        await fresh.sync()
        assert await shop.published() == await fresh.published()
        scopes = await shop.scope(), await fresh.scope()
        for question in ("1234", "sentence"):
            found = [
                await each.index.lexical.search(scope, question, 9)
                for each, scope in zip((shop, fresh), scopes, strict=True)
            ]
            assert [(h.passage_id, h.language) for h in found[0].hits] == [
                (h.passage_id, h.language) for h in found[1].hits
            ]


async def test_large_documents_are_read_few_at_a_time(shop: Workshop) -> None:
    waiting: list[int] = []
    held = 0

    class Counting(CountingEmbedder):
        async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
            nonlocal held
            waiting.append(len(shop.source.fetched) - held)
            held += len(texts)
            return await super().embed(texts, kind)

    shop.source.files.clear()
    for number in range(12):
        shop.source.write(f"{number:02}.md", f"Large {number}\n" + "word " * 200)
    ports = replace(shop.ports, embedder=Counting())
    settings = SyncSettings(documents_at_once=12, bytes_at_once=2500, readers=12)
    await Syncer(ports, settings).sync(shop.target)
    assert len(await shop.published()) == 12
    assert max(waiting) <= 4  # two of a thousand bytes in each of the two batches
    assert len(waiting) == 6
