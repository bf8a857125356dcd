"""Benchmark `cpu`: what a question costs a processor, a hundred of them at once, and three hundred on two cores."""

from tests.benchmarks.cpu.measure import run

__all__ = ["run"]
