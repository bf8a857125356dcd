"""The threads that are asked over the handbook's three collections: a full question and one that leans on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from adapters.clock import SystemClock
from adapters.embedded.index import EmbeddedIndex
from adapters.local.use import USEEmbedder
from adapters.sql.database import Database
from bots.compose import opened
from bots.model_settings import ModelSettings
from bots.places import demo
from core.history import exchange
from core.messages import Exchange
from core.policy import PRESETS
from core.retrieval.analysis import BigramAnalyzer
from core.retrieval.recent import RecentEmbedder
from tests.benchmarks.desks import Ground, opened_desk


@dataclass(frozen=True, slots=True)
class Case:
    """Two turns of a thread, and the second one in full."""

    name: str
    first: str
    second: str
    full: str


CASES = (
    Case(
        "outage",
        "What caused the dispatch outage in March 2026?",
        "How long did it last?",
        "How long did the dispatch outage in March 2026 last?",
    ),
    Case(
        "upgrade",
        "How long did the AKS upgrade take?",
        "And the GKE one?",
        "How long did the GKE upgrade take?",
    ),
    Case(
        "hotel",
        "What is the limit per night for a hotel in Paris?",
        "And in Seoul?",
        "What is the limit per night for a hotel in Seoul?",
    ),
    Case(
        "limits",
        "How many API requests per minute does the Starter plan allow?",
        "And the Fleet plan?",
        "How many API requests per minute does the Fleet plan allow?",
    ),
    Case(
        "korean",
        "AKS 업그레이드에서 가장 큰 문제가 뭐였어?",
        "그럼 GKE는 어땠어?",
        "GKE 업그레이드에서 가장 큰 문제가 뭐였어?",
    ),
)


@asynccontextmanager
async def handbook(folder: Path) -> AsyncIterator[Ground]:
    """The handbook, synced into the folder."""
    settings = demo().model_copy(update={"data_dir": folder, "models": ModelSettings()})
    async with opened(settings, quiet=True) as app:
        await app.prepare(refresh=False)
        names = app.names
    analyzer = BigramAnalyzer()
    async with (
        Database(settings.record_url, SystemClock()) as database,
        EmbeddedIndex(settings.index_path, analyzer) as index,
        USEEmbedder(settings.model_cache) as embedder,
    ):
        yield Ground(database, index, RecentEmbedder(embedder), analyzer, names, folder)


async def first_turns(ground: Ground, systems: tuple[str, ...]) -> dict[str, Exchange]:
    """Ask the first turn of every case in a thread for each system, keyless; the exchanges by case."""
    past = {}
    async with opened_desk(ground, ModelSettings(), PRESETS["adaptive"]) as desk:
        for case in CASES:
            for system in systems:
                seen = await desk.ask(case.first, thread(system, case))
                found = exchange(seen.turn) if seen.turn else None
                assert found is not None, seen
                past[case.name] = found
    return past


def thread(system: str, case: Case) -> str:
    """The thread in which a system is asked a case."""
    return f"{system}/{case.name}"
