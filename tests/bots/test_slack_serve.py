"""`refdesk serve` in Slack as a company has it: a process of its own over the bundled handbook, without any key.

The conversations of a day, each in a channel of its own; Slack has refused nothing and lost nothing of any of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.bots.processes import Running, furnished, refdesk
from tests.slack.town import is_whole
from tests.slack_server import Channel, Message, SlackServer, User

pytestmark = pytest.mark.asyncio(loop_scope="module")

OUTAGE, CAUSE = "What caused the dispatch outage in March 2026?", "certificate of the service route-planner expired"
HOW_LONG, LASTED = "How long did it last?", "107 minutes"
LAPTOPS, EVERY = "회사 노트북은 몇 년마다 교체해 줘?", "4년마다"
HOTEL, RATE = "What is the limit per night for a hotel in Paris?", "230 euros"


@dataclass
class Desk:
    """The stand-in, and a process that serves it."""

    slack: SlackServer
    place: Path
    ana: User
    boss: User

    def another(self) -> AbstractAsyncContextManager[Running]:
        """One more process, over the same record and index."""
        tokens = {"SLACK_BOT_TOKEN": self.slack.bot_token, "SLACK_APP_TOKEN": self.slack.app.app_token}
        return refdesk(self.place, "serve", env={"REFDESK_SLACK_URL": self.slack.base_url, **tokens})

    def ask(self, room: Channel, text: str) -> Message:
        """Ana mentions us."""
        return self.slack.say(room, self.ana, f"{self.slack.bot_of()} {text}")

    def go_on(self, thread: Message, text: str) -> Message:
        """Ana says more in a thread."""
        return self.slack.say(thread.channel, self.ana, text, thread_ts=thread)

    async def answered(self, question: Message) -> Message:
        """Our answer, whole."""
        return await self.slack.answer_in(question, after=question, when=is_whole, seconds=30)

    async def told(self, room: Channel, user: User, text: str) -> Message:
        """What the command says to them in the end."""
        before = len(self.slack.shown_to(user))
        assert not (await self.slack.command("/refdesk", text, user, room)).lost

        def last() -> Message | None:
            return next((each for each in self.slack.shown_to(user)[before:] if each.words != "On it…"), None)

        return await self.slack.until(last, 30)  # type: ignore[no-any-return]

    async def press(self, message: Message, name: str, **more: Any) -> None:
        """Ana presses a button."""
        assert not (await self.slack.click(message, f"refdesk_{name}", self.ana, **more)).lost


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk(indexed: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    """It is connected at the beginning, and told to end at the end."""
    async with SlackServer() as slack:
        place = furnished(tmp_path_factory.mktemp("company"), indexed)
        made = Desk(slack, place, slack.user("Ana"), slack.user("Boss", admin=True))
        async with made.another() as process:
            await slack.until(lambda: slack.sockets.connections, 90)
            yield made
            await process.told_to_end(slack.bot_token, slack.app.app_token)


@pytest.fixture
def room(desk: Desk, request: pytest.FixtureRequest) -> Channel:
    """A channel of the test's own."""
    return desk.slack.channel(request.node.name[5:25].replace("_", "-"))


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def well(desk: Desk) -> AsyncIterator[None]:
    """Nothing was refused or lost."""
    yield
    await desk.slack.courier.settled()
    assert not desk.slack.refused()
    assert not any(each.lost for each in desk.slack.deliveries)


