"""The buttons under an answer, as people press them: each does its thing once, for whom it is meant."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from adapters.memory.chat import Scripted
from adapters.sql.belongings import SqlBelongings
from adapters.sql.feedback import SqlCorrections, SqlFeedback
from core.chat import Request
from core.documents import Readable
from tests.slack.conftest import Opens
from tests.slack.test_commands import at_work, guarded, told
from tests.slack.town import BACKUPS, LEAVE, Town
from tests.slack.voices import certain, speaking, words_of
from tests.slack_server import Message, Refused, ReplyLost, Rules, Slow, User, View

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def form_of(town: Town, user: User) -> View:
    """The form in front of somebody."""
    return await town.slack.until(lambda: town.slack.modal_of(user), 10)  # type: ignore[no-any-return]


def words(view: View) -> str:
    """What stands in it."""
    return str(view.body["blocks"])


async def aside(town: Town, user: User, before: int = 0) -> str:
    """What is said to them alone."""
    shown = await town.slack.until(lambda: town.slack.shown_to(user)[before:], 10)
    return str(shown[-1].words)


async def press(town: Town, message: Message, name: str, user: User | None = None, **more: Any) -> None:
    """Press a button; Slack has its acknowledgement in time."""
    delivery = await town.slack.click(message, f"refdesk_{name}", user or town.ana, **more)
    assert not delivery.lost


async def asked(town: Town, text: str = "how many days of annual leave?", **more: Any) -> Message:
    """An answer."""
    return await town.answered(town.ask(text, **more))


async def test_why_opens_what_the_answer_rests_on(town: Town) -> None:
    await press(town, await asked(town), "why")
    view = await form_of(town, town.ana)
    assert "Annual leave" in words(view)
    assert not town.slack.refused()


async def test_a_moment_too_late_it_is_said_to_them_alone_instead(opens: Opens) -> None:
    async with opens(Rules(trigger_seconds=0.0)) as town:
        await press(town, await asked(town), "why")
        assert "Annual leave" in await aside(town, town.ana)


async def test_a_footnote_shows_its_passage_to_those_who_may_read_it(town: Town) -> None:
    message = await asked(town)
    await _open_first(town, message, town.ana)
    view = await form_of(town, town.ana)
    assert "25 days of annual leave" in words(view)
    assert "/docs/" not in words(view)
    guest = town.slack.user("Gast", guest=2)
    town.general.members.add(guest.id)
    await _open_first(town, message, guest)
    assert "can't be shown" in await aside(town, guest)
    assert town.slack.modal_of(guest) is None


async def _open_first(town: Town, message: Message, user: User) -> None:
    """The first of the buttons that open footnotes."""
    assert not (await town.slack.click(message, "refdesk_open_1", user)).lost


async def test_thumbs_are_kept_and_one_that_is_down_asks_what_was_wrong(town: Town) -> None:
    message = await asked(town)
    await press(town, message, "feedback", value="positive")
    await press(town, message, "feedback", town.ben, value="negative")
    view = await form_of(town, town.ben)
    assert "correction" not in words(view)
    empty = await town.slack.submit(view, town.ben, {"comment": {"comment": {"value": " "}}})
    assert empty.reply["response_action"] == "errors"
    await town.slack.submit(view, town.ben, {"comment": {"comment": {"value": "It is 26 by now."}}})
    assert "Thank you" in await aside(town, town.ben)
    kept = await _feedback(town)
    assert kept == [("up", ""), ("down", "It is 26 by now.")]
    assert town.slack.modal_of(town.ana) is None


async def _feedback(town: Town) -> list[tuple[str, str]]:
    database = town.service.base.database
    (turn,) = await SqlBelongings(database).recent("slack", town.ana.workspace, town.ana.id, 1)
    return [(each.thumb, each.comment) for each in await SqlFeedback(database).of(turn.id)]


async def test_a_human_is_called_once_in_the_thread_and_by_name_alone_where_nobody_reads_along(opens: Opens) -> None:
    async with opens(admins={"groups": ["S0OPS"]}) as town:
        town.slack.workspace.groups["S0OPS"] = [town.ben.id]
        message = await asked(town)
        await press(town, message, "human")
        called = await town.slack.until(lambda: town.slack.bot_messages(message)[1:], 10)
        assert "<!subteam^S0OPS>" in called[0].words
        assert called[0].thread_ts == message.thread_ts
        await press(town, message, "human", town.ben)
        assert "already" in await aside(town, town.ben)
        private = await told(town, "ask how many days of annual leave?")
        await press(town, private, "human")
        assert "You can ask: <!subteam^S0OPS>" in await aside(town, town.ana, len(town.slack.shown_to(town.ana)))
        assert len(town.slack.bot_messages(town.general)) == 2


async def test_a_call_whose_answer_was_lost_is_not_made_twice_and_one_that_failed_can_be_made_again(
    opens: Opens,
) -> None:
    async with opens(admins={"groups": ["S0OPS"]}) as town:
        town.slack.workspace.groups["S0OPS"] = [town.ben.id]
        message = await asked(town)
        town.slack.faults.add("chat.postMessage", Refused("restricted_action"))
        await press(town, message, "human")
        await aside(town, town.ana)
        assert len(town.slack.bot_messages(message)) == 1
        town.slack.faults.add("chat.postMessage", ReplyLost())
        before = len(town.slack.shown_to(town.ana))
        await press(town, message, "human")
        await aside(town, town.ana, before)
        await press(town, message, "human", town.ben)
        assert "already" in await aside(town, town.ben)
        assert len(town.slack.bot_messages(message)) == 2


@pytest.mark.parametrize("admins", [[], ["discord/1/2"]])
async def test_without_anybody_named_there_is_no_button_to_ask_them(opens: Opens, admins: list[str]) -> None:
    async with opens(admins={"users": admins}) as town:
        shown = str((await asked(town)).blocks)
        assert "refdesk_why" in shown
        assert "refdesk_human" not in shown


async def test_quiet_here_ends_follow_ups_in_this_thread(town: Town) -> None:
    message = await asked(town)
    await press(town, message, "quiet", town.ben)
    assert "quiet in this thread" in await aside(town, town.ben)
    town.slack.say(town.general, town.ana, "and how often is it backed up?", thread_ts=message.root)
    await town.calm(0.3)
    assert len(town.slack.bot_messages(message)) == 1


async def test_stop_is_for_the_asker_and_keeps_what_is_written(opens: Opens) -> None:
    rules = Rules(status_in=frozenset(), streams_in=frozenset())
    async with opens(rules, models=speaking(between=0.4)) as town:
        question = town.ask("how many days of annual leave?")
        message = (await town.slack.until(lambda: town.slack.bot_messages(question), 10))[0]
        await town.slack.until(lambda: "refdesk_stop" in str(message.blocks), 10)
        await press(town, message, "stop", town.ben)
        assert "Only who asked" in await aside(town, town.ben)
        await press(town, message, "stop")
        assert "Stopping" in await aside(town, town.ana)
        await town.answered(question)
        turn = await town.turn_of(question)
        assert turn is not None
        assert turn.status == "answered"


async def test_a_private_answer_is_shared_once_and_its_thread_goes_on(town: Town) -> None:
    private = await told(town, "ask how many days of annual leave?")
    before = len(town.slack.shown_to(town.ana))
    await press(town, private, "share")
    (shared,) = await town.slack.until(lambda: town.slack.bot_messages(town.general), 10)
    assert LEAVE in shared.words
    await press(town, private, "share")
    await town.slack.until(lambda: len(town.slack.shown_to(town.ana)) >= before + 2, 10)
    follow = town.slack.say(town.general, town.ana, "how often is the database backed up?", thread_ts=shared)
    assert BACKUPS in (await town.answered(follow)).words
    assert len(town.slack.bot_messages(town.general)) == 2


@pytest.mark.parametrize("answers", [0, 1])
async def test_one_that_a_moderator_deleted_is_shared_anew(town: Town, answers: int) -> None:
    private = await told(town, "ask how many days of annual leave?")
    await press(town, private, "share")
    (shared,) = await town.slack.until(lambda: town.slack.bot_messages(town.general), 10)
    for _ in range(answers):
        town.slack.say(town.general, town.ben, "Good.", thread_ts=shared)
    await town.calm()
    town.slack.delete(shared)
    await press(town, private, "share")
    (again,) = await town.slack.until(
        lambda: [m for m in town.slack.bot_messages(town.general) if m.ts != shared.ts], 10
    )
    assert LEAVE in again.words


@pytest.mark.parametrize("name", ["share", "direct"])
async def test_one_whose_posting_was_lost_on_the_way_back_is_posted_once(town: Town, name: str) -> None:
    private = await told(town, "ask how many days of annual leave?")
    place = town.general if name == "share" else town.slack.dm(town.ana)
    town.slack.faults.add("chat.postMessage", ReplyLost())
    before = len(town.slack.shown_to(town.ana))
    await press(town, private, name)
    told_so = await aside(town, town.ana, before)
    assert "Shared" in told_so or "direct message" in told_so
    await town.told("update turns set created_at = datetime(created_at, '-5 minutes') where status = 'running'")
    before = len(town.slack.shown_to(town.ana))
    await press(town, private, name)
    await aside(town, town.ana, before)
    assert sum(LEAVE in each.words for each in town.slack.bot_messages(place)) == 1


async def test_people_of_another_organisation_use_the_buttons_of_their_answers(town: Town) -> None:
    other = town.slack.add_workspace("Other", scopes=None)
    eve = town.slack.user("Eve", other)
    town.slack.share(town.general, other)
    answer = await asked(town, "what does the Pro plan cost?", user=eve)
    await press(town, answer, "why", eve)
    assert "Plans and prices" in words(await form_of(town, eve))
    await press(town, answer, "feedback", eve, value="negative")
    form = await town.slack.until(lambda: _asking(town.slack.modal_of(eve)), 10)
    await town.slack.submit(form, eve, {"comment": {"comment": {"value": "it is 50"}}})
    assert "Thank" in await aside(town, eve)
    await press(town, answer, "quiet", eve)
    await town.slack.until(lambda: len(town.slack.shown_to(eve)) >= 2, 10)
    assert not any("not there any more" in each.words for each in town.slack.shown_to(eve))


def _asking(view: View | None) -> View | None:
    """The form, if it asks for something."""
    return view if view is not None and "comment" in words(view) else None


@pytest.mark.parametrize("name", ["share", "direct"])
async def test_pressed_twice_an_answer_is_posted_once(town: Town, name: str) -> None:
    private = await told(town, "ask how many days of annual leave?")
    town.slack.faults.add("chat.postMessage", Slow(0.2))
    await asyncio.gather(press(town, private, name), press(town, private, name))
    place = town.general if name == "share" else town.slack.dm(town.ana)
    await town.slack.until(lambda: town.slack.bot_messages(place), 10)
    await town.slack.until(lambda: len(town.slack.shown_to(town.ana)) >= 4 or name == "direct", 10)
    await town.calm(0.2)
    assert sum(LEAVE in each.words for each in town.slack.bot_messages(place)) == 1


async def test_what_not_everybody_there_may_read_is_not_shared(opens: Opens, home: Any) -> None:
    async with opens(collections=guarded(home.folder)) as town:
        town.slack.workspace.groups["S0OPS"] = [town.ben.id]
        private = await told(town, "ask how often is the database backed up?", town.ben)
        assert BACKUPS in private.words
        before = len(town.slack.shown_to(town.ben))
        await press(town, private, "share", town.ben)
        assert "not everybody there may read" in await aside(town, town.ben, before)
        assert town.slack.bot_messages(town.general) == []


async def test_a_private_answer_goes_on_in_a_direct_message(town: Town) -> None:
    private = await told(town, "ask how many days of annual leave?")
    await press(town, private, "direct")
    dm = town.slack.dm(town.ana)
    (message,) = await town.slack.until(lambda: town.slack.bot_messages(dm), 10)
    assert LEAVE in message.words
    assert "share" not in str(message.blocks)
    follow = town.slack.say(dm, town.ana, "and how often is the database backed up?")
    assert BACKUPS in (await town.slack.until(lambda: _last(town, dm.id, follow), 20)).words


def _last(town: Town, channel: str, after: Message) -> Message | None:
    found = [each for each in town.slack.bot_messages(town.slack.world.channels[channel]) if each.ts > after.ts]
    done = found and "refdesk_stop" not in str(found[-1].blocks) and not found[-1].is_streaming and found[-1].words
    return found[-1] if done and "backed" in found[-1].words else None


async def test_asked_where_there_is_no_channel_nothing_can_be_shared(town: Town) -> None:
    private = await told(town, "ask how many days of annual leave?", channel=town.slack.dm(town.ana))
    before = len(town.slack.shown_to(town.ana))
    await press(town, private, "share")
    assert "no channel to share" in await aside(town, town.ana, before)


async def test_buttons_of_answers_that_are_gone_say_so(town: Town) -> None:
    question = town.ask("how many days of annual leave?")
    message = await town.answered(question)
    await told(town, "forget me")
    for name in ("why", "quiet"):
        before = len(town.slack.shown_to(town.ana))
        await press(town, message, name)
        assert "not there any more" in await aside(town, town.ana, before)


async def test_an_answer_elsewhere_is_nobodys_business_here(town: Town) -> None:
    """A value that was sent from another channel than the answer's: only its asker gets anything."""
    message = await asked(town)
    other = town.slack.channel("random")
    copy = town.slack.say(other, town.ben, "hello")
    copy.blocks = message.blocks
    await press(town, copy, "why", town.ben)
    assert "not there any more" in await aside(town, town.ben)
    await press(town, copy, "why", town.ana)
    assert "Annual leave" in words(await form_of(town, town.ana))


