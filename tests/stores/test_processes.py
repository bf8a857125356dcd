"""Several real processes on one database: each turn is answered once, in the order of its session."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import select

from adapters.clock import SystemClock
from adapters.sql.database import Database
from adapters.sql.schema import turns
from adapters.sql.turns import SqlTurnQueue
from tests.stores.values import KEY, a_turn

SESSIONS = 20


def worker(url: str, owner: str) -> subprocess.Popen[str]:
    """A process that answers turns."""
    command = [sys.executable, "-m", "tests.stores.worker", url, owner]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


async def fill(database: Database, count: int) -> list[str]:
    """Accept many turns in several sessions."""
    queue = SqlTurnQueue(database)
    names = [f"m{n:03}" for n in range(count)]
    for n, name in enumerate(names):
        await queue.accept(a_turn(name, replace(KEY, thread=str(n % SESSIONS))))
    return names


async def test_two_processes_answer_each_turn_once_and_in_order(database: Database, database_url: str) -> None:
    names = await fill(database, 200 if database_url.startswith("sqlite") else 60)  # a server's commits are slower
    processes = [worker(database_url, f"p{n}") for n in range(2)]
    outputs = [await asyncio.to_thread(process.communicate, timeout=120) for process in processes]
    answered = [name for output, _ in outputs for name in output.split()]
    assert sorted(answered) == names
    async with database.begin() as connection:
        rows = (await connection.execute(select(turns).order_by(turns.c.finished_at))).all()
    assert {row.attempts for row in rows} == {1}
    for session in {row.session_id for row in rows}:
        sequences = [row.sequence for row in rows if row.session_id == session]
        assert sequences == sorted(sequences)


async def test_what_a_killed_process_was_doing_is_taken_up(database: Database, database_url: str) -> None:
    queue = SqlTurnQueue(database)
    await queue.accept(a_turn("m1"))
    holding = (
        "import asyncio, sys\nfrom datetime import timedelta\n"
        "from adapters.clock import SystemClock\nfrom adapters.sql.database import Database\n"
        "from adapters.sql.turns import SqlTurnQueue\n"
        "async def main():\n"
        "    async with Database(sys.argv[1], SystemClock()) as d:\n"
        "        print((await SqlTurnQueue(d).claim('doomed', timedelta(seconds=1))).identity, flush=True)\n"
        "        await asyncio.sleep(60)\n"
        "asyncio.run(main())"
    )
    command = [sys.executable, "-c", holding, database_url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert (await asyncio.to_thread(process.stdout.readline)).strip() == "m1"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    async with Database(database_url, SystemClock()) as second:
        rescuer = SqlTurnQueue(second)
        turn = await rescuer.claim("rescuer", timedelta(seconds=30))
        while turn is None:
            await asyncio.sleep(0.1)
            turn = await rescuer.claim("rescuer", timedelta(seconds=30))
    assert (turn.identity, turn.attempts) == ("m1", 2)


async def test_two_processes_that_hear_the_same_messages_make_one_turn_each(
    database: Database, database_url: str
) -> None:
    async with Database(database_url, SystemClock()) as second:
        queues = [SqlTurnQueue(database), SqlTurnQueue(second)]
        accepted = await asyncio.gather(
            *(
                queue.accept(replace(a_turn(f"m{n}"), id=f"{n}-{m}"))
                for n in range(20)
                for m, queue in enumerate(queues)
            )
        )
    assert sum(not each.duplicate for each in accepted) == 20
    assert len({each.turn.id for each in accepted}) == 20
