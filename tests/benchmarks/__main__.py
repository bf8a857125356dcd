"""`make bench`: runs the benchmarks, prints their numbers with machine and versions, keeps them in build/bench.json.

Usage: python -m tests.benchmarks [--only NAME[,NAME]]. The data folder is REFDESK_BENCH_DATA or ../shared/data.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import importlib.util
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.benchmarks.machine import machine, versions
from tests.benchmarks.rows import Row
from tests.benchmarks.store import load, merged, save

BENCHMARKS = (
    "retrieval",
    "answers",
    "conversations",
    "routing",
    "routing_many",
    "routing_stale",
    "selftest",
    "evaluator",
    "support",
    "web_rate",
    "latency",
    "cpu",
    "followups",
    "scale",
    "sizes",
    "syncs",
    "pinecone",
    "startup",
    "slack_load",
    "discord_load",
)
ON_DEMAND = ("retrieval_e5",)
RESULTS = Path("build/bench.json")


def main(arguments: Sequence[str]) -> int:
    """Exit code 0, also when a benchmark was skipped; 1 when one failed, 2 for a name that is none."""
    console = Console()
    options = argparse.ArgumentParser(prog="make bench", description="Measure, print and keep the numbers.")
    options.add_argument("--only", default="", help="one or several of: " + ", ".join(BENCHMARKS + ON_DEMAND))
    names = options.parse_args(arguments).only.replace(",", " ").split() or list(BENCHMARKS)
    unknown = [name for name in names if name not in BENCHMARKS + ON_DEMAND]
    if unknown:
        console.print(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(BENCHMARKS + ON_DEMAND)}")
        return 2
    data = data_folder()
    console.print(f"machine:  {machine()}\nversions: {versions()}\ndata:     {data or 'not found'}")
    failed = [name for name in names if not _measure(console, name, data)]
    return 1 if failed else 0


def data_folder() -> Path | None:
    """Where the benchmark data is, None when it is nowhere."""
    folder = Path(os.environ.get("REFDESK_BENCH_DATA", "../shared/data"))
    return folder.resolve() if folder.is_dir() else None


def _measure(console: Console, name: str, data: Path | None) -> bool:
    command = f"make bench ONLY={name}"
    module = f"tests.benchmarks.{name}"
    if importlib.util.find_spec(module) is None:
        console.print(f"{name}: skipped: there is no such benchmark here yet")
        return True
    console.rule(command)
    started = time.perf_counter()
    try:
        rows: list[Row] = asyncio.run(importlib.import_module(module).run(data))
    except Exception:  # noqa: BLE001 - one broken benchmark must not hide the numbers of the others
        console.print_exception()
        return False
    if not rows:
        console.print(f"{name}: skipped: data not found")
        return True
    rows = [replace(row, command=row.command or command) for row in rows]
    console.print(table(rows))
    console.print(f"{name}: {time.perf_counter() - started:.0f} s")
    save(RESULTS, merged(load(RESULTS), rows, frozenset({command, *(row.command for row in rows)})))
    return True


def table(rows: Sequence[Row]) -> Table:
    """The rows for the terminal; a missed target stands out."""
    shown = Table("what", "value", "target", "")
    for row in rows:
        mark = "" if row.met is None else ("met" if row.met else "[bold red]missed[/]")
        shown.add_row(row.name, f"{row.value:g} {row.unit}".strip(), row.target, mark)
    return shown


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
