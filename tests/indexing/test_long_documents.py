"""One very long document: told passage by passage, stopped in the middle, cut at a limit and named."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from bots.settings import IngestSettings
from core.documents import Problem
from core.indexing.parts import SyncSettings
from core.indexing.report import Phase, SyncReport
from core.indexing.sync import Syncer
from core.ports import Vectors
from tests.indexing.workshop import CountingEmbedder, Workshop, workshop

SMALL_STEPS = SyncSettings(passages_at_once=8, max_passages=100)


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Workshop]:
    async with workshop(tmp_path / "index.sqlite") as found:
        found.settings = SMALL_STEPS
        yield found


def long_text(paragraphs: int) -> str:
    return "Log\n" + "\n\n".join(f"line{number} of the log" for number in range(paragraphs))


class Watch:
    """A Progress that keeps what it was told."""

    def __init__(self) -> None:
        self.seen: list[tuple[Phase, int, int]] = []

    def __call__(self, phase: Phase, done: int, total: int) -> None:
        self.seen.append((phase, done, total))


async def watched(shop: Workshop) -> tuple[SyncReport, Watch]:
    watch = Watch()
    return await Syncer(shop.ports, shop.settings).sync(shop.target, watch), watch


async def test_its_passages_are_counted_while_it_is_embedded(shop: Workshop) -> None:
    shop.source.write("log.md", long_text(100))
    _, watch = await watched(shop)
    assert [told for told in watch.seen if told[0] == "passages"] == [
        ("passages", done, 100) for done in range(0, 100, 8)
    ]


async def test_documents_of_usual_length_are_counted_as_documents(shop: Workshop) -> None:
    for number in range(10):
        shop.source.write(f"{number}.md", f"Page {number}\nThe text of page{number}")
    _, watch = await watched(shop)
    assert "passages" not in [phase for phase, _, _ in watch.seen]
    assert ("documents", 10, 10) in watch.seen


async def test_what_lies_beyond_the_limit_is_left_out_and_the_document_named(shop: Workshop) -> None:
    shop.source.write("log.md", long_text(101))
    shop.source.write("note.md", long_text(100))
    report = await shop.sync()
    assert report.problems == (Problem("log.md", "parse.note_passages_limit", "100"),)
    assert (report.added, report.failed, report.passages) == (2, 0, 200)
    stored = [passage.text for passage in await shop.published()]
    assert stored.count("line99 of the log") == 2
    assert "line100 of the log" not in stored


async def test_the_remark_stays_until_the_limit_is_raised_and_the_rest_is_read(shop: Workshop) -> None:
    shop.source.write("log.md", long_text(101))
    await shop.sync()
    assert [each.reason for each in (await shop.sync()).problems] == ["parse.note_passages_limit"]
    # as the composition does it: another limit is another recipe
    shop.settings = replace(SMALL_STEPS, max_passages=200, recipe="1" + IngestSettings(max_passages=200).recipe)
    report = await shop.sync()
    assert (report.problems, report.changed, report.embedded) == ((), 1, 1)
    assert "line100 of the log" in [passage.text for passage in await shop.published()]


def test_the_usual_limit_makes_no_document_be_read_anew() -> None:
    assert IngestSettings().recipe == ""
    assert IngestSettings(max_passages=6000).recipe


class SlowEmbedder(CountingEmbedder):
    """Takes its time for each call, and says how large the calls are."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[int] = []

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        self.calls.append(len(texts))
        await asyncio.sleep(0.05)
        return await super().embed(texts, kind)


async def test_it_is_embedded_in_small_steps_and_can_be_stopped_between_them(shop: Workshop) -> None:
    embedder = SlowEmbedder()
    shop.embedder = embedder
    shop.source.write("log.md", long_text(100))
    syncing = asyncio.create_task(shop.sync())
    async with asyncio.timeout(10):
        while len(embedder.calls) < 3:
            await asyncio.sleep(0.01)
    syncing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await syncing
    assert max(embedder.calls) <= SMALL_STEPS.passages_at_once
    done = sum(embedder.calls)
    assert done < 100
    assert not (await shop.scope()).generations
    report = await shop.sync()
    assert (report.passages, report.added) == (100, 1)
    assert report.embedded < 100, "what was embedded before the stop is not embedded again"
