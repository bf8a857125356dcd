"""Posting, changing and limits: what Slack takes, what it refuses and with which code, and whom it tells."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.models.blocks import MarkdownBlock
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_server import Channel, Rules, SlackServer
from tests.slack_server.bolt import client_of


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    async with SlackServer(Rules(ack_seconds=0.1, retries=())) as server:
        yield server


@pytest.fixture
async def client(slack: SlackServer) -> AsyncIterator[AsyncWebClient]:
    async with client_of(slack) as made:
        yield made


async def code(call: Any) -> str:
    """The code that a call is refused with."""
    with pytest.raises(SlackApiError) as caught:
        await call
    return str(caught.value.response["error"])


def section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


async def test_a_posted_message_stands_in_its_thread_and_is_told_as_an_event(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    general = slack.channel("general")
    asked = slack.say(general, slack.user("Ana"), "hello")
    posted = await client.chat_postMessage(channel=general.id, thread_ts=asked.ts, text="hi", unfurl_links=False)
    assert [each.text for each in general.thread(asked.ts)] == ["hello", "hi"]
    assert posted["ts"] > asked.ts
    told = [each.event for each in slack.deliveries]
    assert [(each["text"], each.get("bot_id", "")) for each in told] == [("hello", ""), ("hi", slack.bot_of().bot_id)]
    assert told[1]["parent_user_id"] == asked.user


async def test_an_update_keeps_the_blocks_that_it_does_not_name_and_is_told_as_a_change(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    general = slack.channel("general")
    ts = (await client.chat_postMessage(channel=general.id, text="…", blocks=[MarkdownBlock(text="**wait**")]))["ts"]
    await client.chat_update(channel=general.id, ts=ts, text="done")
    message = general.messages[ts]
    assert (message.text, message.words) == ("done", "**wait**")
    await client.chat_update(channel=general.id, ts=ts, text="done", blocks=[])
    assert message.words == "done"
    change = slack.deliveries[-1].event
    assert (change["subtype"], change["previous_message"]["text"]) == ("message_changed", "done")


async def test_links_of_an_app_are_unfurled_unless_it_says_no(slack: SlackServer, client: AsyncWebClient) -> None:
    general = slack.channel("general")
    await client.chat_postMessage(channel=general.id, text="see https://example.com/a")
    quiet: dict[str, Any] = {"unfurl_links": False, "unfurl_media": False}
    await client.chat_postMessage(channel=general.id, text="see https://example.com/b", **quiet)
    told = [each.event.get("subtype", "") for each in slack.deliveries]
    assert told == ["", "message_changed", ""]


@pytest.mark.parametrize(
    ("message", "refused"),
    [
        ({"text": "x" * 40_001}, "msg_too_long"),
        ({"text": ""}, "no_text"),
        ({"markdown_text": "x" * 12_001}, "msg_too_long"),
        ({"markdown_text": "x", "text": "y"}, "markdown_text_conflict"),
        ({"blocks": [section("x")] * 51}, "invalid_blocks"),
        ({"blocks": [section("x" * 3001)]}, "invalid_blocks"),
        ({"blocks": [section("")]}, "invalid_blocks"),
        ({"blocks": [section("x" * 2900)] * 5}, "msg_blocks_too_long"),
        ({"blocks": [{"type": "markdown", "text": "x" * 12_001}]}, "invalid_blocks"),
        ({"blocks": [{"type": "markdown", "text": "x" * 7000}] * 2}, "msg_blocks_too_long"),
        ({"blocks": [{"type": "header", "text": {"type": "plain_text", "text": "x" * 151}}]}, "invalid_blocks"),
        ({"blocks": [{"type": "nonsense"}]}, "invalid_blocks"),
        ({"blocks": [section("x") | {"block_id": "a"}] * 2}, "invalid_blocks"),
        ({"thread_ts": "1.000001", "text": "x"}, "thread_not_found"),
        ({"channel": "C404", "text": "x"}, "channel_not_found"),
    ],
)
async def test_what_slack_would_not_take_is_refused_with_its_code(
    slack: SlackServer, client: AsyncWebClient, message: dict[str, Any], refused: str
) -> None:
    general = slack.channel("general")
    whole = {"channel": general.id, **({"text": "fallback"} if "blocks" in message else {}), **message}
    assert await code(client.api_call("chat.postMessage", json=whole)) == refused
    assert [each.error for each in slack.refused()] == [refused]


async def test_channels_that_are_closed_to_the_app_say_how(slack: SlackServer, client: AsyncWebClient) -> None:
    outside, secret = slack.channel("outside", joined=False), slack.channel("secret", "private", joined=False)
    old = slack.channel("old")
    old.archived = True
    theirs = slack.say(slack.channel("general"), slack.user("Ana"), "mine")
    assert await code(client.chat_postMessage(channel=outside.id, text="x")) == "not_in_channel"
    assert await code(client.chat_postMessage(channel=secret.id, text="x")) == "channel_not_found"
    assert await code(client.chat_postMessage(channel=old.id, text="x")) == "is_archived"
    assert await code(client.conversations_history(channel=outside.id)) == "not_in_channel"
    assert await code(client.chat_update(channel=theirs.channel, ts=theirs.ts, text="x")) == "cant_update_message"
    assert await code(client.chat_update(channel=theirs.channel, ts="1.000001", text="x")) == "message_not_found"


async def test_a_missing_scope_is_named(slack: SlackServer, client: AsyncWebClient) -> None:
    private = slack.channel("private", "private")
    slack.world.installs[slack.bot_token].scopes -= {"chat:write", "groups:history"}
    with pytest.raises(SlackApiError) as caught:
        await client.chat_postMessage(channel=private.id, text="x")
    assert (caught.value.response["error"], caught.value.response["needed"]) == ("missing_scope", "chat:write")
    assert await code(client.conversations_history(channel=private.id)) == "missing_scope"


async def test_tokens_are_told_apart(slack: SlackServer, client: AsyncWebClient) -> None:
    assert (await client.auth_test())["user_id"] == slack.bot_of().id
    assert await code(client.auth_test(token="xoxb-wrong")) == "invalid_auth"
    slack.uninstall(slack.workspace)
    assert await code(client.auth_test()) == "account_inactive"


@pytest.mark.parametrize("many", [3, 250])
async def test_history_and_replies_come_in_pages(slack: SlackServer, client: AsyncWebClient, many: int) -> None:
    general, ana = slack.channel("general"), slack.user("Ana")
    roots = [slack.say(general, ana, f"root {n}") for n in range(many)]
    for number in range(many):
        slack.say(general, ana, f"reply {number}", thread_ts=roots[0])
    seen, cursor = [], None
    while cursor != "":
        page = await client.conversations_history(channel=general.id, limit=100, cursor=cursor)
        seen += [each["text"] for each in page["messages"]]
        cursor = page["response_metadata"]["next_cursor"]
    assert seen == [f"root {n}" for n in reversed(range(many))]
    thread = await client.conversations_replies(channel=general.id, ts=roots[0].ts, limit=1000)
    assert [each["text"] for each in thread["messages"]] == ["root 0", *[f"reply {n}" for n in range(many)]]
    assert thread["messages"][0]["reply_count"] == many


async def test_bounds_of_history_leave_their_ends_out_unless_inclusive(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    general, ana = slack.channel("general"), slack.user("Ana")
    one, two, three = (slack.say(general, ana, text) for text in ("one", "two", "three"))
    bounds: dict[str, Any] = {"channel": general.id, "oldest": one.ts, "latest": three.ts}
    assert [each["ts"] for each in (await client.conversations_history(**bounds))["messages"]] == [two.ts]
    whole = await client.conversations_history(**bounds, inclusive=True)
    assert [each["text"] for each in whole["messages"]] == ["three", "two", "one"]


async def test_who_and_what_there_is_can_be_looked_up(slack: SlackServer, client: AsyncWebClient) -> None:
    ana, guest = slack.user("Ana Kim", admin=True), slack.user("Gil", guest=1)
    partner = slack.add_workspace("Partner", None)
    shared, stranger = slack.channel("shared"), slack.user("Pat", partner)
    slack.share(shared, partner)
    slack.say(shared, stranger, "hello")
    slack.workspace.groups["S1"] = [ana.id]
    assert (await client.users_info(user=ana.id))["user"]["profile"]["display_name"] == "Ana Kim"
    assert (await client.users_info(user=guest.id))["user"]["is_restricted"]
    assert (await client.users_info(user=stranger.id))["user"]["is_stranger"]
    assert (await client.conversations_info(channel=shared.id))["channel"]["is_ext_shared"]
    assert (await client.usergroups_users_list(usergroup="S1"))["users"] == [ana.id]
    assert stranger.id in (await client.conversations_members(channel=shared.id))["members"]
    dm = (await client.conversations_open(users=ana.id))["channel"]["id"]
    assert dm == slack.dm(ana).id
    listed: list[Channel | str] = [each["id"] for each in (await client.conversations_list())["channels"]]
    assert listed == [shared.id]
    link = await client.chat_getPermalink(channel=shared.id, message_ts=next(iter(shared.messages)))
    assert link["permalink"].startswith(f"https://acme.slack.com/archives/{shared.id}/p")
