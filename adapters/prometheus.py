"""The numbers of a process as Prometheus reads them. Each is made when it is asked for; nothing is kept here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from core.metering import BUCKETS, Meter
from core.pulse import Pulse

KIND = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Numbers:
    """What is told. `calls` are those of a platform's API by method and outcome."""

    turns: Mapping[str, int]
    jobs: Mapping[str, int]
    oldest: float
    meter: Meter
    pulses: Mapping[str, Pulse]
    calls: Mapping[str, Mapping[tuple[str, str], int]] = field(default_factory=dict)


def exposition(numbers: Numbers) -> bytes:
    """The page."""
    registry = CollectorRegistry()
    registry.register(_Collector(numbers))
    return bytes(generate_latest(registry))


@dataclass(frozen=True, eq=False)
class _Collector(Collector):
    """Prometheus' own interface for numbers that are counted elsewhere."""

    numbers: Numbers

    def collect(self) -> Iterator[Metric]:
        """All families."""
        told = self.numbers
        yield _by("refdesk_turns", "Questions by what became of them.", "status", told.turns)
        yield _by("refdesk_jobs", "Syncs by what became of them.", "status", told.jobs)
        oldest = "How long the first waiting question has waited."
        yield GaugeMetricFamily("refdesk_oldest_waiting_seconds", oldest, value=told.oldest)
        yield _seconds(told.meter)
        connected = {name: int(pulse.connected) for name, pulse in told.pulses.items()}
        yield _by("refdesk_connected", "Whether there is a connection.", "platform", connected)
        silence = {name: pulse.silence for name, pulse in told.pulses.items()}
        yield _by("refdesk_silence_seconds", "Since something came in.", "platform", silence)
        rebuilt = CounterMetricFamily("refdesk_reconnections", "Connections replaced.", labels=["platform"])
        for name, pulse in told.pulses.items():
            rebuilt.add_metric([name], pulse.rebuilt)
        yield rebuilt
        yield _calls(told.calls)


def _by(name: str, about: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, about, labels=[label])
    for value, count in sorted(values.items()):
        family.add_metric([value], count)
    return family


def _calls(calls: Mapping[str, Mapping[tuple[str, str], int]]) -> Metric:
    about = "Calls of a platform's API; outcome is ok, or the refusal's own code."
    family = CounterMetricFamily("refdesk_api_calls", about, labels=["platform", "method", "outcome"])
    for platform, counted in calls.items():
        for (method, outcome), count in sorted(counted.items()):
            family.add_metric([platform, method, outcome], count)
    return family


def _seconds(meter: Meter) -> Metric:
    bounds = [*(str(each) for each in BUCKETS), "+Inf"]
    buckets = list(zip(bounds, accumulate(meter.counts), strict=True))
    about = "From a question's turn to its answer, in this process."
    return HistogramMetricFamily("refdesk_turn_seconds", about, buckets=buckets, sum_value=meter.seconds)
