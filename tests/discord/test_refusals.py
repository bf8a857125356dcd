"""What goes wrong while a reply is made: refused, lost, closed, deleted, too often. Nothing is lost or doubled."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.discord.looks import DiscordMessage
from adapters.discord.mail import InteractionMail
from tests.discord.test_commands import button
from tests.discord.town import Town, opened_town
from tests.discord_server.faults import Fault, Limit
from tests.slack.town import LEAVE, Home
from tests.slack.voices import speaking

QUESTION = "how many days of annual leave?"


async def test_where_no_thread_may_be_opened_the_channel_gets_the_answer(town: Town) -> None:
    town.acme.bot_may_not("create_public_threads")
    asked = town.ask(QUESTION)
    (answer,) = await town.answered(town.general.id)
    assert LEAVE in answer.content
    assert answer.reference is not None
    assert str(answer.reference["message_id"]) == str(asked.id)


async def test_where_nothing_may_be_written_the_asker_is_told_directly(town: Town) -> None:
    town.acme.bot_may_not("send_messages", "send_messages_in_threads")
    asked = town.ask(QUESTION)
    (told,) = await town.answered(town.ana.dm.id)
    assert "may not write" in told.content
    refused = [call for call in town.discord.calls if call.status == 403]
    assert len(refused) <= 4
    assert town.general.threads == []
    assert (await town.ended(asked)).status == "failed"


async def test_where_no_thread_may_be_written_in_the_channel_gets_the_answer(town: Town) -> None:
    town.acme.bot_may_not("send_messages_in_threads")
    town.discord.faults.append(Fault(403, 50007, method="POST", path=f"/channels/{town.ana.dm.id}/messages"))
    asked = town.ask(QUESTION)
    (answer,) = await town.answered(town.general.id)
    assert LEAVE in answer.content
    assert str(answer.reference["message_id"]) == str(asked.id)
    assert town.general.threads == []


async def test_a_thread_in_which_nothing_may_be_written_after_all_is_not_left_empty(town: Town) -> None:
    refused = Fault(403, 50013, method="POST", path="/channels/*/messages")
    town.discord.faults.append(refused)
    town.ask(QUESTION)
    (answer,) = await town.answered(town.general.id)
    assert LEAVE in answer.content
    assert town.general.threads == []


async def test_what_discord_takes_in_no_form_is_told_to_the_asker_directly(town: Town) -> None:
    refused = Fault(400, 200_000, method="PATCH", path="/channels/*/messages/*")  # AutoMod won't have the words
    town.discord.faults.extend([refused] * 3)
    asked = town.ask(QUESTION)
    (told,) = await town.answered(town.ana.dm.id)
    assert "Discord" in told.content
    assert (await town.ended(asked)).status == "failed"
    assert town.ours(asked.id) == []


async def test_another_program_is_told_of_no_error_anywhere(town: Town) -> None:
    robot = town.acme.person("Robot", bot=True)
    town.discord.faults.extend([Fault(400, 200_000, method="PATCH", path="/channels/*/messages/*")] * 2)
    asked = town.ask(QUESTION, person=robot)
    assert (await town.ended(asked)).status == "failed"
    assert town.ours(asked.id) == []
    assert town.discord.called("POST", "/users/@me/channels") == []


async def test_a_message_whose_answer_was_lost_is_not_there_twice(town: Town) -> None:
    town.discord.faults.append(Fault(method="POST", path="/channels/*/messages", lost=True))
    asked = town.ask(QUESTION)
    (answer,) = await town.answered(asked.id)
    assert LEAVE in answer.content
    await town.calm()
    assert len(town.ours(asked.id)) == 1


async def test_a_private_message_whose_answer_was_lost_is_not_there_twice(town: Town) -> None:
    for method, path in (("POST", "/webhooks/*/*"), ("PATCH", "/webhooks/*/*/messages/*")):
        town.discord.faults.append(Fault(method=method, path=path, lost=True))
    asked = await town.ana.slash(town.general, "ask", question=QUESTION).acknowledged()
    await asked.until(lambda: asked.message and LEAVE in asked.message.content, 15)
    await town.calm()
    assert len(town.ours(town.general.id)) == 1


async def test_a_thread_whose_opening_was_lost_is_used(town: Town) -> None:
    town.discord.faults.append(Fault(method="POST", path="/channels/*/messages/*/threads", lost=True))
    asked = town.ask(QUESTION)
    assert LEAVE in (await town.answered(asked.id))[0].content


async def test_a_status_message_that_a_moderator_removed_is_written_again(town: Town) -> None:
    asked = town.ask(QUESTION)
    (first,) = await town.answered(asked.id)
    town.discord.backend.delete_message(asked.id, first.id)
    town.ana.edits(asked, f"{town.us} how often is the database backed up?")
    (again,) = await town.answered(asked.id)
    assert again.id != first.id
    assert "six hours" in again.content


async def test_an_archived_thread_is_opened_again(town: Town) -> None:
    asked = town.ask(QUESTION)
    (first,) = await town.answered(asked.id)
    town.thread(asked).archive()
    town.ana.edits(asked, f"{town.us} how often is the database backed up?")
    await town.discord.until(lambda: "six hours" in town.ours(asked.id)[0].content, 15)
    assert [each.id for each in town.ours(asked.id)] == [first.id]


async def test_a_locked_thread_stays_closed_and_the_asker_is_told(town: Town) -> None:
    town.acme.bot_may_not("manage_threads")
    asked = town.ask(QUESTION)
    await town.answered(asked.id)
    town.thread(asked).archive(locked=True)
    town.ana.edits(asked, f"{town.us} how often is the database backed up?")
    (told,) = await town.answered(town.ana.dm.id)
    assert "closed" in told.content


async def test_a_channel_that_is_gone_ends_the_turn(town: Town) -> None:
    other = town.acme.text("other")
    asked = town.ask(QUESTION, other)
    await town.discord.until(lambda: town.ours(asked.id))
    other.delete()
    (told,) = await town.answered(town.ana.dm.id)
    assert "not there any more" in told.content


async def test_a_thread_that_a_moderator_removed_ends_the_turn(home: Home, tmp_path: Path) -> None:
    async with opened_town(home, tmp_path, models=speaking(before=1.0)) as town:
        asked = town.ask(QUESTION)
        await town.discord.until(lambda: town.ours(asked.id))
        town.thread(asked).delete()
        (told,) = await town.answered(town.ana.dm.id)
        assert "not there any more" in told.content
        assert (await town.ended(asked)).status == "failed"


async def test_limits_are_waited_for(town: Town) -> None:
    town.discord.limits.append(Limit(1, 0.5, "POST", "/channels/*/messages"))
    town.discord.faults.append(Fault(method="PATCH", path="/channels/*/messages/*", retry_after=0.3))
    asked = [town.ask(QUESTION) for _ in range(3)]
    for each in asked:
        assert LEAVE in (await town.answered(each.id))[0].content


async def test_a_failing_discord_is_asked_again(town: Town) -> None:
    town.discord.faults.append(Fault(status=502, method="POST", path="/channels/*/messages"))
    asked = town.ask(QUESTION)
    assert LEAVE in (await town.answered(asked.id))[0].content


async def test_a_gateway_that_drops_in_mid_answer_loses_nothing(town: Town) -> None:
    asked = town.ask(QUESTION)
    town.discord.gateway.drop()
    later = town.ask("how often is the database backed up?")
    assert LEAVE in (await town.answered(asked.id))[0].content
    assert "six hours" in (await town.answered(later.id, seconds=30))[0].content
    assert len(town.ours(asked.id)) == 1


async def test_an_acknowledgement_that_was_made_twice_is_known_as_our_own(town: Town) -> None:
    """Discord had done it and said 502; what discord.py asks for again is then refused as done already."""
    lost = Fault(502, method="POST", path="/interactions/*/*/callback", lost=True)
    town.discord.faults.extend([lost, lost])
    public = town.ana.slash(town.general, "ask", question=QUESTION, public=True)
    helped = town.ben.slash(town.general, "help")
    await helped.answered(8)
    assert "/ask" in helped.message.content
    await public.answered(8)
    assert LEAVE in (await town.answered(public.message.id))[0].content
    assert not helped.followups
    assert not public.followups
    assert [call.status for call in town.discord.called("POST", "/interactions/*/*/callback")].count(400) == 2


async def test_what_another_process_has_answered_is_not_done_again(town: Town) -> None:
    town.discord.faults.append(Fault(502, method="POST", path="/interactions/*/*/callback", lost=True))
    public = town.ana.slash(town.general, "ask", question=QUESTION, public=True)
    await public.acknowledged()
    other = InteractionMail(town.service.discord.client, public.record.token, thinking=True)
    await other.post(DiscordMessage("**Ana** asks"), "")
    await town.discord.until(lambda: town.discord.called("GET", "/webhooks/*/*/messages/*"), 8)
    await town.calm()
    assert town.general.threads == []
    assert [each.content for each in town.ours(town.general.id)] == ["**Ana** asks"]


async def test_who_asks_for_help_where_nothing_may_be_written_is_told_directly_and_the_log_has_a_line(
    town: Town, caplog: pytest.LogCaptureFixture
) -> None:
    town.acme.bot_may_not("send_messages")
    town.ask("")
    (told,) = await town.answered(town.ana.dm.id)
    assert "may not write" in told.content
    town.discord.faults.append(Fault(403, 50007, method="POST", path=f"/channels/{town.ana.dm.id}/messages"))
    town.ask("")
    await town.discord.until(lambda: "nobody could be told" in caplog.text)
    assert len(town.ours(town.ana.dm.id)) == 1
    assert not any(record.exc_info for record in caplog.records)


async def test_where_the_past_may_not_be_read_the_answer_stands_there_without_pointing_at_the_question(
    town: Town,
) -> None:
    call = town.acme.voice("call")
    town.discord.faults.append(Fault(400, 160002, method="POST", path=f"/channels/{call.id}/messages"))
    town.ask("how much is the Pro plan?", call)
    (answer,) = await town.answered(call.id)
    assert "40 euros" in answer.content
    assert answer.reference is None


async def test_a_sign_that_a_locked_thread_kept_goes_when_stop_is_pressed_later(home: Home, tmp_path: Path) -> None:
    async with opened_town(home, tmp_path, models=speaking(before=0.5)) as town:
        town.acme.bot_may_not("manage_threads")
        asked = town.ask(QUESTION)
        await town.discord.until(lambda: town.ours(asked.id))
        town.thread(asked).archive(locked=True)
        assert (await town.ended(asked)).status == "failed"
        town.thread(asked).reopen()
        (sign,) = town.ours(asked.id)
        pressed = await town.ana.clicks(sign, button(sign, "stop")).answered()
        assert pressed.is_private
        assert town.ours(asked.id) == [pressed.message]
        other = town.ask(QUESTION)
        await town.discord.until(lambda: town.ours(other.id))
        (sign,) = town.ours(other.id)
        await town.ana.clicks(sign, button(sign, "stop")).answered()
        await town.ended(other)
        assert sign in town.ours(other.id)
