"""A reply in Slack, whatever the channel allows and whatever breaks: one answer, whole, in its thread."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adapters.slack.private import PrivateReply
from adapters.slack.reply import SHOW_EVERY
from core.answers import Answer
from core.errors import InputError
from core.messages import SessionKey
from core.ports import Reply
from core.wording import say
from tests.slack.ground import ANSWER, CITED, Ground, opened
from tests.slack_server import DoneBut, Refused, ReplyLost, Rules, Slow, Status, TooMany

NOWHERE: frozenset[str] = frozenset()


async def test_a_status_line_then_a_stream_then_the_answer_in_the_same_message() -> None:
    async with opened() as ground:
        reply = await ground.replies.open(ground.turn())
        await reply.progress("Searching…")
        assert ground.slack.status_in(ground.question) == "Searching…"
        assert ground.said() == []
        await reply.show("It takes", final=False)
        assert ground.said()[0].is_streaming
        await asyncio.sleep(SHOW_EVERY)
        await reply.show("It takes 45 minutes [1].", final=False)
        await reply.finish(ANSWER)
        (message,) = ground.said()
        assert not message.is_streaming
        assert "It takes 45 minutes [1]." in message.words
        assert "<https://docs.test/a|Upgrades>" in message.words
        assert not ground.slack.status_in(ground.question)
        assert not ground.slack.refused()
        assert ground.recorded == [("0123456789abcdef", replace(ground.turn().target, message_ids=(message.ts,)))]


async def test_where_no_status_line_is_taken_a_placeholder_becomes_the_answer() -> None:
    async with opened(Rules(status_in=NOWHERE, streams_in=NOWHERE)) as ground:
        reply = await ground.replies.open(ground.turn())
        await reply.progress("Searching…")
        (message,) = ground.said()
        assert "Searching" in message.words
        assert "refdesk_stop" in str(message.blocks)
        await reply.show("It takes", final=False)
        await asyncio.sleep(SHOW_EVERY)
        await reply.show("It takes 45", final=False)
        assert "It takes 45" in message.words
        await reply.finish(ANSWER)
        assert [each.ts for each in ground.said()] == [message.ts]
        assert "It takes 45 minutes [1]." in message.words
        assert "refdesk_stop" not in str(message.blocks)


async def test_without_room_for_anything_but_the_end_the_end_comes() -> None:
    async with opened(Rules(status_in=NOWHERE, streams_in=NOWHERE)) as ground:
        while ground.web.budget.owe("chat.update", ground.asker.workspace):
            pass
        reply = await ground.replies.open(ground.turn())
        await reply.progress("Searching…")
        await reply.show("It takes", final=False)
        assert ground.said() == []
        await reply.finish(ANSWER)
        assert len(ground.said()) == 1


async def test_a_stream_that_slack_ends_finishes_with_the_whole_text_in_the_same_message() -> None:
    async with opened(Rules(stream_seconds=0.2)) as ground:
        reply = await ground.replies.open(ground.turn())
        await reply.show("It takes", final=False)
        await asyncio.sleep(SHOW_EVERY)
        await reply.show("It takes 45 minutes", final=False)
        await reply.show("It takes 45 minutes [1]", final=False)
        await reply.finish(ANSWER)
        (message,) = ground.said()
        assert "It takes 45 minutes [1]." in message.words


async def test_a_stream_that_somebody_stopped_ends_in_the_answer_all_the_same() -> None:
    async with opened() as ground:
        reply = await ground.replies.open(ground.turn())
        await reply.show("It takes", final=False)
        ground.slack.stop_stream(ground.said()[0])
        await asyncio.sleep(SHOW_EVERY)
        await reply.show("It takes 45 minutes", final=False)
        await reply.finish(ANSWER)
        (message,) = ground.said()
        assert "It takes 45 minutes [1]." in message.words


async def test_words_that_were_streamed_and_then_became_others_are_replaced_at_the_end() -> None:
    async with opened() as ground:
        reply = await ground.replies.open(ground.turn())
        await reply.show("Perhaps an hour", final=False)
        await asyncio.sleep(SHOW_EVERY)
        await reply.show("It takes 45 minutes", final=False)
        await reply.finish(ANSWER)
        (message,) = ground.said()
        assert "Perhaps" not in message.words


@pytest.mark.parametrize("fault", [ReplyLost(), Status(503), TooMany(1), Refused("fatal_error")])
async def test_an_answer_whose_posting_meets_trouble_stands_there_once(fault: object) -> None:
    async with opened(Rules(status_in=NOWHERE, streams_in=NOWHERE), pause=0.05) as ground:
        ground.slack.faults.add("chat.postMessage", fault, times=2)  # type: ignore[arg-type]
        reply = await ground.replies.open(ground.turn())
        await reply.progress("Searching…")
        await reply.finish(ANSWER)
        assert len(ground.said()) == 1
        assert "45 minutes" in ground.words()[0]


@pytest.mark.parametrize("fault", [ReplyLost(), DoneBut(Status(500)), DoneBut(Refused("internal_error"))])
@pytest.mark.parametrize("blind", [0, 2, 6])
async def test_a_message_that_is_there_unseen_becomes_the_answer(fault: Any, blind: int) -> None:
    """`blind`: so many calls that would find it fail."""
    async with opened(Rules(status_in=NOWHERE, streams_in=NOWHERE), pause=0.01) as ground:
        ground.slack.faults.add("chat.postMessage", fault)
        ground.slack.faults.add("conversations.replies", Status(503), times=blind or None, when=lambda _: blind > 0)
        reply = await ground.replies.open(ground.turn())
        await reply.progress("Searching…")
        await reply.progress("Writing…")
        await reply.finish(ANSWER)
        (message,) = ground.said()
        assert "45 minutes" in message.words


async def test_a_placeholder_that_is_there_unseen_is_taken_down_with_its_question() -> None:
    async with opened(Rules(status_in=NOWHERE, streams_in=NOWHERE), pause=0.01) as ground:
        ground.slack.faults.add("chat.postMessage", DoneBut(Status(500)))
        ground.slack.faults.add("conversations.replies", Status(503), times=4)
        reply = await ground.replies.open(ground.turn())
        await reply.progress("Searching…")
        await reply.finish("withdrawn")
        assert ground.said() == []


async def test_a_stream_whose_start_is_lost_on_the_way_back_leaves_no_second_message() -> None:
    async with opened() as ground:
        ground.slack.faults.add("chat.startStream", ReplyLost())
        reply = await ground.replies.open(ground.turn())
        await reply.show("It takes", final=False)
        await reply.finish(ANSWER)
        (message,) = ground.said()
        assert not message.is_streaming
        assert "45 minutes" in message.words


async def test_a_message_that_is_gone_is_posted_anew() -> None:
    async with opened(Rules(status_in=NOWHERE, streams_in=NOWHERE)) as ground:
        reply = await ground.replies.open(ground.turn())
        await reply.progress("Searching…")
        del ground.channel.messages[ground.said()[0].ts]
        await reply.finish(ANSWER)
        assert len(ground.said()) == 1


async def test_a_draft_that_was_deleted_is_not_updated_again_and_the_answer_comes_all_the_same() -> None:
    async with opened(Rules(status_in=NOWHERE, streams_in=NOWHERE)) as ground:
        reply = await ground.replies.open(ground.turn())
        await reply.progress("Searching…")
        ground.slack.delete(ground.said()[0])
        await _grown(reply)
        await reply.finish(ANSWER)
        (message,) = ground.said()
        assert "It takes 45 minutes [1]." in message.words
        assert _tried(ground, "chat.update") == 1


async def test_an_update_that_slack_refuses_is_not_tried_at_every_word() -> None:
    async with opened(Rules(status_in=NOWHERE, streams_in=NOWHERE)) as ground:
        reply = await ground.replies.open(ground.turn())
        await reply.progress("Searching…")
        ground.slack.faults.add("chat.update", Refused("cant_update_message"), times=None)
        await _grown(reply)
        assert _tried(ground, "chat.update") == 1


def _tried(ground: Ground, method: str) -> int:
    """How often it was called, whatever came of it."""
    return len([call for call in ground.slack.calls if call.method == method])


async def _grown(reply: Reply) -> None:
    """Word by word, at once."""
    for count in range(1, 30):
        await reply.show("It takes " + "a little " * count, final=False)


@pytest.mark.parametrize(
    ("code", "again"), [("invalid_thread_ts", True), ("thread_not_found", True), ("channel_type_not_supported", False)]
)
async def test_only_what_slack_refuses_for_the_whole_channel_is_not_tried_there_again(code: str, again: bool) -> None:
    signs = ("assistant.threads.setStatus", "chat.startStream")
    async with opened() as ground:
        for sign in signs:
            ground.slack.faults.add(sign, Refused(code))
        await (await ground.replies.open(ground.turn())).progress("Searching…")
        await (await ground.replies.open(ground.turn(id="1" * 16))).show("It takes", final=False)
        assert [_tried(ground, sign) for sign in signs] == [1, 1]
        later = await ground.replies.open(ground.turn(id="2" * 16))
        await later.progress("Searching…")
        await later.show("It takes", final=False)
        assert [_tried(ground, sign) > 1 for sign in signs] == [again, again]
        await later.finish(ANSWER)


async def test_an_edited_question_updates_the_same_message_and_a_deleted_one_takes_it_down() -> None:
    async with opened() as ground:
        turn = ground.turn()
        await (await ground.replies.open(turn)).finish(ANSWER)
        (message,) = ground.said()
        again = replace(turn, revision=2, target=ground.recorded[-1][1])
        reply = await ground.replies.open(again)
        await reply.progress("Searching…")
        await reply.finish(replace(ANSWER, text="It takes an hour [1]."))
        assert [each.ts for each in ground.said()] == [message.ts]
        assert "an hour" in message.words
        await (await ground.replies.open(replace(again, status="withdrawn"))).finish("withdrawn")
        assert ground.said() == []


async def test_another_process_goes_on_in_the_message_that_a_killed_one_left() -> None:
    async with opened(Rules(status_in=NOWHERE, streams_in=NOWHERE)) as ground:
        await (await ground.replies.open(ground.turn())).progress("Searching…")
        (message,) = ground.said()
        for known in (ground.recorded[-1][1], ground.turn().target):  # also when its id was not stored any more
            reply = await ground.another().open(replace(ground.turn(), attempts=2, target=known))
            await reply.finish(ANSWER)
            assert [each.ts for each in ground.said()] == [message.ts]


async def test_another_process_ends_the_stream_that_a_killed_one_left_and_goes_on_in_it() -> None:
    async with opened() as ground:
        await (await ground.replies.open(ground.turn())).show("It takes", final=False)
        (message,) = ground.said()
        assert message.is_streaming
        reply = await ground.another().open(replace(ground.turn(), attempts=2, target=ground.recorded[-1][1]))
        await reply.finish(ANSWER)
        assert [each.ts for each in ground.said()] == [message.ts]
        assert not message.is_streaming
        assert "45 minutes" in message.words


@pytest.mark.parametrize("method", ["chat.startStream", "chat.postMessage", "chat.appendStream", "chat.update"])
async def test_a_run_that_is_called_off_in_the_middle_of_a_call_leaves_no_second_message(method: str) -> None:
    streams = NOWHERE if method in ("chat.postMessage", "chat.update") else frozenset({"public"})
    async with opened(Rules(status_in=NOWHERE, streams_in=streams)) as ground:
        turn = ground.turn()
        reply = await ground.replies.open(turn)
        if method in ("chat.appendStream", "chat.update"):
            await reply.show("It", final=False)
            await asyncio.sleep(SHOW_EVERY)
        ground.slack.faults.add(method, Slow(0.3))
        showing = asyncio.create_task(reply.show("It takes", final=False))
        await asyncio.sleep(0.1)
        showing.cancel()
        again = await ground.replies.open(replace(turn, revision=2))
        await again.finish(ANSWER)
        assert showing.cancelled()
        (message,) = ground.said()
        assert not message.is_streaming
        assert "45 minutes" in message.words


async def test_a_long_answer_that_becomes_short_leaves_no_messages_behind() -> None:
    long = replace(ANSWER, text="\n\n".join(f"Paragraph {n} " + "word " * 60 + "[1]" for n in range(80)))
    async with opened() as ground:
        reply = await ground.replies.open(ground.turn())
        await reply.finish(long)
        assert len(ground.said()) == 3
        again = replace(ground.turn(), revision=2, target=ground.recorded[-1][1])
        await (await ground.replies.open(again)).finish(ANSWER)
        assert len(ground.said()) == 1
        assert not ground.slack.refused()


async def test_an_error_is_one_sentence_and_nothing_is_left_hanging() -> None:
    async with opened() as ground:
        reply = await ground.replies.open(ground.turn())
        await reply.progress("Searching…")
        await reply.finish(InputError("error.question_empty"))
        assert ground.words() == [InputError("error.question_empty").user_message("en")]
        assert not ground.slack.status_in(ground.question)


async def test_nothing_is_shown_after_the_end() -> None:
    async with opened() as ground:
        reply = await ground.replies.open(ground.turn())
        await reply.finish(ANSWER)
        calls = len(ground.slack.calls)
        await reply.progress("Late…")
        await reply.show("Late", final=False)
        assert len(ground.slack.calls) == calls


async def test_a_first_sign_and_the_answer_at_the_same_moment_are_one_message() -> None:
    async with opened(Rules(status_in=NOWHERE)) as ground:
        ground.slack.faults.add("chat.postMessage", Slow(0.3))
        greeting, answering = await ground.replies.open(ground.turn()), await ground.replies.open(ground.turn())
        await asyncio.gather(greeting.progress("On it…"), answering.finish(ANSWER))
        assert len(ground.said()) == 1


async def test_nothing_unfurls() -> None:
    async with opened() as ground:
        await (await ground.replies.open(ground.turn())).finish(ANSWER)
        assert ground.said()[0].attachments == []


async def private(ground, expires: timedelta):  # type: ignore[no-untyped-def]
    """A private question with its response address."""
    address = ground.slack.response_url(ground.channel.id, ground.asker.id)
    target = replace(
        ground.turn().target,
        visibility="private",
        thread="",
        interaction=address,
        interaction_expires=datetime.now(UTC) + expires,
    )
    key = SessionKey("slack", ground.asker.workspace, ground.channel.id, f"private/{ground.asker.id}/1")
    return ground.turn(target=target, key=key)


async def test_a_private_answer_is_seen_by_its_asker_alone() -> None:
    async with opened() as ground:
        reply = await ground.replies.open(await private(ground, timedelta(minutes=30)))
        assert isinstance(reply, PrivateReply)
        await reply.progress("On it…")
        await reply.show("It takes", final=False)
        await reply.finish(ANSWER)
        (seen,) = ground.slack.shown_to(ground.asker)
        assert "45 minutes" in seen.words
        assert "refdesk_share" in str(seen.blocks)
        assert ground.slack.bot_messages(ground.channel) == []


async def test_a_private_answer_that_comes_too_late_for_its_address_comes_as_a_direct_message() -> None:
    async with opened() as ground:
        reply = await ground.replies.open(await private(ground, timedelta(seconds=-1)))
        await reply.finish(ANSWER)
        direct = ground.slack.dm(ground.asker)
        assert "45 minutes" in ground.slack.bot_messages(direct)[0].words
        assert ground.slack.bot_messages(ground.channel) == []


async def test_the_answer_in_a_flat_direct_message_stands_beside_the_question() -> None:
    async with opened(kind="im") as ground:
        turn = ground.turn()
        flat = replace(turn, key=replace(turn.key, thread="dm"), target=replace(turn.target, thread=""))
        reply = await ground.replies.open(flat)
        await reply.progress("Searching…")
        await reply.show("It takes", final=False)
        await reply.finish(ANSWER)
        (message,) = ground.slack.bot_messages(ground.channel)
        assert message.thread_ts is None
        assert "45 minutes" in message.words
        assert not ground.slack.refused()


async def test_a_status_is_refreshed_never_after_the_end() -> None:
    async with opened() as ground:
        reply = await ground.replies.open(ground.turn())
        await reply.progress(say("status.planning", "en"))
        await reply.finish(Answer("Hello!", "direct"))
        assert not [task for task in asyncio.all_tasks() if task.get_name() == "status line" and not task.cancelling()]
        assert CITED.title not in ground.words()[0]
