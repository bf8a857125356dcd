"""A process of its own that writes to an index: `python -m tests.index.worker PATH ROUNDS [die]`."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from adapters.embedded.index import EmbeddedIndex
from tests.index.values import ANALYZER, Index, passage


async def write(path: Path, rounds: int) -> None:
    """In each round another version of the document, five passages long; a line on stdout when it is stored."""
    async with EmbeddedIndex(path, ANALYZER) as opened:
        index = Index(opened.vectors, opened.lexical, opened.passages)
        for number in range(1, rounds + 1):
            version = str(number)
            parts = [passage(f"round {number} part {n} word", version=version, position=n) for n in range(5)]
            await index.put(*parts)
            print(number, flush=True)
            if number > 2:
                await index.drop("docs", ("a.md", str(number - 2)))
        if "die" in sys.argv:
            await opened.vectors.upsert("docs", "hashing-64", [])
            os.kill(os.getpid(), 9)


if __name__ == "__main__":
    asyncio.run(write(Path(sys.argv[1]), int(sys.argv[2])))
