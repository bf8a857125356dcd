"""A draft is shown at once, then seldom, and whole in the end; whoever shows it slowly holds nobody up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from itertools import pairwise

from core.orders import Orders
from core.ports import WriteRequest
from core.rag.graph import Runs
from core.rag.showing import STEP, Showing
from tests.rag.stand_ins import Cast, FixedWriter, Recorder

WORDS = ["It takes 45 minutes [1].", *(f" Step {number} is quick." for number in range(30))]


@dataclass
class PacedWriter(FixedWriter):
    """Writes word by word, and stops for a while after the first few."""

    pause: float = 0.0
    ended: float = 0.0

    async def write(self, request: WriteRequest) -> AsyncIterator[str]:
        for number, word in enumerate(WORDS):
            await asyncio.sleep(self.pause if number == 5 else 0.005)
            yield word
        self.ended = asyncio.get_running_loop().time()


@dataclass
class SlowReader(Recorder):
    """Takes its time to show a draft, and notes when it was told."""

    seconds: float = 0.0
    times: list[float] = field(default_factory=list)

    async def draft(self, text: str) -> None:
        self.times.append(asyncio.get_running_loop().time())
        await asyncio.sleep(self.seconds)
        await super().draft(text)


async def shown_by(writer: PacedWriter, reader: SlowReader) -> list[str]:
    await Runs().run(Cast(writer=writer, listener=reader).context())
    return reader.drafts


async def test_the_first_words_are_shown_at_once_and_the_rest_seldom() -> None:
    drafts = await shown_by(PacedWriter(), SlowReader())
    assert drafts[0] == "It takes 45 minutes"
    assert 2 <= len(drafts) <= 2 + 31 * 0.02 / STEP


async def test_what_is_shown_only_grows_and_is_whole_in_the_end() -> None:
    drafts = await shown_by(PacedWriter(), SlowReader())
    assert all(later.startswith(earlier) for earlier, later in pairwise(drafts))
    assert drafts[-1] == "".join(WORDS)


async def test_words_before_a_pause_do_not_wait_for_those_after_it() -> None:
    drafts = await shown_by(PacedWriter(pause=5 * STEP), SlowReader())
    assert "".join(WORDS[:5]) in drafts


async def test_nothing_is_shown_that_is_empty_or_was_shown_already() -> None:
    reader = SlowReader()
    async with Showing((), Orders(()), reader) as showing:
        for chunk in ("[", "1", "] It", " [", "9", "]"):
            showing.add(chunk)
            await asyncio.sleep(STEP / 2)
    assert reader.drafts == ["It"]


async def test_a_slow_reader_does_not_hold_up_the_writer() -> None:
    writer, reader = PacedWriter(), SlowReader(seconds=0.6)
    drafts = await shown_by(writer, reader)
    assert (len(drafts), drafts[-1]) == (2, "".join(WORDS))
    assert writer.ended - reader.times[0] < 0.6
