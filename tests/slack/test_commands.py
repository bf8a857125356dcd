"""The slash command: acknowledged at once, answered to its author alone, and never more than they may read."""

from __future__ import annotations

import asyncio
import itertools
import json
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from core.errors import UpstreamError
from tests.slack.conftest import Opens
from tests.slack.town import BACKUPS, LEAVE, Town, collections, is_whole
from tests.slack.voices import speaking
from tests.slack_server import Channel, Message, ReplyLost, Status, User

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def told(town: Town, text: str, user: User | None = None, channel: Channel | None = None) -> Message:
    """What the command says in the end, to its author alone."""
    who = user or town.ana
    before = len(town.slack.shown_to(who))
    delivery = await town.slack.command("/refdesk", text, who, channel or town.general)
    assert not delivery.lost
    signs = ("On it…", "확인하는 중…")

    def last() -> Message | None:
        fresh = [each for each in town.slack.shown_to(who)[before:] if each.words not in signs]
        return fresh[-1] if fresh else None

    return await town.slack.until(last, 20)  # type: ignore[no-any-return]


def at_work(town: Town) -> AbstractAsyncContextManager[None]:
    """Jobs are run, as `refdesk serve` does it."""
    return town.service.base.upkeep.running(town.service.readable)


def guarded(town_folder: Any) -> list[dict[str, Any]]:
    """The pages, the runbooks among them for their owners' group alone."""
    found = collections(town_folder)
    for each in found:
        if each["name"] == "runbooks":
            each |= {"visibility": {"groups": ["S0OPS"]}, "owners": {"groups": ["S0OPS"]}}
    return found


@pytest.fixture
def ops(opens: Opens, home: Any) -> Any:
    """A town in which Ben alone reads and looks after the runbooks."""

    async def opened(**more: Any) -> Any:
        return opens(collections=guarded(home.folder), **more)

    return opened


async def test_a_private_question_is_acknowledged_at_once_and_answered_to_its_asker_alone(town: Town) -> None:
    answer = await told(town, "ask how many days of annual leave?")
    assert town.slack.shown_to(town.ana)[0].words == "On it…"
    assert LEAVE in answer.words
    assert town.slack.bot_messages(town.general) == []
    assert not town.slack.refused()


async def test_a_question_without_a_word_before_it_is_asked_too_and_nonsense_is_told_so(town: Town) -> None:
    assert BACKUPS in (await told(town, "How often is the database backed up?")).words
    assert "I don't know “reindx”" in (await told(town, "reindx")).words
    assert "질문은" in (await told(town, "ㅁㄴㅇ")).words
    assert "empty" in (await told(town, "ask ")).words


async def test_help_and_collections_say_what_there_is(town: Town) -> None:
    assert "/refdesk reindex" in (await told(town, "help")).words
    assert "/refdesk 재색인" in (await told(town, "도움말")).words
    known = (await told(town, "collections")).words
    assert [name for name in ("handbook", "runbooks", "public") if f"**{name}**" in known] == [
        "handbook",
        "runbooks",
        "public",
    ]
    assert "as of 20" in known


async def test_a_reindex_is_for_those_who_may_and_its_progress_is_one_message_that_is_edited(town: Town) -> None:
    assert "permission" in (await told(town, "reindex handbook")).words
    root = town.slack.user("Root", admin=True)
    assert "this channel" in (await told(town, "reindex handbook", root)).words
    (message,) = town.slack.bot_messages(town.general)
    async with at_work(town):
        await town.slack.until(lambda: "0 added" in message.words, 20)
    assert "handbook: 0 added, 0 changed, 0 removed, 2 unchanged" in message.words
    assert town.slack.bot_messages(town.general) == [message]
    assert len(message.versions) >= 2
    edits = [call.at for call in town.slack.called("chat.update")]
    assert all(later - earlier >= 2.5 for earlier, later in itertools.pairwise(edits))


