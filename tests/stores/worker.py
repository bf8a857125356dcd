"""A process that claims and answers turns until there are none left: run by the tests, several at once."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from datetime import timedelta

from adapters.clock import SystemClock
from adapters.sql.database import Database
from adapters.sql.turns import SqlTurnQueue, SqlTurnRecord
from tests.stores.values import an_answer


async def work(url: str, owner: str) -> None:
    """Claim, answer and print each turn."""
    async with Database(url, SystemClock()) as database:
        queue, record = SqlTurnQueue(database), SqlTurnRecord(database)
        idle = 0
        while idle < 20:
            turn = await queue.claim(owner, timedelta(seconds=60))
            if turn is None:
                idle += 1
                await asyncio.sleep(0.02)
                continue
            idle = 0
            if await record.finish(replace(turn, status="answered", answer=an_answer(owner))):
                print(turn.identity, flush=True)


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], sys.argv[2]))
