"""`build/bench.json`: reading, merging and writing rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks.rows import Row


def load(path: Path) -> list[Row]:
    """The rows of an earlier run; none when there was no run."""
    if not path.exists():
        return []
    return [Row(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))]


def merged(earlier: Sequence[Row], new: Sequence[Row], commands: frozenset[str]) -> list[Row]:
    """The new rows in place of all earlier rows of the same commands."""
    return [row for row in earlier if row.command not in commands] + list(new)


def save(path: Path, rows: Sequence[Row]) -> None:
    """Write all rows at once; an interrupted run leaves the earlier file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps([asdict(row) for row in rows], indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    fresh.replace(path)
