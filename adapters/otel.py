"""The Tracer port over OpenTelemetry: spans by its GenAI conventions, sent to an OTLP collector over HTTP.

The conventions (0.1.0) are in development: their names stand here and nowhere else. What has no name there is
called ``refdesk.…``. No prompt, question or answer is ever in a span.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from core.errors import RefdeskError
from core.telemetry import Fact, Kind, Span

TRACES = "/v1/traces"
TIMEOUT = 3.0
"""Seconds for one batch, tries included: a collector that is down must not hold up the end of a command."""


@dataclass(frozen=True, slots=True)
class _Convention:
    """How one kind of span is told: its name, its own attributes, and what our facts are called."""

    name: str
    kind: SpanKind = SpanKind.INTERNAL
    own: Mapping[str, str] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)


_RETRIEVAL = {"collections": "gen_ai.data_source.id", "k": "gen_ai.retrieval.top_k"}
_CONVENTIONS: Mapping[Kind, _Convention] = {
    "turn": _Convention(
        "invoke_workflow refdesk",
        own={"gen_ai.operation.name": "invoke_workflow", "gen_ai.agent.name": "refdesk"},
        called={"session": "gen_ai.conversation.id"},
    ),
    "node": _Convention("{name}"),
    "model": _Convention(
        "chat {name}",
        SpanKind.CLIENT,
        own={"gen_ai.operation.name": "chat"},
        called={
            "model": "gen_ai.request.model",
            "input_tokens": "gen_ai.usage.input_tokens",
            "output_tokens": "gen_ai.usage.output_tokens",
            "cached_tokens": "gen_ai.usage.cache_read.input_tokens",
        },
    ),
    "retrieval": _Convention("retrieval", own={"gen_ai.operation.name": "retrieval"}, called=_RETRIEVAL),
    "web": _Convention(
        "retrieval",
        SpanKind.CLIENT,
        own={"gen_ai.operation.name": "retrieval", "gen_ai.data_source.id": "web"},
        called=_RETRIEVAL,
    ),
}
_PARENTS = frozenset({"turn", "node"})


@dataclass(frozen=True, slots=True)
class Service:
    """Where the models are: the provider as the conventions name it, host and port."""

    provider: str = "openai"
    host: str = ""
    port: int | None = None

    @property
    def attributes(self) -> Mapping[str, str | int]:
        """What each model call tells of it."""
        named: dict[str, str | int] = {"gen_ai.provider.name": self.provider}
        if self.host:
            named |= {"server.address": self.host, "server.port": self.port or 443}
        return named


class OtelTracer:
    """Implements `core.telemetry.Tracer`. `async with` closes it; the last spans are sent then."""

    def __init__(self, exporter: SpanExporter, service: Service | None = None, version: str = "") -> None:
        called = OTELResourceDetector().detect().attributes.get(SERVICE_NAME, "refdesk")  # OTEL_SERVICE_NAME
        resource = Resource.create({SERVICE_NAME: called, SERVICE_VERSION: version})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("refdesk", version)
        self._service = service or Service()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self._provider.shutdown)

    @contextmanager
    def span(self, kind: Kind, name: str, **facts: Fact) -> Iterator[Span]:
        """As the port says. Only turns and nodes become current: a stream may be closed from elsewhere."""
        convention = _CONVENTIONS[kind]
        about = {**convention.own, **(self._service.attributes if kind == "model" else {})}
        begun = self._tracer.start_span(convention.name.format(name=name), kind=convention.kind, attributes=about)
        told = _Told(convention, begun)
        told.tell(**facts)
        try:
            if kind not in _PARENTS:
                yield told
                return
            with trace.use_span(begun, record_exception=False, set_status_on_exception=False):
                yield told
        except Exception as error:
            told.tell(error=error.reason if isinstance(error, RefdeskError) else type(error).__qualname__)
            raise
        finally:
            begun.end()


class _Told:
    """A span of OpenTelemetry's that is told facts in our words."""

    def __init__(self, convention: _Convention, span: trace.Span) -> None:
        self._called = convention.called
        self._span = span

    def tell(self, **facts: Fact) -> None:
        """Set attributes; of an error only its kind."""
        for name, value in facts.items():
            if value is None:
                continue
            if name == "error":
                self._span.set_attribute("error.type", str(value))
                self._span.set_status(StatusCode.ERROR)
            elif name == "first_ms" and isinstance(value, float):
                self._span.set_attribute("gen_ai.request.stream", True)
                self._span.set_attribute("gen_ai.response.time_to_first_chunk", round(value / 1000, 4))
            else:
                plain = value if isinstance(value, str | int | float) else ",".join(value)
                self._span.set_attribute(self._called.get(name, f"refdesk.{name}"), plain)


def collector(address: str) -> SpanExporter:
    """The exporter to the collector at this base address; its headers come from OTEL_EXPORTER_OTLP_HEADERS."""
    base = address.rstrip("/")
    return OTLPSpanExporter(endpoint=base if base.endswith(TRACES) else base + TRACES, timeout=TIMEOUT)
