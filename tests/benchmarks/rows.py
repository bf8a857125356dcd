"""One measured number, as `build/bench.json` holds it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """`target` is what was asked for, in words (empty: only reported); `command` measures it again."""

    name: str
    value: float
    unit: str
    target: str = ""
    command: str = ""
    met: bool | None = None
