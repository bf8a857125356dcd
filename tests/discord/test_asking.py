"""Asking in Discord as people do it: the real client against the stand-in, with desk, record and index."""

from __future__ import annotations

import pytest
from simcord.enums import ChannelType

from tests.discord.town import Town
from tests.slack.town import BACKUPS, LEAVE
from tests.slack.voices import heard_by

QUESTION = "how many days of annual leave?"


async def test_a_mention_opens_a_thread_and_is_answered_there_with_a_footnote(town: Town) -> None:
    asked = town.ask(QUESTION)
    (answer,) = await town.answered(asked.id)
    assert LEAVE in answer.content
    assert "[1] " in answer.embeds[0]["description"]
    assert town.thread(asked).name == QUESTION
    assert town.ours(town.general.id) == []


async def test_follow_ups_in_the_thread_need_no_mention_and_people_s_own_talk_gets_none(town: Town) -> None:
    asked = town.ask(QUESTION)
    await town.answered(asked.id)
    thread = town.thread(asked)
    town.ben.says(thread, "I was in Spain last year.")
    town.ana.says(thread, f"{town.ben.mention} how was it?")
    town.ana.says(thread, "and how often is the database backed up?")
    answers = await town.answered(asked.id, 2)
    assert BACKUPS in answers[1].content
    await town.calm()
    assert len(town.ours(asked.id)) == 2


async def test_a_reply_to_one_of_our_messages_counts_as_a_mention(town: Town) -> None:
    asked = town.ask(QUESTION)
    (answer,) = await town.answered(asked.id)
    town.ben.says(town.thread(asked), "how often is the database backed up?", reply_to=answer)
    assert BACKUPS in (await town.answered(asked.id, 2))[1].content


async def test_everybody_a_role_and_another_person_are_not_us(town: Town) -> None:
    role = town.acme.role("helpers")
    for text in ("@everyone how are you?", f"<@&{role.id}> how are you?", f"{town.ben.mention} how are you?"):
        town.ana.says(town.general, text)
    await town.calm()
    assert town.ours(town.general.id) == []
    assert town.general.threads == []


async def test_a_direct_message_is_answered_where_it_was_written(town: Town) -> None:
    town.ana.writes_to_bot(QUESTION)
    (answer,) = await town.answered(town.ana.dm.id)
    assert LEAVE in answer.content
    town.ana.writes_to_bot("and how often is the database backed up?")
    assert BACKUPS in (await town.answered(town.ana.dm.id, 2))[1].content


async def test_who_is_on_no_server_of_ours_reads_only_what_is_for_outsiders(town: Town) -> None:
    eve = town.discord.world.stranger("Eve")
    eve.writes_to_bot(QUESTION)
    (answer,) = await town.answered(eve.dm.id)
    assert LEAVE not in answer.content
    eve.writes_to_bot("how much is the Pro plan?")
    assert "40 euros" in (await town.answered(eve.dm.id, 2))[1].content


async def test_a_mention_in_a_thread_has_its_title_and_what_was_said_there_as_context(town: Town) -> None:
    starter = town.ben.says(town.general, "The nightly snapshot failed again.")
    thread = town.ben.opens(starter, "Snapshot trouble")
    town.ben.says(thread, "It is the third time.")
    town.ask("how often is the database backed up?", thread)
    (answer,) = await town.answered(thread.id)
    assert BACKUPS in answer.content
    assert all(words in heard_by(town.models) for words in ("Snapshot trouble", "snapshot failed", "third time"))


async def test_a_post_in_a_forum_is_answered_in_it(town: Town) -> None:
    forum = town.acme.forum("help")
    post = town.ana.posts(forum, "Holidays", f"{town.us} {QUESTION}")
    assert LEAVE in (await town.answered(post.id))[0].content
    other = town.ben.posts(forum, "Backups", "The restore took long.")
    town.ask("how often is the database backed up?", other, town.ben)
    assert BACKUPS in (await town.answered(other.id))[0].content
    assert "The restore took long." in heard_by(town.models)


async def test_a_private_thread_is_a_place_of_its_own(town: Town) -> None:
    private = town.ana.opens_alone(town.general, "Salaries", private=True)
    asked = town.ask(QUESTION, private)
    await town.answered(private.id)
    turn = await town.turn_of(asked.id)
    assert turn is not None
    assert turn.audience.channel == str(private.id)
    assert turn.key.channel == str(private.id)


async def test_the_mention_alone_gets_help_and_quiet_keeps_us_quiet(town: Town) -> None:
    bare = town.ana.says(town.general, town.us)
    (told,) = await town.answered(town.general.id)
    assert "/ask" in told.content
    assert bare.id not in town.discord.backend.channels
    asked = town.ask(QUESTION)
    await town.answered(asked.id)
    town.ana.says(town.thread(asked), "quiet")
    await town.answered(asked.id, 2)
    town.ana.says(town.thread(asked), "and how often is the database backed up?")
    await town.calm()
    assert len(town.ours(asked.id)) == 2


