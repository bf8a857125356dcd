"""A turn that another process began: what it left is found, and nothing of anybody else's is touched."""

from __future__ import annotations

from adapters.discord.looks import working
from adapters.discord.mail import ChannelMail
from core.presenting import Looks
from tests.discord.ground import ANSWER, LONG, OTHER, Ground


async def test_a_status_that_was_posted_and_not_recorded_becomes_the_answer(ground: Ground) -> None:
    await (await ground.process().open(ground.turn())).progress("On it…")
    await ground.server.until(ground.ours)
    (status,) = ground.ours()
    ground.server.rest.nonces.clear()  # it was some minutes ago
    await (await ground.process().open(ground.turn(attempts=2))).finish(ANSWER)
    (answer,) = ground.ours()
    assert answer.id == status.id
    assert "45 minutes" in answer.content


async def test_a_part_that_was_posted_and_not_recorded_is_not_there_twice(ground: Ground) -> None:
    await (await ground.process().open(ground.turn())).finish(LONG)
    whole = [each.content for each in ground.ours()]
    assert len(whole) > 2
    before = ground.recorded[1]  # of the last parts nobody knows
    ground.server.rest.nonces.clear()
    await (await ground.process().open(ground.turn(attempts=2, target=before))).finish(LONG)
    assert [each.content for each in ground.ours()] == whole


async def test_another_turn_s_message_is_left_alone(ground: Ground) -> None:
    await (await ground.process().open(ground.turn())).progress("On it…")
    await ground.server.until(ground.ours)
    mail = ChannelMail(ground.client, str(ground.question.id))
    await mail.post(working("Writing…", Looks(OTHER, "en")), "other")
    ground.server.rest.nonces.clear()
    await (await ground.process().open(ground.turn(attempts=2))).finish(ANSWER)
    first, second = ground.ours()
    assert "45 minutes" in first.content
    assert "Writing" in second.content


async def test_two_processes_at_once_post_one_message(ground: Ground) -> None:
    for process in (ground.process(), ground.process()):
        await (await process.open(ground.turn())).finish(ANSWER)
    assert len(ground.ours()) == 1


async def test_a_growing_message_is_edited_at_most_once_a_second_and_ends_whole(ground: Ground) -> None:
    reply = await ground.process().open(ground.turn())
    await reply.progress("On it…")
    for number in range(200):
        await reply.show("word " * number, final=False)
    await reply.finish(ANSWER)
    await reply.progress("Late")
    await reply.show("late", final=False)
    edits = ground.server.called("PATCH", "/channels/*/messages/*")
    assert len(edits) <= 2
    assert ground.ours()[0].content == "It takes 45 minutes."
