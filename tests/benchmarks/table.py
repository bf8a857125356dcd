"""Writes build/bench.json into the README, between its two markers: python -m tests.benchmarks.table [README]."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.machine import machine, versions
from tests.benchmarks.rows import Row
from tests.benchmarks.store import load

START = "<!-- bench:start -->"
END = "<!-- bench:end -->"


def render(rows: Sequence[Row]) -> str:
    """A Markdown table for each command."""
    blocks = [f"Measured on {machine()}; {versions()}."]
    for command in dict.fromkeys(row.command for row in rows):
        lines = [f"`{command}`", "", "| what | value | target |", "| --- | --- | --- |"]
        lines += [_line(row) for row in rows if row.command == command]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def inserted(page: str, content: str) -> str:
    """The page with the content between its markers; ValueError when they are missing."""
    if START not in page or END not in page:
        raise ValueError(f"the page has no {START} … {END}")
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{content}\n{END}{after}"


def _line(row: Row) -> str:
    missed = " (missed)" if row.met is False else ""
    return f"| {row.name} | {row.value:g} {row.unit}{missed} | {row.target} |"


if __name__ == "__main__":
    readme = Path(sys.argv[1] if len(sys.argv) > 1 else "README.md")
    readme.write_text(inserted(readme.read_text(encoding="utf-8"), render(load(Path("build/bench.json")))), "utf-8")
