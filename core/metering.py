"""How long turns take, counted in this process. A tracer that hands everything on and looks at the clock for turns."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from core.telemetry import Fact, Kind, Span, Tracer

BUCKETS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 80.0)
"""Upper bounds in seconds; the last of the counts is for what takes longer."""


@dataclass
class Meter:
    """Turns by how long they took, from being claimed to being recorded."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    seconds: float = 0.0

    def took(self, seconds: float) -> None:
        """One turn is over."""
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.seconds += seconds


@dataclass(frozen=True, slots=True)
class Metered:
    """A tracer in front of another."""

    inner: Tracer
    meter: Meter

    def span(self, kind: Kind, name: str, **facts: Fact) -> AbstractContextManager[Span]:
        """The other's span."""
        span = self.inner.span(kind, name, **facts)
        return self._timed(span) if kind == "turn" else span

    @contextmanager
    def _timed(self, span: AbstractContextManager[Span]) -> Iterator[Span]:
        began = time.monotonic()
        with span as told:
            yield told
        self.meter.took(time.monotonic() - began)
