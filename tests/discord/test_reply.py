"""The life of a reply whose calls are lost, hang or are refused: in the end one answer is there, whole, or none."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from adapters.discord.looks import DiscordMessage
from adapters.discord.mail import ChannelMail
from adapters.discord.patience import Patience
from adapters.discord.posts import DiscordPosts
from adapters.discord.reply import DiscordReply
from adapters.discord.rooms import Rooms
from adapters.discord.trouble import TOO_OLD, DiscordRefused
from core.answers import Answer
from core.errors import TurnTaken, UpstreamRefused
from core.messages import ReplyTarget
from tests.discord.ground import ANSWER, EDITS, LONG, PAUSES, POSTS, Ground, opened
from tests.discord_server.faults import Fault
from tests.discord_server.server import DiscordServer

HANGS, QUICK = Fault(method="POST", path=POSTS, delay=5.0), Patience(answered_in=0.2)
NEWER = Answer(LONG.text.replace("Paragraph", "Section"), "supported")
BLOCKED = 200_000
"""Discord's AutoMod won't have these words."""


async def lost_status(ground: Ground) -> DiscordReply:
    """A reply whose status message stands there, and that was never told so."""
    ground.server.faults.extend([Fault(method="POST", path=POSTS, lost=True)] * (len(PAUSES) + 1))
    reply = await ground.process().open(ground.turn())
    await reply.progress("On it…")
    await ground.server.until(lambda: not ground.server.faults)
    await ground.server.until(ground.ours)
    return reply


@pytest.mark.parametrize("fault", [Fault(hang_up=True), Fault(lost=True), Fault(status=503)])
async def test_an_answer_is_taken_down_also_when_a_call_is_lost(ground: Ground, fault: Fault) -> None:
    reply = await ground.process().open(ground.turn())
    await reply.finish(LONG)
    assert len(ground.ours()) > 1
    ground.server.faults.extend([replace(fault, method="DELETE", path=EDITS)] * 2)
    await reply.finish("withdrawn")
    assert ground.ours() == []


@pytest.mark.parametrize("remembered", [True, False])
async def test_a_status_of_which_nobody_was_told_becomes_the_answer(ground: Ground, remembered: bool) -> None:
    reply = await lost_status(ground)
    if not remembered:
        ground.server.rest.nonces.clear()  # some minutes later
    await reply.finish(ANSWER)
    assert ground.words() == ["It takes 45 minutes."]
    assert ground.recorded[-1].message_ids == (str(ground.ours()[0].id),)


async def test_a_status_of_which_nobody_was_told_goes_with_its_question(ground: Ground) -> None:
    reply = await lost_status(ground)
    await reply.finish("withdrawn")
    assert ground.ours() == []


async def test_what_a_process_that_is_no_more_has_posted_goes_with_its_question(ground: Ground) -> None:
    await lost_status(ground)
    await (await ground.process().open(ground.turn())).finish("withdrawn")
    assert ground.ours() == []


async def test_one_nonce_is_one_message_whatever_it_says(ground: Ground) -> None:
    mail = ChannelMail(ground.client, str(ground.general.id))
    first = await mail.post(DiscordMessage("On it…"), "the-same")
    assert await mail.post(DiscordMessage("It takes 45 minutes."), "the-same") == first
    assert ground.general.texts[1:] == ["It takes 45 minutes."]


@pytest.mark.parametrize("seconds", [0.0, 0.1, 0.35])
async def test_a_run_that_is_called_off_in_the_middle_of_a_call_leaves_no_second_message(
    ground: Ground, seconds: float
) -> None:
    ground.server.faults.append(Fault(method="POST", path=POSTS, delay=0.3))
    process = ground.process()
    await (await process.open(ground.turn())).progress("On it…")
    await asyncio.sleep(seconds)
    process.let_go(ground.turn())
    await (await process.open(ground.turn(revision=2))).finish(ANSWER)
    await asyncio.sleep(max(0.0, 0.4 - seconds))
    assert ground.words() == ["It takes 45 minutes."]


async def test_an_end_that_is_called_off_is_not_left_half_done(ground: Ground) -> None:
    reply = await ground.process().open(ground.turn())
    ground.server.faults.append(Fault(method="POST", path=POSTS, delay=0.2))
    ending = asyncio.create_task(reply.finish(ANSWER))
    await asyncio.sleep(0.05)
    ending.cancel()
    await asyncio.gather(ending, return_exceptions=True)
    assert ending.cancelled()
    assert ground.recorded[-1].message_ids == (str(ground.ours()[0].id),)


async def test_a_call_that_hangs_is_given_up_and_asked_again(server: DiscordServer) -> None:
    async with opened(server, QUICK) as ground:
        server.faults.append(HANGS)
        reply = await ground.process().open(ground.turn())
        async with asyncio.timeout(2):
            await reply.finish(ANSWER)
        assert ground.words() == ["It takes 45 minutes."]


async def test_nothing_waits_for_a_status_or_for_the_sign_that_we_type(server: DiscordServer) -> None:
    async with opened(server, QUICK) as ground:
        server.faults.extend([HANGS, replace(HANGS, path="/channels/*/typing")])
        reply = await ground.process().open(ground.turn())
        async with asyncio.timeout(0.1):
            await reply.progress("On it…")
            await reply.show("It takes", final=False)
        await server.until(lambda: server.called("POST", "/channels/*/typing"))
        async with asyncio.timeout(1):
            await reply.finish(ANSWER)
        assert ground.words() == ["It takes 45 minutes."]


async def test_what_is_refused_gives_way_to_the_reason(ground: Ground) -> None:
    reply = await ground.process().open(ground.turn())
    await reply.progress("On it…")
    await ground.server.until(ground.ours)
    ground.server.faults.append(Fault(400, BLOCKED, method="PATCH", path=EDITS))
    with pytest.raises(UpstreamRefused) as refused:
        await reply.finish(ANSWER)
    await reply.finish(refused.value)
    (told,) = ground.ours()
    assert told.content == refused.value.user_message("en")
    assert not told.components
    await reply.whisper(refused.value)
    assert refused.value.user_message("en") in ground.ana.dm.texts[0]


async def test_where_not_even_the_reason_is_taken_nothing_says_that_we_are_at_it(ground: Ground) -> None:
    reply = await ground.process().open(ground.turn())
    await reply.progress("On it…")
    await ground.server.until(ground.ours)
    ground.server.faults.extend([Fault(400, BLOCKED, method="PATCH", path=EDITS)] * 2)
    with pytest.raises(DiscordRefused) as refused:
        await reply.finish(ANSWER)
    with pytest.raises(DiscordRefused):
        await reply.finish(refused.value)
    assert ground.ours() == []


async def test_where_nothing_may_be_written_is_asked_for_one_end(ground: Ground) -> None:
    ground.server.faults.extend([Fault(403, 50001, method="POST", path=POSTS)] * 3)
    reply = await ground.process().open(ground.turn())
    with pytest.raises(DiscordRefused) as refused:
        await reply.finish(ANSWER)
    with pytest.raises(DiscordRefused):
        await reply.finish(refused.value)
    assert len(ground.server.called("POST", POSTS)) == 1


async def test_a_turn_that_somebody_else_took_leaves_nothing_that_they_do_not_find(ground: Ground) -> None:
    ground.taken_after = 1
    reply = await ground.process().open(ground.turn())
    with pytest.raises(TurnTaken):
        await reply.finish(LONG)
    assert len(ground.ours()) == 1


async def test_an_answer_too_old_to_be_changed_goes_when_the_new_one_stands(ground: Ground) -> None:
    process = ground.process()
    await (await process.open(ground.turn())).finish(ANSWER)
    (old,) = ground.ours()
    ground.server.faults.append(Fault(400, TOO_OLD, method="PATCH", path=EDITS))
    await (await process.open(ground.turn(revision=2))).finish(replace(ANSWER, text="It takes an hour."))
    (new,) = ground.ours()
    assert new.id != old.id
    assert new.content == "It takes an hour."
    assert ground.recorded[-1].message_ids == (str(new.id),)


@pytest.mark.parametrize("taken", [True, False])
async def test_the_parts_of_an_answer_stand_in_their_order(ground: Ground, taken: bool) -> None:
    process = ground.process()
    await (await process.open(ground.turn())).finish(LONG)
    first, second, *_ = ground.ours()
    if taken:
        ground.server.backend.delete_message(ground.question.id, second.id)
    else:
        # The first is changed; the second can't be.
        ground.server.faults.extend([Fault(method="PATCH", path=f"/channels/*/messages/{first.id}")])
        ground.server.faults.extend([Fault(400, TOO_OLD, method="PATCH", path=f"/channels/*/messages/{second.id}")])
    await (await process.open(ground.turn(revision=2))).finish(NEWER)
    words = "".join(ground.words())
    assert [words.index(f"Section {number} ") for number in range(20)] == sorted(
        words.index(f"Section {number} ") for number in range(20)
    )
    assert "Paragraph" not in words
    assert words.count("Section") == 20
    assert ground.ours()[0].id == first.id


async def test_a_shorter_report_leaves_nothing_of_the_longer_one(ground: Ground) -> None:
    posts, place = DiscordPosts(Rooms(ground.client)), ReplyTarget("discord", "1", str(ground.general.id), "")
    long = await posts.post(place, LONG.text)
    assert len(long.message_ids) > 2
    short = await posts.post(long, "All is done.")
    assert short.message_ids == long.message_ids[:1]
    assert ground.general.texts[1:] == ["All is done."]


async def test_a_report_of_which_a_part_was_removed_stands_in_order(ground: Ground) -> None:
    posts, place = DiscordPosts(Rooms(ground.client)), ReplyTarget("discord", "1", str(ground.general.id), "")
    first = await posts.post(place, LONG.text)
    ground.server.backend.delete_message(ground.general.id, int(first.message_ids[0]))
    second = await posts.post(first, NEWER.text)
    words = "".join(ground.general.texts[1:])
    assert words.count("Section") == 20
    assert "Paragraph" not in words
    assert words.index("Section 0 ") < words.index("Section 19 ")
    assert len(second.message_ids) == len(first.message_ids)


async def test_a_process_that_ends_shows_nothing_any_more(ground: Ground) -> None:
    process = ground.process()
    ground.server.faults.append(Fault(method="POST", path=POSTS, delay=0.2))
    await (await process.open(ground.turn())).progress("On it…")
    await ground.server.until(lambda: ground.server.called("POST", POSTS))
    await process.close()
    await asyncio.sleep(0.3)
    assert ground.recorded == []
