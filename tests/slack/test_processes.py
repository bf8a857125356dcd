"""Two processes of `refdesk serve` on one database, as after a redeploy: one is killed in the middle of an answer.

Then the other is told to end in the middle of a long one, while a new one starts. Row of the kind “double replies”: two
answers after a redeploy, two instances that each get a part of the events.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import ColumnElement, func, select, update

from adapters.clock import SystemClock
from adapters.sql.database import Database, sqlite_url
from adapters.sql.schema import generations, turns
from tests.bots.processes import Running, refdesk
from tests.openai_server.replies import Pace, Reply, Say
from tests.openai_server.server import Call, OpenAIServer
from tests.scenarios.scripts import Script, routed
from tests.slack.town import is_whole
from tests.slack_server import Channel, Message, Rules, SlackServer
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
[health]
port = 0
"""
Start = Callable[[], Awaitable[Running]]
WORDS = "Run helm rollback with the last good revision, and then wait until it is done: it takes ten minutes [1]."


@dataclass
class Writer:
    """What the model writes; while it is slow, an answer takes ten seconds."""

    slow: bool = False

    def __call__(self, call: Call) -> Reply:
        return Say(WORDS, tokens=40, pace=Pace(first=0.1, token=0.25 if self.slow else 0.005))


class Pair:
    """The stand-in, the record, and the processes by their ids."""

    def __init__(self, slack: SlackServer, record: Database, writer: Writer, start: Start) -> None:
        self.slack, self.record, self._writer, self._start = slack, record, writer, start
        self.processes: dict[int, Running] = {}
        self.ana = slack.user("Ana")

    async def start(self, count: int) -> None:
        """So many more processes, connected."""
        slack, before = self.slack, self.slack.sockets.opened
        for _ in range(count):
            started = await self._start()
            self.processes[started.process.pid] = started
        await slack.until(lambda: slack.sockets.opened >= before + count, 90)

    async def indexed(self) -> None:
        """The collection can be searched."""
        async with asyncio.timeout(90):
            while not await self._count():
                await asyncio.sleep(0.1)

    async def _count(self) -> int:
        async with self.record.begin() as connection:
            return int((await connection.execute(select(func.count()).select_from(generations))).scalar_one())

    def ask(self, room: Channel) -> Message:
        """Ana mentions us."""
        return self.slack.say(room, self.ana, f"{self.slack.bot_of()} how do I roll back a release?")

    async def begun(self, room: Channel) -> tuple[Message, Message]:
        """A question, and its answer, which is still being written for a while; the next one is written quickly."""
        self._writer.slow = True
        asked = self.ask(room)
        answer = await self.slack.until(lambda: next(iter(self.slack.bot_messages(asked)), None), 30)
        self._writer.slow = False
        assert not is_whole(answer)
        return asked, answer

    async def whole(self, question: Message) -> Message:
        """The answer to it."""
        return await self.slack.answer_in(question, after=question, when=_is_all, seconds=60)

    async def whose(self, question: Message) -> int:
        """The process that answers it."""
        async with self.record.begin() as connection:
            owner = (await connection.execute(select(turns.c.owner).where(_is(question)))).scalar_one()
        return int(str(owner).split("-")[-2])

    async def killed(self, question: Message) -> None:
        """Who answers it, with -9, and as half a minute without a sign of life."""
        process = self.processes.pop(await self.whose(question)).process
        process.send_signal(signal.SIGKILL)
        await process.wait()
        async with self.record.begin() as connection:
            gone = datetime.now(UTC) - timedelta(hours=1)
            await connection.execute(update(turns).where(_is(question)).values(lease_until=gone))

    async def replaced(self, question: Message) -> None:
        """Who answers it, as by a redeploy: a new process starts while the old one is told to end."""
        old = self.processes.pop(await self.whose(question))
        await asyncio.gather(old.told_to_end(), self.start(1))


def _is_all(message: Message) -> bool:
    return is_whole(message) and "it takes ten minutes" in message.words


def _is(question: Message) -> ColumnElement[bool]:
    return turns.c.identity == f"{question.channel}:{question.ts}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The database of both."""
    (tmp_path / "data").mkdir()
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "data" / "refdesk.db")
    return str(request.getfixturevalue("postgres_url"))


@asynccontextmanager
async def two(place: Path, url: str) -> AsyncIterator[Pair]:
    """Both started at once where nothing is yet, connected, and the one document indexed."""
    (place / "docs").mkdir()
    (place / "docs" / "rollback.md").write_text(f"# Rolling back a release\n\n{WORDS[:-5]}.\n", encoding="utf-8")
    writer = Writer()
    async with AsyncExitStack() as stack:
        models = await stack.enter_async_context(OpenAIServer(Script(plan=routed("runbooks"), write=writer)))
        (place / "refdesk.toml").write_text(CONFIG.format(models=models.base_url), encoding="utf-8")
        slack = await stack.enter_async_context(SlackServer(Rules(retries=(0.0, 1.0, 1.0))))
        record = await stack.enter_async_context(Database(url, SystemClock()))
        tokens = {"SLACK_BOT_TOKEN": slack.bot_token, "SLACK_APP_TOKEN": slack.app.app_token}
        env = {"REFDESK_SLACK_URL": slack.base_url, "REFDESK_DATABASE_URL": url, **tokens}
        pair = Pair(slack, record, writer, lambda: stack.enter_async_context(refdesk(place, "serve", env=env)))
        await pair.start(2)
        await pair.indexed()
        yield pair


async def test_two_processes_answer_once_and_one_takes_over_from_the_other_in_the_same_message(
    tmp_path: Path, url: str
) -> None:
    async with two(tmp_path, url) as pair:
        slack = pair.slack
        rooms = [slack.channel(f"room-{number}") for number in range(2)]  # with more they were a crowd: no drafts
        asked = [pair.ask(room) for room in rooms]
        for each in asked:
            await pair.whole(each)
        assert all(connection.envelopes for connection in slack.sockets.connections)
        assert [len(slack.bot_messages(room)) for room in rooms] == [1] * len(rooms)

        last, begun = await pair.begun(rooms[0])
        await pair.killed(last)
        assert (await pair.whole(last)).ts == begun.ts
        if "sqlite" in url:  # how a turn is given back is the stores' contract; once is enough here
            long, begun = await pair.begun(rooms[1])
            await pair.replaced(long)
            assert (await pair.whole(long)).ts == begun.ts
            asked.append(long)
        await pair.whole(slack.say(rooms[0], pair.ana, "How do I roll back a release, again?", thread_ts=last))
        await slack.courier.settled()
        assert [len(slack.bot_messages(each)) for each in asked] == [1] * len(asked)
        assert len(slack.bot_messages(last)) == 2
        assert not any(each.lost for each in slack.deliveries)
        for process in pair.processes.values():
            await process.told_to_end()