async def test_a_mention_two_follow_ups_in_two_languages_and_a_thumb_of_each_kind(desk: Desk, room: Channel) -> None:
    asked = desk.ask(room, OUTAGE)
    answer = await desk.answered(asked)
    assert CAUSE in answer.words
    assert "[1] " in answer.words
    assert answer.thread_ts == asked.ts
    assert LASTED in (await desk.answered(desk.go_on(asked, HOW_LONG))).words
    korean = await desk.answered(desk.go_on(asked, LAPTOPS))
    assert EVERY in korean.words
    assert len(desk.slack.bot_messages(room)) == len(desk.slack.bot_messages(asked)) == 3

    await desk.press(answer, "feedback", value="positive")
    await desk.press(korean, "feedback", value="negative")
    form = await desk.slack.until(lambda: desk.slack.modal_of(desk.ana))
    await desk.slack.submit(form, desk.ana, {"comment": {"comment": {"value": "다섯 해로 바뀌었습니다."}}})
    await desk.slack.until(lambda: any("기록했습니다" in each.words for each in desk.slack.shown_to(desk.ana)))
    assert "Thumbs up: 1, down: 1" in (await desk.told(room, desk.boss, "status")).words


async def test_a_private_answer_is_for_its_asker_until_it_is_shared_and_goes_on_there(
    desk: Desk, room: Channel
) -> None:
    private = await desk.told(room, desk.ana, f"ask {OUTAGE}")
    assert CAUSE in private.words
    assert not desk.slack.bot_messages(room)
    await desk.press(private, "share")
    await desk.slack.until(lambda: desk.slack.shown_to(desk.ana)[-1].words == "Shared with the channel.")
    (shared,) = desk.slack.bot_messages(room)
    assert CAUSE in shared.words
    assert "[1] " in shared.words
    assert LASTED in (await desk.answered(desk.go_on(shared, HOW_LONG))).words
    assert len(desk.slack.bot_messages(room)) == 2


async def test_a_reindex_is_one_message_that_ends_with_what_is_new_which_is_then_answered_from(
    desk: Desk, room: Channel
) -> None:
    words = "# Visitor parking\n\nVisitors park on level three of the garage in Rotterdam.\n"
    (desk.place / "docs" / "policies" / "visitor-parking.md").write_text(words, encoding="utf-8")
    assert "permission" in (await desk.told(room, desk.ana, "reindex policies")).words
    assert "this channel" in (await desk.told(room, desk.boss, "reindex policies")).words
    (report,) = desk.slack.bot_messages(room)
    await desk.slack.until(lambda: "1 added" in report.words, 60)
    assert "Visitor parking" in report.words
    assert "0 removed" in report.words
    assert len(report.versions) > 1
    assert desk.slack.bot_messages(room) == [report]
    assert "level three" in (await desk.answered(desk.ask(room, "Where do visitors park in Rotterdam?"))).words


async def test_an_edited_question_gets_another_answer_in_its_place_and_a_deleted_one_takes_it_along(
    desk: Desk, room: Channel
) -> None:
    asked = desk.ask(room, OUTAGE)
    before = await desk.answered(asked)
    desk.slack.edit(asked, f"{desk.slack.bot_of()} {HOTEL}")
    await desk.slack.until(lambda: RATE in before.words and is_whole(before), 30)
    assert CAUSE not in before.words
    assert desk.slack.bot_messages(room) == [before]
    desk.slack.delete(asked)
    await desk.slack.until(lambda: not desk.slack.bot_messages(room), 30)


async def test_two_processes_answer_once_and_the_end_of_one_costs_no_answer(desk: Desk) -> None:
    slack, rooms = desk.slack, [desk.slack.channel(f"shared-{number}") for number in range(4)]
    async with desk.another() as second:
        await slack.until(lambda: len(slack.sockets.connections) == 2, 90)
        asked = [desk.ask(room, OUTAGE) for room in rooms]
        await asyncio.gather(*map(desk.answered, asked))
        assert all(connection.envelopes for connection in slack.sockets.connections)
        asked += [desk.ask(room, HOTEL) for room in rooms]
        await slack.until(lambda: all(slack.first_sign(each) for each in asked))
        await second.told_to_end()
    answers = await asyncio.gather(*map(desk.answered, asked))
    assert [CAUSE in each.words for each in answers] == [True] * 4 + [False] * 4
    assert [RATE in each.words for each in answers] == [False] * 4 + [True] * 4
    assert [len(slack.bot_messages(each)) for each in asked] == [1] * 8
