"""Staying connected: deaf, dropped, refreshed, refused; nothing is lost, and nothing spins."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp

from adapters.slack.envelopes import through
from adapters.slack.line import Line
from adapters.slack.lines import Lines
from adapters.slack.teams import TeamsAuthorize, TeamsByToken
from adapters.slack.watch import Watch
from adapters.slack.web import SlackRefused, SlackWeb
from core.errors import UpstreamError
from core.pulse import Pulse
from tests.slack_server import Refused, Rules, SlackServer, Status

QUICK = Rules(ack_seconds=0.5, retries=(0.05, 0.2, 0.4))


@dataclass
class Listener:
    """A Bolt app on lines, and what it heard: the text of each message, as often as it came."""

    slack: SlackServer
    web: SlackWeb
    pulse: Pulse
    lines: Lines
    heard: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def say(self, text: str) -> None:
        """Somebody writes where the app is."""
        channel = next(each for each in self.slack.world.channels.values() if each.name == "general")
        self.slack.say(channel, next(user for user in self.slack.world.users.values() if user.name == "ana"), text)

    async def until_heard(self, *texts: str, seconds: float = 5.0) -> None:
        await self.slack.until(lambda: set(texts) <= set(self.heard), seconds)

    async def until_rebuilt(self, times: int = 1, seconds: float = 5.0) -> None:
        await self.slack.until(lambda: self.pulse.rebuilt >= times, seconds)


@asynccontextmanager
async def listening(
    slack: SlackServer, app_token: str = "", quiet: float = 60.0, pauses: tuple[float, ...] = (0.0, 0.05, 0.1)
) -> AsyncIterator[Listener]:
    """Lines to a stand-in that is running."""
    if not slack.world.channels:
        slack.channel("general")
        slack.user("Ana")

    async def token(_: str) -> str:
        return slack.bot_token

    async with SlackWeb(token, slack.base_url, pause=0.01) as web:
        pulse = Pulse()
        app = AsyncApp(client=web.anonymous(), authorize=TeamsAuthorize(TeamsByToken(web)), signing_secret="")  # type: ignore[arg-type]

        def line() -> Line:
            token = app_token or slack.app.app_token
            return Line(web.anonymous(), token, through(app), pulse.heard, heartbeat=0.4, greeting=0.5)

        listener = Listener(slack, web, pulse, Lines(line, pulse, quiet, grace=1.0, pauses=pauses))

        async def hear(body: dict[str, Any], next: Any) -> None:  # as the desk does it: before the acknowledgement
            await asyncio.sleep(listener.seconds)
            listener.heard.append(body["event"].get("text", ""))
            await next()

        app.use(hear)
        async with listener.lines:
            await slack.sockets.connected()
            yield listener


async def test_a_socket_that_is_open_but_deaf_is_noticed_and_replaced() -> None:
    async with SlackServer(QUICK) as slack, listening(slack, quiet=0.4) as listener:
        slack.sockets.connections[0].deaf = True
        listener.say("anybody there?")
        await listener.until_rebuilt()
        await listener.until_heard("anybody there?")
        assert listener.pulse.connected
        assert not slack.deliveries[0].lost


async def test_a_socket_over_which_something_comes_is_left_alone() -> None:
    async with SlackServer(QUICK) as slack, listening(slack, quiet=0.5) as listener:
        for number in range(8):
            listener.say(f"message {number}")
            await asyncio.sleep(0.15)
        assert listener.pulse.rebuilt == 0
        assert listener.pulse.silence < 0.4


async def test_a_connection_that_breaks_is_replaced_and_what_was_said_meanwhile_arrives() -> None:
    async with SlackServer(QUICK) as slack, listening(slack) as listener:
        slack.sockets.drop()
        listener.say("in the gap")
        await listener.until_rebuilt(seconds=2)
        await listener.until_heard("in the gap")
        assert not any(each.lost for each in slack.deliveries)


@pytest.mark.parametrize("reason", ["warning", "refresh_requested"])
async def test_when_slack_asks_for_another_connection_no_event_has_to_be_sent_twice(reason: Any) -> None:
    async with SlackServer(QUICK) as slack, listening(slack) as listener:
        for number in range(20):
            listener.say(f"message {number}")
            if number == 10:
                await slack.sockets.disconnect(reason)
            await asyncio.sleep(0.01)
        await slack.courier.settled()
        await listener.until_heard(*(f"message {number}" for number in range(20)))
        assert [each.failures for each in slack.deliveries if each.failures] == []
        assert len(listener.heard) == 20
        assert listener.pulse.rebuilt == 1
        await slack.until(lambda: len(slack.sockets.connections) == 1)


async def test_an_acknowledgement_that_is_lost_brings_the_event_again() -> None:
    async with SlackServer(QUICK) as slack, listening(slack) as listener:
        listener.seconds = 0.15
        listener.say("once more")
        await asyncio.sleep(0.05)
        slack.sockets.drop()
        await slack.until(lambda: listener.heard.count("once more") == 2)
        await slack.courier.settled()
        assert not slack.deliveries[0].lost


async def test_slack_being_down_is_told_once_and_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    async with SlackServer(QUICK) as slack, listening(slack) as listener:
        slack.faults.add("apps.connections.open", Status(503), times=5)
        with caplog.at_level(logging.ERROR):
            slack.sockets.drop()
            await slack.until(lambda: not listener.pulse.connected)
            assert listener.pulse.trouble is not None
            await slack.until(lambda: listener.pulse.connected)
        assert listener.pulse.trouble is None
        assert len(caplog.records) == 1
        listener.say("back again")
        await listener.until_heard("back again")


async def test_connections_without_a_greeting_are_given_up_until_there_is_another(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with SlackServer(QUICK) as slack, listening(slack, pauses=(0.0, 0.02)) as listener:
        slack.sockets.greetings.extend([None, "", "[]", "7", "no JSON", '{"type": "events_api"}', "{}", None, None])
        slack.sockets.drop()
        await slack.until(lambda: not listener.pulse.connected)
        assert listener.pulse.trouble is not None
        await slack.until(lambda: listener.pulse.connected)
        assert not slack.sockets.greetings
        listener.say("here again")
        await listener.until_heard("here again")
    assert "could not be made" not in caplog.text  # foreseen, all of them


NO_TICKET = [Status(200, "<html>"), Status(200, "ok", "text/plain"), Status(503, "", "text/plain")]


@pytest.mark.parametrize("fault", NO_TICKET)
async def test_a_ticket_that_is_none_is_waited_out(fault: Status) -> None:
    async with SlackServer(QUICK) as slack, listening(slack) as listener:
        slack.faults.add("apps.connections.open", fault, times=2)
        slack.sockets.drop()
        await slack.until(lambda: not listener.pulse.connected)
        await slack.until(lambda: listener.pulse.connected)


async def test_a_bug_on_the_way_to_a_connection_ends_no_trying(caplog: pytest.LogCaptureFixture) -> None:
    async with SlackServer(QUICK) as slack, listening(slack, pauses=(0.0, 0.2)) as listener:
        making, bugs = listener.lines.line, [KeyError("url"), RuntimeError("who knows")]

        def broken() -> Line:
            if bugs:
                raise bugs.pop()
            return making()

        listener.lines.line = broken
        slack.sockets.drop()
        await slack.until(lambda: not listener.pulse.connected)
        await slack.until(lambda: listener.pulse.connected)
        assert "who knows" in caplog.text


@pytest.mark.parametrize("words", ["[]", "no JSON", "null"])
async def test_a_connection_that_brings_what_is_no_message_is_replaced(words: str) -> None:
    async with SlackServer(QUICK) as slack, listening(slack) as listener:
        await slack.sockets.connections[0].socket.send_str(words)
        await listener.until_rebuilt()
        listener.say("still there?")
        await listener.until_heard("still there?")


async def test_socket_mode_that_is_switched_off_says_what_to_do(caplog: pytest.LogCaptureFixture) -> None:
    async with SlackServer(QUICK) as slack, listening(slack) as listener:
        slack.faults.add("apps.connections.open", Refused("link_disabled"), times=None)
        with caplog.at_level(logging.ERROR):
            slack.sockets.drop()
            await slack.until(lambda: not listener.pulse.connected)
        assert "Socket Mode" in caplog.text
        slack.faults.clear()
        await slack.until(lambda: listener.pulse.connected)


async def test_a_wrong_app_token_ends_the_start_with_the_remedy() -> None:
    async with SlackServer(QUICK) as slack:
        slack.channel("general")
        for wrong in ("xapp-wrong", slack.bot_token):
            with pytest.raises(SlackRefused) as told:
                async with listening(slack, app_token=wrong):
                    pass
            assert "SLACK_APP_TOKEN" in told.value.user_message("en")
            assert wrong not in f"{told.value} {told.value.user_message('ko')}"


async def test_an_eleventh_connection_is_refused_with_the_reason() -> None:
    async with SlackServer(QUICK) as slack, listening(slack) as listener:
        spare = [listener.lines.line() for _ in range(9)]
        await asyncio.gather(*(each.open() for each in spare))
        with pytest.raises(UpstreamError) as told:
            await listener.lines.line().open()
        assert "10" in told.value.user_message("en")
        await asyncio.gather(*(each.close(0) for each in spare))


async def test_a_connection_that_ends_at_once_does_not_make_it_spin() -> None:
    async with SlackServer(QUICK) as slack, listening(slack, pauses=(0.0, 0.3, 0.6, 1.0)):
        before = slack.sockets.opened
        for _ in range(30):
            slack.sockets.drop()
            await asyncio.sleep(0.05)
        assert slack.sockets.opened - before <= 5


async def test_two_processes_share_the_events_and_lose_none() -> None:
    async with SlackServer(QUICK) as slack, listening(slack) as one, listening(slack) as other:
        await slack.sockets.connected(2)
        for number in range(10):
            one.say(f"message {number}")
        await slack.courier.settled()
        assert sorted([*one.heard, *other.heard]) == sorted(f"message {number}" for number in range(10))
        assert one.heard
        assert other.heard


async def test_the_end_waits_for_what_came_in() -> None:
    async with SlackServer(QUICK) as slack:
        async with listening(slack) as listener:
            listener.seconds = 0.2
            listener.say("just before")
            await asyncio.sleep(0.05)
        assert listener.heard == ["just before"]
        await slack.courier.settled()
        assert slack.deliveries[0].failures == []
        assert slack.sockets.connections == []
        assert not listener.pulse.connected


async def test_what_nobody_listens_for_is_acknowledged_all_the_same() -> None:
    async with SlackServer(QUICK) as slack, listening(slack):
        slack.react(slack.say(slack.channel("other"), slack.user("Ben"), "hello"), "wave", slack.user("Cy"))
        await slack.courier.settled()
        assert [each.failures for each in slack.deliveries if each.failures] == []


async def test_a_token_revoked_while_connected_is_noticed_and_told_once(caplog: pytest.LogCaptureFixture) -> None:
    async with SlackServer(QUICK) as slack, listening(slack) as listener:
        watch = Watch(listener.web, listener.pulse, every=0.02)
        slack.faults.add("auth.test", Refused("token_revoked"), times=None)
        with caplog.at_level(logging.ERROR):
            async with watch:
                await slack.until(lambda: listener.pulse.refusal)
                await asyncio.sleep(0.2)
                assert len(caplog.records) == 1
                assert "install the app again" in caplog.text
                slack.faults.clear()
                await slack.until(lambda: listener.pulse.trouble is None)


async def test_a_bug_while_looking_ends_no_looking() -> None:
    bugs = [KeyError("token"), RuntimeError("who knows")]

    async def token(_: str) -> str:
        if bugs:
            raise bugs.pop()
        return "xoxb-wrong"

    pulse = Pulse()
    async with (
        SlackServer(QUICK) as slack,
        SlackWeb(token, slack.base_url) as web,
        Watch(web, pulse, every=0.02),
    ):
        await slack.until(lambda: pulse.refusal)
