"""A process that owns a reading process: prints the other's id, gives it a trap, and waits to be killed."""

from __future__ import annotations

import asyncio
import json
import sys

from adapters.parsers.limits import Limits, Room
from adapters.parsers.reading import DocumentReader
from core.documents import SourceEntry


def _entry(trap: str) -> SourceEntry:
    return SourceEntry(f"{trap}.pdf", "1", 1, "")


async def main(trap: str, seconds: float) -> None:
    async with DocumentReader(Limits(seconds=seconds), Room("tests.parsers.traps:TRAPS", width=1)) as reader:
        found = json.loads((await reader.read(b"x", _entry("fine"))).text)
        print(found["pid"], flush=True)
        await reader.read(b"x", _entry(trap))
        await asyncio.sleep(600)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2])))
