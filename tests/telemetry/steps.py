"""Steps of which a scripted model does some, and a desk of them that is watched."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from adapters.memory.chat import ScriptedChat
from adapters.otel import OtelTracer, Service
from core.rag.context import Steps
from core.rag.ledger import Ledger, Metered
from core.rag.model.grader import ModelGrader
from core.rag.model.writer import ModelWriter
from tests.desk.stand_ins import Building, World, open_desk

SMALL = ScriptedChat(lambda _: {"grades": "1:yes 2:no"}, "little", (1e-6, 2e-6))
LARGE = ScriptedChat(lambda _: "It takes 45 minutes [1].", "big", (1e-5, 2e-5))


def by_model(steps: Steps, ledger: Ledger, small: ScriptedChat = SMALL, large: ScriptedChat = LARGE) -> Steps:
    """Grading and writing by models that are charged to the ledger."""
    grader = ModelGrader(Metered(small, ledger, "grade"))
    return replace(steps, grader=grader, writer=ModelWriter(Metered(large, ledger, "generate")))


@asynccontextmanager
async def watched(spans: InMemorySpanExporter, building: Building | None = None) -> AsyncIterator[World]:
    """A desk whose spans stand in `spans` once it is closed."""
    async with OtelTracer(spans, Service("openai", "127.0.0.1", 8080), "1.0") as tracer:
        given = building or Building(by_model=by_model)
        given.tracer = tracer
        async with open_desk(given) as world:
            yield world