async def test_a_message_in_a_thread_is_asked_about_with_its_shortcut(town: Town) -> None:
    root = town.slack.say(town.general, town.ben, "a question for the team")
    said = town.slack.say(town.general, town.ben, f"{town.ana} how many days of annual leave?", thread_ts=root)
    await town.slack.shortcut(said, "refdesk_ask_about", town.ana)
    view = await form_of(town, town.ana)
    assert "@Ana how many days of annual leave?" in words(view)
    text = "how many days of annual leave?"
    await town.slack.submit(view, town.ana, {"question": {"question": {"value": text}}})
    await town.slack.until(lambda: any(LEAVE in each.words for each in town.slack.shown_to(town.ana)), 20)
    assert "a question for the team" in town.heard()  # what stands before it in its thread
    assert town.slack.bot_messages(town.general) == []
    assert town.slack.modal_of(town.ana) is None


def corrected(folder: Any) -> list[dict[str, Any]]:
    """The pages, and a collection of corrections that everybody reads; the handbook has an owner."""
    found = guarded(folder)
    for each in found:
        if each["name"] == "handbook":
            each |= {"owners": {"groups": ["S0OPS"]}}
    return [*found, {"name": "corrections", "source": "corrections:"}]


async def test_an_owner_says_what_is_right_and_it_is_found_and_cited(opens: Opens, home: Any) -> None:
    async with opens(collections=corrected(home.folder), models=speaking(_to_corrections)) as town, at_work(town):
        town.slack.workspace.groups["S0OPS"] = [town.ben.id]
        message = await asked(town)
        await press(town, message, "feedback", town.ben, value="negative")
        view = await form_of(town, town.ben)
        assert "how many days of annual leave?" in words(view)
        said = {
            "question": {"question": {"value": "Days of leave of apprentices"}},
            "correction": {"correction": {"value": "Apprentices have 31 days of annual leave."}},
        }
        await town.slack.submit(view, town.ben, said)
        assert "correction is kept" in await aside(town, town.ben)
        await _published(town, "corrections")
        (kept,) = await SqlCorrections(town.service.base.database).all()
        assert kept.link is not None
        assert "/archives/" in kept.link
        answer = await asked(town, "how many days of leave have apprentices?")
        assert "Days of leave of apprentices" in answer.words


def _to_corrections(request: Request) -> Scripted:
    """As ever, but what is asked for days of apprentices is routed to the corrections."""
    said = certain(request)
    routed = isinstance(said, dict) and "route" in said and "apprentices" in words_of(request)
    return {**said, "route": ["corrections"]} if routed else said  # type: ignore[dict-item]


async def _published(town: Town, name: str) -> None:
    """Until the collection has a document."""
    catalog, only = town.service.base.stores.catalog, Readable(frozenset({name}))
    async with asyncio.timeout(20):
        while not any(each.documents for each in (await catalog.pin(only)).generations):
            await asyncio.sleep(0.1)


async def test_what_was_said_of_hidden_documents_is_not_kept_where_everybody_reads_it(opens: Opens, home: Any) -> None:
    async with opens(collections=corrected(home.folder)) as town:
        town.slack.workspace.groups["S0OPS"] = [town.ben.id]
        private = await told(town, "ask how often is the database backed up?", town.ben)
        await press(town, private, "feedback", town.ben, value="negative")
        assert "correction" not in words(await form_of(town, town.ben))
