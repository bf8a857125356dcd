"""Benchmark `latency`: the wait for the first word and for the end, beside a plain chain and the published graph."""

from tests.benchmarks.latency.measure import run

__all__ = ["run"]
