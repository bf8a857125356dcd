"""The measured process: asks a desk, and the models alone, and tells its own processor time as JSON.

Usage: python -m tests.benchmarks.cpu.client FOLDER BASE_URL. The server is in another process.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from adapters.openai.chat import OpenAIChat
from adapters.openai.models import OpenAIModels
from bots.model_settings import ModelSettings
from bots.process import tune
from core.answers import TOTAL
from core.chat import Chunk, Request, S, Structured
from core.policy import PRESETS
from core.ports import ChatModel
from core.retrieval.recent import RecentEmbedder
from tests.benchmarks.cpu.corpus import TimedEncoder, ground, questions
from tests.benchmarks.desks import Asking, opened_desk
from tests.benchmarks.latency.script import LARGE, SMALL

AT_ONCE = 100
ROUNDS = 3
CROWD = 300
DEADLINE = 120.0
"""Seconds a turn may take: a crowd on two cores waits for the processor more than for the models."""

Measured = dict[str, list[float]]


@dataclass(slots=True)
class Calls:
    """What a question asks of the models, to be asked again without a desk."""

    structured: list[tuple[Request, type[Any]]] = field(default_factory=list)
    streamed: list[Request] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Listening:
    """A model whose requests are kept."""

    inner: ChatModel
    calls: Calls

    @property
    def name(self) -> str:
        """The inner one's."""
        return self.inner.name

    async def structured(self, request: Request, schema: type[S]) -> Structured[S]:
        """As the inner one."""
        self.calls.structured.append((request, schema))
        return await self.inner.structured(request, schema)

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        """As the inner one."""
        self.calls.streamed.append(request)
        async for chunk in self.inner.stream(request):
            yield chunk


async def measured(folder: Path, base_url: str) -> Measured:
    """Processor seconds of a question in each round, with a desk and by the models alone; how the crowd fared."""
    settings = ModelSettings.model_validate(
        {"base_url": base_url, "small": SMALL, "large": LARGE, "profile": "model", "timeout": DEADLINE, "idle": 60}
    )
    policy, calls = replace(PRESETS["adaptive"], deadline=DEADLINE), Calls()
    found: Measured = {"whole": [], "client": [], "embedding": [], "crowd": []}
    models = OpenAIModels(base_url=base_url, small=SMALL, large=LARGE, timeout=DEADLINE, idle=60)
    async with (
        TimedEncoder() as encoder,
        ground(folder, encoder) as here,
        OpenAIChat(models, SMALL) as small,
        OpenAIChat(models, LARGE) as large,
    ):
        async with opened_desk(
            here, settings, policy, width=CROWD, heard=lambda model: Listening(model, calls)
        ) as desk:
            await _together(partial(_asked, desk), questions(AT_ONCE // 5, 1))
        alone = _alone(calls, small, large)
        fresh = replace(here, embedder=RecentEmbedder(encoder))
        async with opened_desk(fresh, settings, policy, width=CROWD) as desk:
            for number in range(ROUNDS):
                asked = questions(AT_ONCE, 10 + number)
                found["client"].append(await _together(alone, asked))
                before = encoder.seconds
                found["whole"].append(await _together(partial(_asked, desk), asked))
                found["embedding"].append((encoder.seconds - before) / AT_ONCE)
            begun = time.perf_counter()
            await _together(partial(_asked, desk, in_time=False), questions(CROWD, 99))
            found["crowd"].append(time.perf_counter() - begun)
    return found


async def _asked(desk: Asking, question: str, *, in_time: bool = True) -> None:
    """One question in a thread of its own; by four calls, unless the deadline came before the last."""
    seen = await desk.ask(question, question)
    answer = seen.turn.answer if seen.turn else None
    assert answer is not None, seen.turn
    (total,) = [event for event in answer.trace if event.node == TOTAL]
    assert not in_time or (total.detail["calls"], answer.standing) == (4, "supported"), answer


def _alone(calls: Calls, small: ChatModel, large: ChatModel) -> Callable[[str], Awaitable[None]]:
    """The four calls of one question, in the order in which a run makes them."""
    by_schema = {schema.__name__: (request, schema) for request, schema in calls.structured}
    (plan, grade, check), write = [by_schema[name] for name in ("Routed", "Graded", "Checked")], calls.streamed[-1]

    async def question(_: str) -> None:
        await small.structured(*plan)
        await small.structured(*grade)
        async for _chunk in large.stream(write):
            pass
        await small.structured(*check)

    return question


async def _together(ask: Callable[[str], Awaitable[None]], questions: Sequence[str]) -> float:
    """Processor seconds of one question, all asked at once, in this process with all its threads."""
    begun = time.process_time()
    await asyncio.gather(*(ask(question) for question in questions))
    return (time.process_time() - begun) / len(questions)


if __name__ == "__main__":
    tune()  # as the command does
    print(json.dumps(asyncio.run(measured(Path(sys.argv[1]), sys.argv[2]))))
