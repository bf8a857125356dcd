"""The history of channels as documents, from the stand-in: what is in, what is left out, what a sync costs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adapters.clock import FixedClock
from adapters.slack.budget import Budget
from adapters.slack.source import SlackOptions, SlackSource
from adapters.slack.web import SlackWeb
from core.documents import DocumentRecord, Listing
from core.errors import ParseError, SourceError
from core.indexing.plan import Recipe, plan
from tests.slack_server import AppConfig, Channel, Message, Reset, SlackServer, Status, TooMany, User

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    async with SlackServer(app=AppConfig(events=set())) as server:
        yield server


def source(slack: SlackServer, *channels: Channel, web: SlackWeb | None = None, **options: Any) -> SlackSource:
    return SlackSource(
        web or calls(slack), SlackOptions(tuple(each.id for each in channels), **options), FixedClock(NOW)
    )


def calls(slack: SlackServer, **more: Any) -> SlackWeb:
    async def token(_: str) -> str:
        return slack.bot_token

    return SlackWeb(token, slack.base_url, **{"patience": 5.0, "pause": 0.01, **more})


def talk(slack: SlackServer, channel: Channel, *said: tuple[User, str], days: float = 30) -> list[Message]:
    """A thread that began so many days ago, a message a minute."""
    made: list[Message] = []
    for number, (user, text) in enumerate(said):
        at = NOW - days * DAY + number * timedelta(minutes=1)
        made.append(slack.say(channel, user, text, thread_ts=made[0] if made else None, at=at))
    return made


async def documents(found: SlackSource) -> dict[str, str]:
    """The text of every document, below its fields, by id."""
    listing = await found.list()
    assert listing.complete
    return {entry.id: (await found.fetch(entry)).decode() for entry in listing.entries}


def body(text: str) -> str:
    return text.split("---\n", 2)[2].strip()


async def test_a_thread_is_a_document_with_names_dates_and_its_permalink(slack: SlackServer) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana Kim"), slack.user("Ben Ortiz")
    other = slack.channel("platform")
    asked, *_ = talk(
        slack,
        help_,
        (ana, "How do I rotate the *gateway* certificate?"),
        (ben, f"Ask in {other} or {ana} runs `rotate-cert &lt;host&gt;`."),
    )
    found = source(slack, help_)
    listing = await found.list()
    (entry,) = listing.entries
    assert entry.link == f"https://acme.slack.com/archives/{help_.id}/p{asked.ts.replace('.', '')}"
    text = (await found.fetch(entry)).decode()
    assert text.startswith('---\ntitle: "How do I rotate the gateway certificate?"\nupdated: "2026-05-02"\n')
    assert body(text) == (
        "**Ana Kim:** How do I rotate the **gateway** certificate?\n\n"
        "**Ben Ortiz:** Ask in #platform or @Ana Kim runs `rotate-cert <host>`."
    )


async def test_bots_joins_and_our_own_answers_are_left_out(slack: SlackServer) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
    deploys = slack.user("Deploys", bot=True)
    us = slack.bot_of()
    slack.join(help_, ana)
    talk(slack, help_, (ana, f"{us} how long is leave?"), (us, "16 weeks [1]"), (ana, "ok"), days=20)
    talk(slack, help_, (deploys, "deploy failed"), (ben, "looking"), days=19)
    talk(slack, help_, (deploys, "deploy 7 failed"), (ben, "disk was full"), (ana, "cleaned it up"), days=18)
    talk(slack, help_, (ana, f"{us} where is the runbook?"), (us, "In the wiki"), (ben, "moved to git"), days=17)
    texts = [body(text) for text in (await documents(source(slack, help_))).values()]
    assert sorted(texts) == [
        "**Ana:** @Refdesk where is the runbook?\n\n**Ben:** moved to git",
        "**Ben:** disk was full\n\n**Ana:** cleaned it up",
    ]


async def test_what_nobody_replied_to_is_left_out_unless_it_says_a_lot(slack: SlackServer) -> None:
    help_, ana = slack.channel("help"), slack.user("Ana")
    slack.say(help_, ana, "anyone for lunch?", at=NOW - DAY)
    long = slack.say(help_, ana, "How we deploy. " * 40, at=NOW - 2 * DAY)
    assert list(await documents(source(slack, help_))) == [f"{help_.id}/{long.ts}"]


async def test_old_threads_are_left_out_and_answered_ones_go_first(slack: SlackServer) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
    talk(slack, help_, (ana, "ancient?"), (ben, "yes"), days=500)
    marked = talk(slack, help_, (ana, "marked?"), (ben, "so"), days=300)
    slack.react(marked[0], "white_check_mark", ana)
    thanked = talk(slack, help_, (ana, "thanked?"), (ben, "so"), (ana, "that worked, thanks"), days=5)
    talk(slack, help_, (ana, "replied?"), (ben, "so"), days=4)
    slack.say(help_, ana, "alone " * 100, at=NOW - DAY)
    listing = await source(slack, help_, max_threads=2).list()
    assert {entry.id for entry in listing.entries} == {f"{help_.id}/{each[0].ts}" for each in (marked, thanked)}
    assert [(each.reason, each.detail) for each in listing.problems] == [("parse.note_threads_limit", "2")]
    assert len((await source(slack, help_).list()).entries) == 4


async def test_long_channels_and_long_threads_come_whole(slack: SlackServer) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
    for number in range(230):
        talk(slack, help_, (ana, f"question {number}?"), (ben, "answer"), days=40 + number / 10)
    talk(slack, help_, (ana, "long one?"), *[(ben, f"part {number}") for number in range(450)], days=30)
    found = source(slack, help_)
    listing = await found.list()
    assert len(listing.entries) == 231
    whole = next(entry for entry in listing.entries if entry.id == max(each.id for each in listing.entries))
    assert (await found.fetch(whole)).decode().count("**Ben:**") == 450


async def changes(slack: SlackServer, help_: Channel) -> dict[str, str]:
    return {entry.id: entry.fingerprint for entry in (await source(slack, help_).list()).entries}


async def test_a_fingerprint_changes_with_each_reply_edit_and_deletion_and_not_otherwise(slack: SlackServer) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
    thread = talk(slack, help_, (ana, "how?"), (ben, "so"), (ana, "ah"), days=1)
    still = talk(slack, help_, (ana, "what?"), (ben, "that"), days=100)
    id_, seen = f"{help_.id}/{thread[0].ts}", [await changes(slack, help_)]
    assert seen[0] == await changes(slack, help_)
    slack.edit(thread[1], "so, and then so")
    seen.append(await changes(slack, help_))
    slack.edit(thread[0], "how exactly?")
    seen.append(await changes(slack, help_))
    slack.delete(thread[2])
    seen.append(await changes(slack, help_))
    slack.say(help_, ben, "one more", thread_ts=thread[0])
    seen.append(await changes(slack, help_))
    assert len({each[id_] for each in seen}) == 5
    assert len({each[f"{help_.id}/{still[0].ts}"] for each in seen}) == 1
    slack.delete(still[1])
    slack.delete(thread[0])
    gone = await changes(slack, help_)
    assert f"{help_.id}/{still[0].ts}" not in gone


async def test_a_document_is_what_was_listed_even_when_the_thread_went_on(slack: SlackServer) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
    thread = talk(slack, help_, (ana, "how?"), (ben, "so"), days=40)
    found = source(slack, help_)
    (entry,) = (await found.list()).entries
    slack.say(help_, ben, "later", thread_ts=thread[0])
    assert "later" not in (await source(slack, help_).fetch(entry)).decode()
    del help_.messages[thread[0].ts], help_.messages[thread[1].ts]
    with pytest.raises(ParseError) as caught:
        await found.fetch(entry)
    assert caught.value.reason == "parse.gone"


async def test_an_unchanged_channel_costs_one_call_a_page_and_nobody_is_looked_up_twice(slack: SlackServer) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
    for number in range(20):
        talk(slack, help_, (ana, f"question {number}?"), (ben, f"{ana} answers"), days=40 + number)
    found = source(slack, help_)
    await documents(found)
    assert len(slack.called("users.info")) == 2
    slack.calls.clear()
    await found.list()
    assert [each.method for each in slack.calls] == ["auth.test", "conversations.info", "conversations.history"]


async def test_closed_channels_are_refused_and_lose_what_was_read_of_them(slack: SlackServer) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
    secret, shared, dm = slack.channel("secret", "private"), slack.channel("with-partner"), slack.dm(ana)
    slack.share(shared, slack.add_workspace("Partner", None))
    for channel in (help_, secret, shared):
        talk(slack, channel, (ana, "how?"), (ben, "so"))
    talk(slack, dm, (ana, "psst " * 100))
    gone = Channel("C404", "gone", "T1")
    found = source(slack, help_, secret, shared, dm, gone)
    listing = await found.list()
    assert [entry.id.partition("/")[0] for entry in listing.entries] == [help_.id]
    assert listing.complete
    assert reasons(listing) == {
        "#secret": "parse.slack_closed",
        "#with-partner": "parse.slack_closed",
        f"#{dm.id}": "parse.slack_direct",
        "C404": "parse.slack_unknown",
    }
    named = await source(slack, help_, secret, shared, dm, closed=frozenset({secret.id, shared.id, dm.id})).list()
    assert {entry.id.partition("/")[0] for entry in named.entries} == {help_.id, secret.id, shared.id}
    help_.kind = "private"
    assert (await source(slack, help_).list()).entries == ()


async def test_a_channel_that_was_closed_loses_what_was_read_of_it_though_another_cannot_be_listed(
    slack: SlackServer,
) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
    outside = slack.channel("outside", joined=False)
    talk(slack, help_, (ana, "how?"), (ben, "so"))
    (entry,) = (await source(slack, help_, outside).list()).entries
    record = DocumentRecord(entry.id, "0" * 64, "an old one", "how?", "en", 1)
    help_.kind = "private"
    listing = await source(slack, help_, outside).list()
    assert not listing.complete
    assert plan(listing, {entry.id: record}, (), Recipe("1")).unchanged == {}


def reasons(listing: Listing) -> dict[str, str]:
    return {problem.document: problem.reason for problem in listing.problems}


async def test_a_channel_that_cannot_be_listed_now_makes_the_listing_incomplete(slack: SlackServer) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
    outside = slack.channel("outside", joined=False)
    talk(slack, help_, (ana, "how?"), (ben, "so"))
    listing = await source(slack, help_, outside).list()
    assert (len(listing.entries), listing.complete) == (1, False)
    assert reasons(listing) == {"#outside": "parse.slack_outside"}
    slack.faults.add("conversations.history", Status(503), times=None, when=lambda args: args["channel"] == help_.id)
    with pytest.raises(SourceError) as caught:
        await source(slack, help_, outside).list()
    assert caught.value.reason == "error.slack_channels"


async def test_slack_is_waited_for_as_long_as_it_asks_and_asked_again_after_a_fault(slack: SlackServer) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
    talk(slack, help_, (ana, "how?"), (ben, "so"))
    for fault in (TooMany(1), Status(500), Reset()):
        slack.faults.add("conversations.history", fault)
    found = source(slack, help_)
    began = slack.now
    listing = await found.list()
    assert (len(listing.entries), listing.complete) == (1, True)
    assert slack.now - began >= 1
    slack.faults.add("conversations.replies", TooMany(60), times=None)
    with pytest.raises(ParseError) as caught:
        await found.fetch(listing.entries[0])
    assert caught.value.reason == "parse.slack_failed"


async def test_reading_leaves_room_for_those_who_are_answered_meanwhile(slack: SlackServer) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
    for number in range(40):
        talk(slack, help_, (ana, f"question {number}?"), (ben, "so"), days=1 + number / 100)
    budget = Budget()
    listing = asyncio.ensure_future(source(slack, help_, web=calls(slack, budget=budget, share=0.6)).list())
    await slack.until(lambda: budget.wait("conversations.replies", ana.workspace, share=0.6))
    for _ in range(15):
        assert budget.take("conversations.replies", ana.workspace)
    listing.cancel()


async def test_pages_that_lead_in_a_circle_make_no_listing(slack: SlackServer) -> None:
    help_ = slack.channel("help")
    page = {"ok": True, "messages": [], "response_metadata": {"next_cursor": "again"}}
    slack.faults.add("conversations.history", Status(200, json.dumps(page), "application/json"), times=None)
    with pytest.raises(SourceError) as caught:
        await source(slack, help_).list()
    assert "same page" in caught.value.user_message("en")


@pytest.mark.parametrize(
    ("token", "scopes", "reason"),
    [
        ("xoxb-wrong", frozenset[str](), "error.slack_token"),
        (None, frozenset({"channels:history"}), "error.slack_scope"),
        (None, frozenset({"channels:read"}), "error.slack_scope"),
        (None, frozenset({"users:read"}), "error.slack_scope"),
    ],
)
async def test_a_token_that_cannot_be_used_says_what_is_missing(
    slack: SlackServer, token: str | None, scopes: frozenset[str], reason: str
) -> None:
    help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
    talk(slack, help_, (ana, "how?"), (ben, "so"))
    slack.world.installs[slack.bot_token].scopes -= scopes

    async def given(_: str) -> str:
        return slack.bot_token if token is None else token

    with pytest.raises(SourceError) as caught:
        await source(slack, help_, web=SlackWeb(given, slack.base_url, pause=0.01)).list()
    assert caught.value.reason == reason
    assert "{" not in caught.value.user_message("en")
