"""Syncs in processes of their own that are killed, and the documents that they read."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

from tests.indexing.folder_desk import Place, as_process, let_the_leases_run_out

SEED = int(os.environ.get("REFDESK_TEST_SEED", "20261130"))
BEFORE = {f"doc{n:02}": 0 for n in range(16)}
AFTER = {f"doc{n:02}": int(n % 3 == 0) for n in range(4, 20)}


def page(name: str, edition: int) -> str:
    """A document of several passages, of which an edition changes one."""
    says = [f"{name} says {number}-{edition * (number == 1)}. " + "words " * 40 for number in range(4)]
    chapters = [f"## Chapter {number} of {name}\n\n{text}" for number, text in enumerate(says)]
    return f"# Page {name}\n\nAbout {name}.\n\n" + "\n\n".join(chapters) + "\n"


def write(folder: Path, names: dict[str, int]) -> None:
    """The folder holds these documents in these editions, and no others."""
    folder.mkdir(exist_ok=True)
    for file in folder.iterdir():
        if file.stem not in names:
            file.unlink()
    for name, edition in names.items():
        file, text = folder / f"{name}.md", page(name, edition)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


@dataclass
class Victim:
    """One folder whose syncs are killed."""

    place: Place
    context: ForkServerContext
    killed: int = 0

    async def kill_after(self, seconds: float) -> None:
        """Begin a sync in a process of its own, and kill it so long after it has begun."""
        await self._kill(asyncio.sleep(seconds))

    async def kill_when(self, come: Callable[[], bool]) -> None:
        """Likewise, once this is so."""

        async def awaited() -> None:
            while not come():
                await asyncio.sleep(0.005)

        await self._kill(asyncio.wait_for(awaited(), 60))

    async def _kill(self, moment: Awaitable[None]) -> None:
        process = await self._begun("doomed")
        await moment
        process.kill()
        await asyncio.to_thread(process.join)
        self.killed += process.exitcode == -9
        let_the_leases_run_out(self.place)

    async def duration(self) -> float:
        """How long a sync takes from its beginning to the end of its process."""
        process = await self._begun("whole")
        began = time.monotonic()
        await asyncio.to_thread(process.join, 60)
        assert process.exitcode == 0
        return time.monotonic() - began

    async def _begun(self, asker: str) -> ForkServerProcess:
        here, there = self.context.Pipe(duplex=False)
        process = self.context.Process(target=as_process, args=(self.place, asker, there))
        process.start()
        there.close()
        with here:
            assert await asyncio.to_thread(here.poll, 60)
            assert here.recv() == "begun"
        return process