@pytest.mark.parametrize("town", [{"language": "ko"}], indirect=True)
async def test_what_has_no_words_is_answered_in_the_desks_language(town: Town) -> None:
    town.ana.says(town.general, town.us)
    (told,) = await town.answered(town.general.id)
    assert told.content.startswith("질문을")
    (answer,) = await town.answered(town.ask("??").id)
    assert "찾은 곳" in str(answer.embeds)


async def test_an_edit_is_answered_in_the_same_message_and_a_deletion_takes_it_down(town: Town) -> None:
    asked = town.ask(QUESTION)
    (first,) = await town.answered(asked.id)
    town.ana.edits(asked, f"{town.us} how often is the database backed up?")
    await town.discord.until(lambda: BACKUPS in town.ours(asked.id)[0].content, 15)
    assert [each.id for each in town.ours(asked.id)] == [first.id]
    town.ana.deletes(asked)
    await town.discord.until(lambda: not town.ours(asked.id))


async def test_other_programs_are_not_answered_unless_they_name_us(town: Town) -> None:
    robot = town.acme.person("Robot", bot=True)
    robot.says(town.general, QUESTION)
    await town.calm()
    assert town.general.threads == []
    asked = town.ask(QUESTION, person=robot)
    assert LEAVE in (await town.answered(asked.id))[0].content


async def test_nobody_is_called_by_what_a_document_or_a_model_says(town: Town) -> None:
    asked = town.ask(QUESTION)
    await town.answered(asked.id)
    sent = [call.json for call in town.discord.calls if call.method in ("POST", "PATCH") and "messages/" in call.path]
    sent += [call.json for call in town.discord.called("POST", "/channels/*/messages")]
    told = [each for each in sent if each and ("content" in each or "embeds" in each)]
    assert told
    assert all(each["allowed_mentions"] == {"parse": []} for each in told)


@pytest.mark.parametrize("town", [{"content": False, "discord": {"message_content": False}}], indirect=True)
async def test_without_the_words_of_others_mentions_replies_and_direct_messages_are_heard(town: Town) -> None:
    asked = town.ask(QUESTION)
    (answer,) = await town.answered(asked.id)
    thread = town.thread(asked)
    town.ana.says(thread, "and how often is the database backed up?")
    await town.calm()
    assert len(town.ours(asked.id)) == 1
    town.ana.says(thread, "how often is the database backed up?", reply_to=answer)
    assert BACKUPS in (await town.answered(asked.id, 2))[1].content
    town.ana.writes_to_bot(QUESTION)
    assert LEAVE in (await town.answered(town.ana.dm.id))[0].content


@pytest.mark.parametrize("town", [{"discord": {"guilds": ["100000000000000001"]}}], indirect=True)
async def test_a_server_that_is_not_ours_gets_only_what_is_for_outsiders(town: Town) -> None:
    asked = town.ask(QUESTION)
    (answer,) = await town.answered(asked.id)
    assert LEAVE not in answer.content


async def test_the_chat_of_a_voice_channel_is_read_from_outside_and_answered_without_a_thread(town: Town) -> None:
    backend = town.discord.backend
    voice = town.discord.world.place(backend.create_channel(town.acme.id, "lounge", type=ChannelType.VOICE).id)
    asked = town.ask(QUESTION, voice)
    (answer,) = await town.answered(voice.id)
    assert LEAVE not in answer.content
    turn = await town.turn_of(asked.id)
    assert turn is not None
    assert turn.audience.external


async def test_a_channel_that_is_auto_gets_certain_answers_without_a_mention(town: Town) -> None:
    boss = town.acme.person("Boss", roles=[town.acme.role("admin", "administrator")])
    set_ = await boss.slash(town.general, "channel", change="mode", value="auto").answered()
    assert set_.is_private
    asked = town.ana.says(town.general, QUESTION)
    assert LEAVE in (await town.answered(asked.id))[0].content


async def test_a_new_post_in_a_forum_that_is_auto_gets_an_answer_and_talk_in_it_does_not(town: Town) -> None:
    boss = town.acme.person("Boss", roles=[town.acme.role("admin", "administrator")])
    forum = town.acme.forum("help")
    first = boss.posts(forum, "Rules", "Be kind.")
    await boss.slash(first, "channel", change="mode", value="auto").answered()
    post = town.ana.posts(forum, "Holidays", QUESTION)
    assert LEAVE in (await town.answered(post.id))[0].content
    town.ben.says(post, "how often is the database backed up?")
    await town.calm()
    assert len(town.ours(post.id)) == 1
