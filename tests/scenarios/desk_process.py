"""A desk in a process of its own, as `refdesk` composes it: asks questions, or answers what was left behind."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from bots.app import App
from bots.compose import opened
from bots.console import as_plain
from bots.settings import load
from core.messages import Turn


async def work(config: str, action: str, asked: dict[str, str]) -> None:
    """`asked` is questions by thread. ``ask`` asks them all at once; ``resume`` only waits for their ends."""
    async with opened(load(Path(config)), quiet=True) as app:
        await app.prepare(refresh=action == "ask")
        if action == "ask":
            print("asking", flush=True)
            await asyncio.gather(*(app.desk.ask(app.terminal.message(text, at)) for at, text in asked.items()))
        turns = dict(zip(asked, await asyncio.gather(*(_end(app, thread) for thread in asked)), strict=True))
    print(json.dumps({thread: as_plain(turn, thread) for thread, turn in turns.items()}), flush=True)


async def _end(app: App, thread: str) -> Turn:
    while (turn := await app.desk.last(app.terminal.key(thread))) is None:
        await asyncio.sleep(0.05)
    return turn


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])))
