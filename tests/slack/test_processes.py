"""Two processes of `refdesk serve` on one database, as after a redeploy; one is killed in the middle of an answer.

Row of the kind “double replies”: two answers after a redeploy, two instances that each get a part of the events.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from adapters.clock import SystemClock
from adapters.sql.database import Database, sqlite_url
from adapters.sql.schema import generations, turns
from tests.openai_server.replies import Pace, Reply, Say
from tests.openai_server.server import Call, OpenAIServer
from tests.scenarios.scripts import Script, routed, user
from tests.slack.town import is_whole
from tests.slack_server import Message, Rules, SlackServer
from tests.stores.conftest import postgres_url

__all__ = ["postgres_url"]

CONFIG = """
data_dir = "data"
at_once = 4
[[collections]]
name = "runbooks"
source = "folder:docs"
[models]
profile = "model"
small = "small"
large = "large"
base_url = "{models}"
"""
WORDS = "Run helm rollback with the last good revision, and then wait until it is done: it takes ten minutes [1]."

SLOWLY = "slowly"
"""In a question: its answer takes seconds."""


def _written(call: Call) -> Reply:
    return Say(WORDS, tokens=40, pace=Pace(first=0.1, token=0.25 if SLOWLY in user(call) else 0.005))


class Pair:
    """The stand-in, the record, and the processes by their ids."""

    def __init__(self, slack: SlackServer, record: Database) -> None:
        self.slack, self.record = slack, record
        self.processes: dict[int, asyncio.subprocess.Process] = {}

    async def start(self, place: Path, url: str) -> None:
        """One more process, connected."""
        slack, before = self.slack, self.slack.sockets.opened
        tokens = {"SLACK_BOT_TOKEN": slack.bot_token, "SLACK_APP_TOKEN": slack.app.app_token}
        here = {"REFDESK_SLACK_URL": slack.base_url, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", **tokens}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bots", "serve"),
            cwd=place,
            env={**os.environ, **here, "REFDESK_DATABASE_URL": url},
            stderr=asyncio.subprocess.DEVNULL,
        )
        self.processes[process.pid] = process
        await slack.until(lambda: slack.sockets.opened > before, 90)

    async def indexed(self) -> None:
        """The collection can be searched."""
        async with asyncio.timeout(90):
            while not await self._count():
                await asyncio.sleep(0.2)

    async def _count(self) -> int:
        async with self.record.begin() as connection:
            return int((await connection.execute(select(func.count()).select_from(generations))).scalar_one())

    async def kill_who_answers(self, question: Message) -> None:
        """With -9, and as half a minute without a sign of life."""
        mine = turns.c.identity == f"{question.channel}:{question.ts}"
        async with self.record.begin() as connection:
            owner = str((await connection.execute(select(turns.c.owner).where(mine))).scalar_one())
        pid = int(owner.split("-")[-2])
        self.processes[pid].send_signal(signal.SIGKILL)
        await self.processes.pop(pid).wait()
        async with self.record.begin() as connection:
            gone = datetime.now(UTC) - timedelta(hours=1)
            await connection.execute(update(turns).where(mine).values(lease_until=gone))

    async def end(self) -> None:
        """As a deployment ends them."""
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            await asyncio.wait_for(process.wait(), 20)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The database of both."""
    (tmp_path / "data").mkdir()
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "data" / "refdesk.db")
    return str(request.getfixturevalue("postgres_url"))


@asynccontextmanager
async def two(place: Path, url: str) -> AsyncIterator[Pair]:
    """Both connected, and the one document indexed."""
    (place / "docs").mkdir()
    (place / "docs" / "rollback.md").write_text(f"# Rolling back a release\n\n{WORDS[:-5]}.\n", encoding="utf-8")
    async with AsyncExitStack() as stack:
        models = await stack.enter_async_context(OpenAIServer(Script(plan=routed("runbooks"), write=_written)))
        (place / "refdesk.toml").write_text(CONFIG.format(models=models.base_url), encoding="utf-8")
        slack = await stack.enter_async_context(SlackServer(Rules(retries=(0.0, 1.0, 1.0))))
        record = await stack.enter_async_context(Database(url, SystemClock()))
        pair = Pair(slack, record)
        stack.push_async_callback(pair.end)
        await pair.start(place, url)
        await pair.indexed()
        await pair.start(place, url)
        yield pair


async def test_two_processes_answer_once_and_one_takes_over_from_the_other_in_the_same_message(
    tmp_path: Path, url: str
) -> None:
    async with two(tmp_path, url) as pair:
        slack, ana = pair.slack, pair.slack.user("Ana")
        rooms = [slack.channel(f"room-{number}") for number in range(4)]
        asked = [slack.say(room, ana, f"{slack.bot_of()} how do I roll back a release?") for room in rooms]
        for each in asked:
            await slack.answer_in(each, when=is_whole, seconds=60)
        assert all(connection.envelopes for connection in slack.sockets.connections)
        assert [len(slack.bot_messages(room)) for room in rooms] == [1] * len(rooms)

        last = slack.say(rooms[0], ana, f"{slack.bot_of()} how do I roll back a release, {SLOWLY}?")
        begun = await slack.until(lambda: next(iter(slack.bot_messages(last)), None), 30)
        await pair.kill_who_answers(last)
        assert not is_whole(begun)
        answer = await slack.answer_in(last, when=is_whole, seconds=60)
        assert answer.ts == begun.ts
        assert "it takes ten minutes" in answer.words

        more = slack.say(rooms[0], ana, "How do I roll back a release, again?", thread_ts=last)
        await slack.answer_in(more, after=more, when=is_whole, seconds=60)
        await slack.courier.settled()
        assert [len(slack.bot_messages(each)) for each in (*asked, last)] == [1, 1, 1, 1, 2]
        assert not any(each.lost for each in slack.deliveries)
