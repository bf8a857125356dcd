"""Calls to Slack: patient with what passes, within the budget, and with an error that says what to do."""

from __future__ import annotations

import asyncio
import itertools
import logging
from dataclasses import replace
from typing import Any

import pytest

from adapters.slack.aside import Aside
from adapters.slack.budget import Budget
from adapters.slack.places import Where
from adapters.slack.posts import SlackPosts
from adapters.slack.web import SlackRefused, SlackUnsure
from core.errors import UpstreamError
from tests.slack.ground import Ground, opened
from tests.slack_server import DoneBut, Refused, ReplyLost, Reset, Slow, Status, TooMany


async def asked(ground: Ground, method: str = "users.info", **more: Any) -> dict[str, Any]:
    """One call about the asker."""
    given = {"user": ground.asker.id} if method == "users.info" else {"channel": ground.channel.id, "text": "hi"}
    return await ground.web.call(method, ground.asker.workspace, **given, **more)


ODD = Status(200, "<html>sign in</html>"), Status(200, "ok", "text/plain"), Status(200, "[]", "application/json")


@pytest.mark.parametrize("fault", [Status(500), Status(503), Reset(), ReplyLost(), Refused("internal_error"), *ODD])
async def test_what_passes_is_tried_again(fault: Any) -> None:
    async with opened(pause=0.01) as ground:
        ground.slack.faults.add("users.info", fault, times=2)
        assert (await asked(ground))["user"]["id"] == ground.asker.id


@pytest.mark.parametrize("fault", [Status(502), Reset(), Refused("fatal_error")])
async def test_what_does_not_pass_ends_in_a_sentence_for_people(fault: Any) -> None:
    async with opened(pause=0.01) as ground:
        ground.slack.faults.add("users.info", fault, times=None)
        with pytest.raises(UpstreamError) as told:
            await asked(ground)
        assert "Slack can't be reached" in told.value.user_message("en")
        assert len([each for each in ground.slack.calls if each.method == "users.info"]) == 4


async def test_the_whole_retry_after_is_honoured_not_its_first_digit() -> None:
    async with opened() as ground:
        ground.slack.faults.add("users.info", TooMany(30))
        call = asyncio.ensure_future(asked(ground))
        await ground.slack.until(lambda: ground.slack.calls)
        await asyncio.sleep(0.05)
        left = ground.web.budget.wait("users.info", ground.asker.workspace)
        assert 29 < left <= 30
        assert ground.web.budget.wait("users.info", "T2") == 0
        assert await ground.web.now("users.info", ground.asker.workspace, user=ground.asker.id) is None
        call.cancel()


async def test_a_short_wait_is_waited_out() -> None:
    async with opened() as ground:
        ground.slack.faults.add("users.info", TooMany(1))
        began = asyncio.get_running_loop().time()
        await asked(ground)
        assert 1.0 <= asyncio.get_running_loop().time() - began < 3.0


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("not_in_channel", "not in that channel"),
        ("channel_not_found", "not in that channel"),
        ("is_archived", "archived"),
        ("token_revoked", "install"),
        ("invalid_auth", "install"),
        ("account_inactive", "install"),
        ("restricted_action", "rules of this workspace"),
        ("msg_too_long", "Slack refused that (msg_too_long"),
    ],
)
async def test_refusals_say_what_can_be_done(code: str, sentence: str) -> None:
    async with opened() as ground:
        ground.slack.faults.add("chat.postMessage", Refused(code))
        with pytest.raises(SlackRefused) as told:
            await asked(ground, "chat.postMessage")
        assert told.value.code == code
        assert sentence in told.value.user_message("en")
        assert len(ground.slack.calls) == 1


async def test_a_missing_scope_is_named() -> None:
    async with opened() as ground:
        install = ground.slack.world.installed(ground.asker.workspace)
        assert install is not None
        install.scopes.discard("users:read")
        with pytest.raises(SlackRefused) as told:
            await asked(ground)
        assert "users:read" in told.value.user_message("en")


UNSURE = ReplyLost(), *map(DoneBut, (Status(500), Status(503), Refused("internal_error"), Refused("fatal_error"), *ODD))


@pytest.mark.parametrize("how", ["call", "now"])
@pytest.mark.parametrize("fault", UNSURE)
async def test_what_would_be_seen_twice_is_not_tried_again_when_nobody_knows(fault: Any, how: str) -> None:
    async with opened() as ground:
        ground.slack.faults.add("chat.postMessage", fault)
        with pytest.raises(SlackUnsure):
            await getattr(ground.web, how)(
                "chat.postMessage", ground.asker.workspace, channel=ground.channel.id, text="hi"
            )
        assert len(ground.slack.bot_messages(ground.channel)) == 1


@pytest.mark.parametrize("fault", [Status(503), Refused("internal_error"), Reset(), DoneBut(Status(500))])
@pytest.mark.parametrize("kind", ["public", "im"])
async def test_a_note_that_nobody_can_look_for_is_told_rather_twice_than_never(fault: Any, kind: str) -> None:
    in_no_time = Budget(itertools.count(0.0, 2.0).__next__)
    async with opened(kind=kind, pause=0.01, budget=in_no_time) as ground:
        for method in ("chat.postEphemeral", "chat.postMessage"):
            ground.slack.faults.add(method, fault)
        target = ground.turn().target
        await SlackPosts(ground.web).note(
            replace(target, thread="" if kind == "im" else target.thread), "Good to know."
        )
        shown = ground.slack.shown_to(ground.asker) or ground.slack.bot_messages(ground.channel)
        assert "Good to know" in shown[-1].words
        aside = Aside(ground.web, Where(ground.asker.workspace, ground.channel.id, ground.asker.id))
        for method in ("chat.postEphemeral", "chat.postMessage"):
            ground.slack.faults.add(method, fault)
        await aside.say("Between us.")
        shown = ground.slack.shown_to(ground.asker) or ground.slack.bot_messages(ground.channel)
        assert "Between us" in shown[-1].words


async def test_a_slack_that_does_not_answer_is_given_up() -> None:
    async with opened(timeout=0.2, tries=1, pause=0.01) as ground:
        ground.slack.faults.add("users.info", Slow(5), times=None)
        with pytest.raises(UpstreamError):
            await asked(ground)


async def test_calls_that_can_be_left_out_are_left_out_when_there_is_trouble() -> None:
    async with opened() as ground:
        for fault in (Status(500), TooMany(1), Reset(), Refused("fatal_error")):
            ground.slack.faults.add("users.info", fault)
            assert await ground.web.now("users.info", ground.asker.workspace, user=ground.asker.id) is None
            ground.web.budget.hold("users.info", "nobody", 0)
            if isinstance(fault, TooMany):
                await asyncio.sleep(1.05)
        assert len(ground.slack.calls) == 4


async def test_tokens_are_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    async with opened(pause=0.01) as ground:
        with caplog.at_level(logging.DEBUG):
            ground.slack.faults.add("users.info", Refused("invalid_auth"))
            with pytest.raises(SlackRefused) as told:
                await asked(ground)
        assert ground.slack.bot_token not in caplog.text
        assert ground.slack.bot_token not in repr(told.value) + str(told.value)