async def test_the_end_of_a_reindex_names_what_changed_and_what_could_not_be_read(
    opens: Opens, home: Any, tmp_path: Any
) -> None:
    docs = tmp_path / "moved"
    docs.mkdir()
    (docs / "annual-leave.md").write_text("# Annual leave\n\nEverybody has 26 days of annual leave.\n")
    (docs / "parking.md").write_text("# Parking\n\nThere are nine parking lots behind the house.\n")
    (docs / "scan.pdf").write_bytes(b"%PDF-1.4 broken")
    where = [{"name": "handbook", "source": f"folder:{docs}"}]
    async with opens(collections=where) as town:
        root = town.slack.user("Root", admin=True)
        await told(town, "reindex all", root)
        (message,) = town.slack.bot_messages(town.general)
        async with at_work(town):
            await town.slack.until(lambda: "1 added" in message.words, 30)
        assert "1 added, 1 changed, 1 removed" in message.words
        assert "scan.pdf was not read" in message.words
        assert "handbook: Card" in message.words or "parking" in message.words.lower()


async def test_without_a_name_it_asks_which_of_those_that_one_may(ops: Any) -> None:
    async with await ops() as town:
        town.slack.workspace.groups["S0OPS"] = [town.ben.id]
        root = town.slack.user("Root", admin=True)
        asked = await told(town, "reindex", root)
        offered = json.dumps(asked.blocks)
        assert "handbook" in offered
        assert "runbooks" not in offered
        await town.slack.click(asked, "refdesk_reindex", root, value="public")
        (message,) = await town.slack.until(lambda: town.slack.bot_messages(town.general), 20)
        assert "public" in message.words
        assert "handbook" not in message.words


async def test_what_somebody_there_may_not_read_is_told_its_asker_directly(ops: Any) -> None:
    async with await ops() as town:
        town.slack.workspace.groups["S0OPS"] = [town.ben.id]
        assert "direct messages" in (await told(town, "reindex", town.ben)).words
        dm = town.slack.dm(town.ben)
        (message,) = await town.slack.until(lambda: town.slack.bot_messages(dm), 20)
        async with at_work(town):
            await town.slack.until(lambda: "unchanged" in message.words, 20)
        assert town.slack.bot_messages(town.general) == []
        assert "runbooks" in (await told(town, "jobs", town.ben)).words


async def test_where_we_are_not_the_progress_is_told_directly(town: Town) -> None:
    root, secret = town.slack.user("Root", admin=True), town.slack.channel("secret", "private", joined=False)
    secret.members.add(root.id)
    assert "direct messages" in (await told(town, "reindex public", root, secret)).words
    assert await town.slack.until(lambda: town.slack.bot_messages(town.slack.dm(root)), 20)


async def test_a_hidden_collection_is_nowhere(ops: Any) -> None:
    async with await ops() as town:
        root = town.slack.user("Root", admin=True)
        for text in ("collections", "router", "jobs", "status", "reindex runbook", "channel show runbook", "help"):
            assert "runbooks" not in (await told(town, text, root)).words, text
        assert "annual" not in (await told(town, "router", town.ana)).words


async def test_the_list_of_jobs_is_named_as_one_asks_for_it_in_slack(town: Town) -> None:
    boss = town.slack.user("Boss", admin=True)
    assert "`/refdesk jobs`" in (await told(town, "jobs abcdef12", boss)).words
    assert "`/refdesk 작업`" in (await told(town, "취소 abcdef12", boss)).words
    assert "permission" in (await told(town, "cancel abcdef12", town.ana)).words


async def test_jobs_are_listed_with_the_names_of_people_and_can_be_stopped(town: Town) -> None:
    root = town.slack.user("Root", admin=True)
    assert "No syncs" in (await told(town, "jobs", root)).words
    await told(town, "reindex public", root)
    listed = (await told(town, "jobs", root)).words
    assert "public" in listed
    assert "Root" in listed
    id_ = listed.split("- ", 1)[1].split(" ", 1)[0]
    assert id_ in (await told(town, f"cancel {id_}", root)).words
    assert "cancelled" in (await town.slack.until(lambda: _end_of(town), 20)).words
    assert "permission" in (await told(town, f"cancel {id_}")).words
    assert "permission" in (await told(town, "jobs")).words


def _end_of(town: Town) -> Message | None:
    found = town.slack.bot_messages(town.general)
    return found[-1] if found and ("cancelled" in found[-1].words or "unchanged" in found[-1].words) else None


