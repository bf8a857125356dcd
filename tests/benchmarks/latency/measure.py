"""Asks every system the same second turns, one after the other, and compares what a reader would have waited.

Medians over the cases. The passages of a case are new to every system: nothing of them was embedded before.
"""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from adapters.openai.chat import OpenAIChat
from adapters.openai.models import OpenAIModels
from adapters.sql.catalog import SqlCatalog
from bots.model_settings import ModelSettings
from core.documents import Readable
from core.messages import Exchange
from core.policy import PRESETS
from core.retrieval.recent import RecentEmbedder
from tests.benchmarks.desks import Ground, Seen, opened_desk
from tests.benchmarks.latency.cases import CASES, Case, first_turns, handbook, thread
from tests.benchmarks.latency.rivals import Kit, Shown, chain, published
from tests.benchmarks.latency.script import LARGE, PACE, SMALL, script
from tests.benchmarks.latency.staying import stayed
from tests.benchmarks.rows import Row
from tests.openai_server.server import OpenAIServer

Rival = Callable[[Kit, str, list[Exchange], Shown], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class System:
    """One way of composing Refdesk."""

    name: str
    profile: str
    speculate: bool = False


SYSTEMS = (
    System("model", "model"),
    System("speculative", "model", speculate=True),
    System("fast", "fast", speculate=True),
    System("fast-without-speculation", "fast"),
)


@dataclass(frozen=True, slots=True)
class Waited:
    """The medians of one system, in seconds, and its most calls."""

    word: float
    end: float
    calls: int
    status: float = 0.0


async def run(data: Path | None) -> list[Row]:
    """All rows; those over MTRAG-UN only with the data."""
    waited = {}
    with tempfile.TemporaryDirectory() as folder:
        async with handbook(Path(folder)) as ground:
            past = await first_turns(ground, tuple(system.name for system in SYSTEMS))
            async with OpenAIServer(script({case.second: case.full for case in CASES}), pace=PACE) as server:
                waited["chain"] = await _rival(ground, server, chain, past)
                waited["published"] = await _rival(ground, server, published, past)
                for system in SYSTEMS:
                    waited[system.name] = await _refdesk(ground, server, system)
    return [*_rows(waited), *(await stayed(data) if data and (data / "mtrag").is_dir() else [])]


async def _rival(ground: Ground, server: OpenAIServer, rival: Rival, past: dict[str, Exchange]) -> Waited:
    models = OpenAIModels(base_url=server.base_url, small=SMALL, large=LARGE)
    scope = await SqlCatalog(ground.database).pin(Readable(frozenset(ground.collections)))
    seen, calls = [], []
    async with AsyncExitStack() as stack:
        small, large = [await stack.enter_async_context(OpenAIChat(models, name)) for name in (SMALL, LARGE)]
        kit = Kit(small, large, _fresh(ground).retriever, scope)
        await _opened(kit)
        for case in CASES:
            before, one = len(server.chats), Seen()

            async def shown(text: str, one: Seen = one) -> None:
                await one.show(text, final=False)

            await rival(kit, case.second, [past[case.name]], shown)
            one.end = one.since()
            seen.append(one)
            calls.append(len(server.chats) - before)
    return _medians(seen, calls)


async def _opened(kit: Kit) -> None:
    """Open the connections and load what is loaded with the first question."""
    await chain(kit, "Hello?", [], _unheard)


async def _unheard(text: str) -> None:
    pass


async def _refdesk(ground: Ground, server: OpenAIServer, system: System) -> Waited:
    settings = ModelSettings.model_validate(
        {"base_url": server.base_url, "small": SMALL, "large": LARGE, "profile": system.profile}
    )
    policy = replace(PRESETS["adaptive"], speculate=system.speculate)
    seen, calls = [], []
    async with opened_desk(_fresh(ground), settings, policy) as desk:
        await desk.ask("Which day is the team lunch?", f"{system.name}/warm")  # opens connections, reads Cards
        for case in CASES:
            before = len(server.chats)
            one = await _asked(desk.ask, system, case)
            seen.append(one)
            calls.append(len(server.chats) - before)
    return _medians(seen, calls)


async def _asked(ask: Callable[[str, str], Awaitable[Seen]], system: System, case: Case) -> Seen:
    seen = await ask(case.second, thread(system.name, case))
    assert seen.turn is not None
    assert seen.turn.answer is not None, seen.turn
    return seen


def _fresh(ground: Ground) -> Ground:
    """The same ground with an embedder that remembers no passage yet."""
    assert isinstance(ground.embedder, RecentEmbedder)
    return replace(ground, embedder=RecentEmbedder(ground.embedder._inner))


def _medians(seen: list[Seen], calls: list[int]) -> Waited:
    words = [one.word for one in seen if one.word is not None]
    ends = [one.end for one in seen if one.end is not None]
    assert len(words) == len(ends) == len(CASES), seen
    return Waited(median(words), median(ends), max(calls), median(one.status or 0.0 for one in seen))


def _rows(waited: dict[str, Waited]) -> list[Row]:
    unhurried = waited["fast-without-speculation"].word
    own, ahead, fast = waited["model"], waited["speculative"], waited["fast"]
    plain, old = waited["chain"], waited["published"]
    rows = [
        _at_most("calls_straight_path", own.calls, 4, ""),
        Row("calls of the published graph", old.calls, ""),
        _at_most("first_word_over_chain", own.word / plain.word, 2.5),
        _at_most("first_word_over_chain_speculative", ahead.word / plain.word, 2.1),
        _at_most("first_word_over_chain_fast", fast.word / plain.word, 1.0),
        Row("first_word_over_chain_fast, without speculation", _round(unhurried / plain.word), "×"),
        _at_most("first_word_over_published (speculative)", ahead.word / old.word, 0.45),
        _at_most("total_over_published (speculative)", ahead.end / old.end, 0.6),
        _at_most("first status line", 1000 * max(waited[system.name].status for system in SYSTEMS), 300, "ms"),
    ]
    for name, one in waited.items():
        rows.append(Row(f"{name}: first word", _round(one.word), "s"))
        rows.append(Row(f"{name}: whole answer", _round(one.end), "s"))
    return [replace(row, name=f"latency: {row.name}") for row in rows]


def _at_most(name: str, value: float, limit: float, unit: str = "×") -> Row:
    return Row(name, _round(value), unit, f"≤ {limit:g}", met=value <= limit)


def _round(value: float) -> float:
    return round(value, 2) if value < 100 else round(value)
