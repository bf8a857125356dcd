"""Benchmark `answers`: the bundled handbook's questions asked through the whole product, as a person would."""

from tests.benchmarks.answers.measure import run

__all__ = ["run"]