async def test_the_router_and_the_state_of_things_are_for_admins(town: Town) -> None:
    root = town.slack.user("Root", admin=True)
    assert "permission" in (await told(town, "router")).words
    assert "permission" in (await told(town, "status")).words
    await town.answered(town.ask("how many days of annual leave?"))
    shown = (await told(town, "router", root)).words
    assert "Annual leave" in shown
    stands = (await told(town, "status", root)).words
    assert "Slack: connected since 20" in stands
    assert "last heard at 20" in stands
    assert town.service.slack is not None
    town.service.slack.pulse.down(UpstreamError("error.slack_down"))
    assert "Slack: not connected since 20" in (await told(town, "status", root)).words


async def test_a_channels_settings_are_set_in_it_by_admins(town: Town) -> None:
    root = town.slack.user("Root", admin=True)
    assert "permission" in (await told(town, "channel mode mention")).words
    assert "#general: speaks up when it is mentioned;" in (await told(town, "channel mode mention", root)).words
    assert "searches public" in (await told(town, "channel default public", root)).words
    assert "hidden there: runbooks" in (await told(town, "channel hide runbooks", root)).words
    assert "runbooks" not in (await told(town, "collections")).words
    assert "is no mode" in (await told(town, "channel mode loud", root)).words
    await town.answered(first := town.ask("how many days of annual leave?"))
    later = town.slack.say(town.general, town.ana, "and how often is it backed up?", thread_ts=first)
    await town.calm(0.3)
    assert [each for each in town.slack.bot_messages(first) if each.ts > later.ts] == []


async def test_a_setting_that_is_refused_for_one_collection_changes_none(town: Town) -> None:
    root = town.slack.user("Root", admin=True)
    for change, untouched in (("hide", "hidden"), ("show", "shown")):
        assert "no collection runbook" in (await told(town, f"channel {change} handbook runbook", root)).words
        assert untouched not in (await told(town, "channel", root)).words
    await told(town, "channel hide handbook public", root)
    await told(town, "channel unset handbook runbook", root)
    assert "hidden there: handbook, public" in (await told(town, "channel", root)).words


async def test_an_admin_is_told_where_people_from_outside_limit_what_is_used(town: Town) -> None:
    root, gil = town.slack.user("Root", admin=True), town.slack.user("Gil", guest=2)
    assert "from outside" not in (await told(town, "channel show handbook", root)).words
    with_guest = town.slack.channel("with-guest")
    town.slack.join(with_guest, gil)
    await town.slack.until(lambda: town.slack.called("users.info", user=gil.id))
    for typed in ("channel", "channel show handbook"):
        words = (await told(town, typed, root, with_guest)).words
        assert "people from outside read along" in words
        assert "`external = true`" in words


async def test_who_cannot_be_looked_up_is_told_that_and_not_that_they_may_not(town: Town) -> None:
    root = town.slack.user("Root", admin=True)
    town.slack.faults.add("users.info", Status(500), times=None)
    for typed in ("status", "reindex handbook", "channel mode mention"):
        assert "could not look up who you are" in (await told(town, typed, root)).words
    town.slack.faults.clear()
    assert "could not" not in (await told(town, "channel mode mention", root)).words


async def test_a_report_whose_posting_was_lost_on_the_way_back_stands_once(town: Town) -> None:
    root = town.slack.user("Root", admin=True)
    town.slack.faults.add("chat.postMessage", ReplyLost())
    await told(town, "reindex handbook", root)
    (message,) = town.slack.bot_messages(town.general)
    async with at_work(town):
        await town.slack.until(lambda: "0 added" in message.words, 20)


async def test_quiet_means_the_thread_that_one_asked_in_last(town: Town) -> None:
    assert "haven't asked" in (await told(town, "quiet")).words
    await town.answered(asked := town.ask("how many days of annual leave?"))
    assert "annual leave" in (await told(town, "조용히")).words
    town.slack.say(town.general, town.ana, "and how often is it backed up?", thread_ts=asked)
    await town.calm(0.3)
    assert len(town.slack.bot_messages(asked)) == 1
    await told(town, "quiet off")
    again = town.slack.say(town.general, town.ana, "how often is the database backed up?", thread_ts=asked)
    assert BACKUPS in (await town.answered(again)).words


