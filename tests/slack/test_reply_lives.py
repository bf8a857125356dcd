"""A reply whose run others end, take over or stop: nothing of it goes on, nothing stands there twice, nothing hangs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.slack.budget import PER_MINUTE
from adapters.slack.reply import SHOW_EVERY, SlackReply
from core.errors import InputError, TurnTaken, UpstreamRefused
from core.messages import Turn
from tests.slack.ground import ANSWER, Ground, opened
from tests.slack_server import DoneBut, Refused, ReplyLost, Rules, Status

NOWHERE: frozenset[str] = frozenset()
LONG = replace(ANSWER, text="\n\n".join(f"Paragraph {n} " + "word " * 60 + "[1]" for n in range(45)))


def kept_up() -> list[asyncio.Task[None]]:
    """The status lines that go on."""
    return [task for task in asyncio.all_tasks() if task.get_name() == "status line" and not task.cancelling()]


def room(ground: Ground) -> int:
    """How many calls may still be owed."""
    return sum(ground.web.budget.owe("chat.update", ground.asker.workspace) for _ in range(PER_MINUTE["chat.update"]))


async def opened_by_run(ground: Ground, turn: Turn) -> SlackReply:
    reply = await ground.replies.open(turn)
    assert isinstance(reply, SlackReply)
    return reply


async def test_a_reply_that_nobody_here_is_at_keeps_no_status_line_up_and_owes_nothing() -> None:
    async with opened(Rules(streams_in=NOWHERE)) as ground:
        run = ground.turn(attempts=1)
        reply = await opened_by_run(ground, run)
        await reply.progress("Searching…")
        await reply.show("It takes", final=False)
        assert len(kept_up()) == 1
        ground.replies.let_go(run)
        assert kept_up() == []
        assert room(ground) == PER_MINUTE["chat.update"] - 1  # the one that showed the words


async def test_a_first_sign_alone_is_not_kept_up_since_another_process_may_answer() -> None:
    async with opened() as ground:
        await (await ground.replies.open(ground.turn())).progress("On it…")
        assert ground.slack.status_in(ground.question) == "On it…"
        assert kept_up() == []
        await (await ground.replies.open(ground.turn(attempts=1))).progress("Searching…")
        assert len(kept_up()) == 1
        ground.replies.let_go(ground.turn(attempts=1))


async def test_the_end_of_an_older_run_does_not_take_the_reply_from_the_newer_one() -> None:
    async with opened() as ground:
        old = ground.turn(attempts=1)
        await ground.replies.open(old)
        new = replace(old, revision=2)
        reply = await ground.replies.open(new)
        await reply.progress("Searching…")
        ground.replies.let_go(old)
        assert len(kept_up()) == 1
        assert await ground.replies.open(new) is reply
        ground.replies.let_go(new)


async def test_a_reply_that_was_begun_here_and_answered_elsewhere_goes_on_in_that_answer() -> None:
    async with opened() as ground:
        ground.slack.faults.add("conversations.replies", Refused("missing_scope"), None)  # the record tells, too
        await (await ground.replies.open(ground.turn())).progress("On it…")
        await (await ground.another().open(ground.turn(attempts=1, owner="b"))).finish(ANSWER)
        edited = ground.turn(revision=2, target=ground.recorded[-1][1])
        await (await ground.replies.open(edited)).finish(replace(ANSWER, text="It takes an hour [1]."))
        (message,) = ground.said()
        assert "an hour" in message.words


@pytest.mark.parametrize("how", ["first sign", "stream", "answer"])
async def test_what_is_posted_on_a_turn_that_was_taken_over_meanwhile_is_taken_away_again(how: str) -> None:
    async with opened(Rules(status_in=NOWHERE)) as ground:
        slow = await ground.replies.open(ground.turn(attempts=1, owner="a"))
        ground.owner = "b"
        mine = {
            "first sign": lambda: slow.progress("Searching…"),
            "stream": lambda: slow.show("It takes", final=False),
            "answer": lambda: slow.finish(ANSWER),
        }[how]()
        with pytest.raises(TurnTaken):
            await mine
        assert ground.said() == []
        await (await ground.another().open(ground.turn(attempts=2, owner="b"))).finish(ANSWER)
        with pytest.raises(TurnTaken):
            await slow.finish(ANSWER)
        (message,) = ground.said()
        assert ground.recorded[-1][1].message_ids == (message.ts,)


@pytest.mark.parametrize("known", [0, 1])
async def test_another_try_takes_up_every_part_that_is_there_whichever_are_on_record(known: int) -> None:
    async with opened() as ground:
        await (await ground.replies.open(ground.turn(attempts=1))).finish(LONG)
        parts = [each.ts for each in ground.said()]
        ground.replies.let_go(ground.turn(attempts=1))
        target = replace(ground.turn().target, message_ids=tuple(parts[:known]))
        await (await ground.replies.open(ground.turn(attempts=2, target=target))).finish(LONG)
        assert [each.ts for each in ground.said()] == parts


async def test_another_try_in_this_process_looks_as_well_although_it_remembers_the_reply() -> None:
    async with opened(Rules(status_in=NOWHERE, streams_in=NOWHERE), pause=0.01, tries=1) as ground:
        ground.slack.faults.add("chat.postMessage", ReplyLost())
        ground.slack.faults.add("conversations.replies", Status(503), times=4)
        reply = await ground.replies.open(ground.turn(attempts=1))
        with pytest.raises(Exception, match="slack_down"):
            await reply.finish(ANSWER)
        await (await ground.replies.open(ground.turn(attempts=2))).finish(ANSWER)
        assert len(ground.said()) == 1


async def test_ours_are_found_among_hundreds_of_messages_that_came_before_and_after() -> None:
    async with opened() as ground:
        for number in range(210):
            ground.slack.say(ground.channel, ground.asker, f"before {number}", thread_ts=ground.question)
        ground.question = ground.slack.say(ground.channel, ground.asker, "how long?", thread_ts=ground.question)
        for number in range(210):
            ground.slack.say(ground.channel, ground.asker, f"after {number}", thread_ts=ground.question)
        await (await ground.replies.open(ground.turn(attempts=1))).finish(ANSWER)
        await (await ground.another().open(ground.turn(attempts=2))).finish(ANSWER)
        assert len(ground.said()) == 1


@pytest.mark.parametrize("code", ["msg_too_long", "invalid_blocks", "restricted_action"])
async def test_an_end_that_is_refused_leaves_no_work_in_progress_behind(code: str) -> None:
    async with opened(Rules(streams_in=NOWHERE)) as ground:
        ground.slack.faults.add("chat.postMessage", Refused(code), None, lambda args: args["channel"] != "D")
        reply = await ground.replies.open(ground.turn(attempts=1))
        await reply.progress("Searching…")
        with pytest.raises(UpstreamRefused):
            await reply.finish(ANSWER)
        assert not ground.slack.status_in(ground.question)
        assert kept_up() == []


async def test_who_asked_can_be_told_alone_where_nothing_may_be_posted() -> None:
    async with opened() as ground:
        here = ground.channel.id
        ground.slack.faults.add("chat.postMessage", Refused("restricted_action"), None, lambda a: a["channel"] == here)
        reply = await ground.replies.open(ground.turn(attempts=1))
        with pytest.raises(UpstreamRefused) as caught:
            await reply.finish(ANSWER)
        await reply.whisper(caught.value)
        (told,) = ground.slack.bot_messages(ground.slack.dm(ground.asker))
        assert caught.value.user_message("en") in told.words
        assert ground.said() == []


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_a_question_that_waits_says_so_until_it_begins_whatever_becomes_of_the_one_before(
    elsewhere: bool,
) -> None:
    async with opened() as ground:
        first, run = ground.question, ground.turn(id="first", attempts=1)
        await (await ground.replies.open(run)).progress("Searching…")
        second = ground.slack.say(ground.channel, ground.asker, "and how far?", thread_ts=first)
        waits = ground.turn(id="second", identity=f"{second.channel}:{second.ts}")
        await (await ground.replies.open(waits)).queued("It is next…")
        await (await ground.replies.open(run)).progress("Writing…")
        (message,) = ground.said()
        assert "It is next" in message.words
        assert ground.slack.status_in(first) == "Writing…"
        await (await ground.replies.open(run)).finish(replace(ANSWER, text="It takes a day [1]."))
        replies = ground.another() if elsewhere else ground.replies
        reply = await replies.open(replace(waits, attempts=1, target=ground.recorded[0][1]))
        await reply.progress("Searching…")
        await reply.finish(ANSWER)
        words = ground.words()
        assert len(words) == 2
        assert ["45 minutes" in each for each in words] == ([True, False] if elsewhere else [False, True])
        assert not any("It is next" in each for each in words)


@pytest.mark.parametrize("what", ["edited", "deleted"])
async def test_a_waiting_question_that_is_edited_or_deleted_leaves_the_stream_of_the_one_before_alone(
    what: str,
) -> None:
    async with opened() as ground:
        second = ground.slack.say(ground.channel, ground.asker, "and how far?", thread_ts=ground.question)
        first = await ground.replies.open(ground.turn(id="first", attempts=1))
        await first.show("It takes", final=False)
        (stream,) = ground.said()
        revised = ground.turn(id="second", identity=f"{second.channel}:{second.ts}", revision=2)
        reply = await ground.replies.open(revised)
        await (reply.queued("It is next…") if what == "edited" else reply.finish("withdrawn"))
        assert stream.is_streaming
        assert ground.said()[0] is stream


async def test_where_there_is_no_room_for_a_message_the_status_line_says_that_it_waits() -> None:
    async with opened() as ground:
        room(ground)
        await (await ground.replies.open(ground.turn())).queued("It is next…")
        assert ground.said() == []
        assert ground.slack.status_in(ground.question) == "It is next…"


async def test_slacks_own_stop_on_a_stream_stops_the_run() -> None:
    async with opened() as ground:
        reply = await ground.replies.open(ground.turn(attempts=1))
        await reply.show("It takes", final=False)
        ground.slack.stop_stream(ground.said()[0])
        await asyncio.sleep(SHOW_EVERY)
        await reply.show("It takes 45 minutes", final=False)
        assert ground.stopped == [ground.turn().id]
        await reply.finish(replace(ANSWER, text="It takes 45", notes=("Stopped.",)))
        (message,) = ground.said()
        assert "It takes 45" in message.words


async def test_a_stream_that_slack_itself_ended_stops_nothing() -> None:
    async with opened(Rules(stream_seconds=0.1)) as ground:
        reply = await ground.replies.open(ground.turn(attempts=1))
        await reply.show("It takes", final=False)
        await asyncio.sleep(SHOW_EVERY)
        await reply.show("It takes 45 minutes", final=False)
        assert ground.stopped == []


async def test_a_message_whose_posting_slack_failed_after_all_is_not_posted_again_by_the_next_try() -> None:
    async with opened(Rules(status_in=NOWHERE, streams_in=NOWHERE), pause=0.01) as ground:
        ground.slack.faults.add("chat.postMessage", DoneBut(Status(500)))
        reply = await ground.replies.open(ground.turn(attempts=1))
        await reply.progress("Searching…")
        ground.replies.let_go(ground.turn(attempts=1))
        again = await ground.replies.open(ground.turn(attempts=2))
        await again.finish(InputError("error.question_empty"))
        assert len(ground.said()) == 1


async def test_a_private_answer_that_was_sent_before_its_process_was_killed_is_not_sent_again() -> None:
    async with opened() as ground:
        address = ground.slack.response_url(ground.channel.id, ground.asker.id)
        until = datetime.now(UTC) + timedelta(minutes=30)
        about = {"visibility": "private", "thread": "", "interaction": address, "interaction_expires": until}
        turn = ground.turn(attempts=1, target=replace(ground.turn().target, **about))
        await (await ground.replies.open(turn)).finish(ANSWER)
        again = replace(turn, attempts=2, target=ground.recorded[-1][1])
        await (await ground.another().open(again)).finish(ANSWER)
        assert len(ground.slack.shown_to(ground.asker)) == 1
        assert ground.slack.bot_messages(ground.slack.dm(ground.asker)) == []