async def test_who_asks_to_be_forgotten_leaves_no_words_and_others_keep_theirs(town: Town) -> None:
    await town.answered(asked := town.ask("how many days of annual leave?"))
    theirs = town.slack.say(town.general, town.ben, f"{town.us} how often is it backed up?", thread_ts=asked)
    await town.answered(theirs)
    await told(town, "ask how do I roll back a release?")
    assert "questions: 2" in (await told(town, "forget me")).words
    turn = await town.turn_of(asked)
    assert turn is not None
    assert (turn.question, turn.answer, turn.author.id) == ("", None, "")
    kept = await town.turn_of(theirs)
    assert kept is not None
    assert kept.question
    assert "haven't asked" in (await told(town, "forget")).words
    assert "questions: 1" in (await told(town, "forget", town.ben)).words


async def test_two_hundred_commands_at_once_are_acknowledged_in_time(opens: Opens) -> None:
    async with opens(models=speaking(before=0.5)) as town:
        people = [town.slack.user(f"Person {number}") for number in range(20)]
        sent = [
            town.slack.command(
                "/refdesk", "ask how many days of annual leave?" if n % 2 else "collections", p, town.general
            )
            for n, p in enumerate(people * 10)
        ]
        deliveries = await asyncio.gather(*sent)
        assert not any(each.lost for each in deliveries)
        assert max(each.seconds or 9 for each in deliveries) < 3


async def test_a_guest_is_told_of_what_is_for_everybody_alone(town: Town) -> None:
    guest = town.slack.user("Gast", guest=1, admin=True)
    known = (await told(town, "collections", guest)).words
    assert "public" in known
    assert "handbook" not in known
    assert "permission" in (await told(town, "reindex public", guest)).words


@pytest.mark.parametrize("who", ["ana", "ben"])
async def test_what_still_waits_is_forgotten_with_its_sign(opens: Opens, who: str) -> None:
    async with opens(models=speaking(before=1.0)) as town:
        user: User = getattr(town, who)
        first = town.ask("how many days of annual leave?")
        await asyncio.sleep(0.2)
        town.slack.say(town.general, user, f"{town.us} how often is the database backed up?", thread_ts=first)
        await town.slack.until(lambda: [each for each in town.slack.bot_messages(first) if not is_whole(each)])
        assert f"questions: {2 if who == 'ana' else 1}" in (await told(town, "forget me", user)).words
        left = [] if who == "ana" else [LEAVE]
        await town.slack.until(lambda: _words(town, first) == left, 10)


def _words(town: Town, question: Message) -> list[str]:
    """Of our answers those that are whole; of others that they are there."""
    said = town.slack.bot_messages(question)
    return [LEAVE if is_whole(each) and LEAVE in each.words else each.words for each in said]


@pytest.mark.parametrize(("typed", "said"), [("quiet", "annual leave?"), ("forget", "questions: 1")])
async def test_the_question_that_is_being_answered_is_known_to_commands(opens: Opens, typed: str, said: str) -> None:
    async with opens(models=speaking(before=1.0)) as town:
        asked = town.ask("how many days of annual leave?")
        await town.slack.courier.settled()
        assert said in (await told(town, typed)).words
        if typed == "forget":
            await town.calm()
            assert not town.slack.bot_messages(asked)


async def test_a_question_that_is_stopped_while_it_waits_is_not_answered(opens: Opens) -> None:
    async with opens(models=speaking(before=0.8)) as town:
        first = town.ask("how many days of annual leave?")
        await asyncio.sleep(0.2)
        second = f"{town.us} how often is the database backed up?"
        town.slack.say(town.general, town.ben, second, thread_ts=first)
        waiting = [each for each in await _signs(town, first) if not is_whole(each)]
        delivery = await town.slack.click(waiting[0], "refdesk_stop", town.ben)
        assert not delivery.lost
        await town.calm()
        assert not [each for each in town.slack.bot_messages(first) if BACKUPS in each.words]


async def _signs(town: Town, question: Message) -> list[Message]:
    """Signs of life as messages of their own."""
    return await town.slack.until(  # type: ignore[no-any-return]
        lambda: [each for each in town.slack.bot_messages(question) if not is_whole(each)], 10
    )
