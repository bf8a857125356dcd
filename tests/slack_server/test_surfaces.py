"""Streams, status lines, prompts, modals, the Home tab, ephemeral messages, rate limits and faults."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.models.messages.chunk import MarkdownTextChunk
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_server import ReplyLost, Reset, Rules, SlackServer, Slow, Status, TooMany
from tests.slack_server.bolt import client_of
from tests.slack_server.test_messages import code


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    async with SlackServer(Rules(ack_seconds=0.1, retries=(), stream_seconds=0.3, status_seconds=0.3)) as server:
        yield server


@pytest.fixture
async def client(slack: SlackServer) -> AsyncIterator[AsyncWebClient]:
    async with client_of(slack) as made:
        yield made


async def test_a_stream_grows_and_ends_with_its_blocks(slack: SlackServer, client: AsyncWebClient) -> None:
    asked = slack.say(slack.channel("general"), slack.user("Ana"), "hello")
    to: dict[str, Any] = {"recipient_team_id": slack.workspace.id, "recipient_user_id": asked.user}
    stream = await client.chat_stream(channel=asked.channel, thread_ts=asked.ts, buffer_size=4, **to)
    await stream.append(markdown_text="Hello ")
    message = slack.bot_messages(asked)[0]
    assert (message.text, message.is_streaming) == ("Hello ", True)
    await stream.append(markdown_text="world")
    await stream.stop(blocks=[{"type": "divider"}])
    assert (message.text, message.is_streaming) == ("Hello world", False)
    assert [each["type"] for each in message.blocks] == ["markdown", "divider"]
    assert await slack.answer_in(asked) is message


async def test_streams_are_refused_and_end_as_slack_does_it(slack: SlackServer, client: AsyncWebClient) -> None:
    general, ana = slack.channel("general"), slack.user("Ana")
    asked = slack.say(general, ana, "hello")
    here: dict[str, Any] = {"channel": general.id, "thread_ts": asked.ts}
    to: dict[str, Any] = {"recipient_team_id": slack.workspace.id, "recipient_user_id": ana.id}
    assert await code(client.chat_startStream(**here)) == "missing_recipient_team_id"
    assert await code(client.chat_startStream(**here, markdown_text="x" * 12_001, **to)) == "msg_too_long"
    ts = (await client.chat_startStream(**here, **to, markdown_text="a"))["ts"]
    it: dict[str, Any] = {"channel": general.id, "ts": ts}
    chunk = [MarkdownTextChunk(text="b")]
    assert await code(client.chat_appendStream(**it, chunks=chunk)) == "streaming_mode_mismatch"
    assert await code(client.chat_update(**it, text="whole")) == "streaming_state_conflict"
    await slack.until(lambda: slack.now - general.messages[ts].stream.began > 0.35)  # type: ignore[union-attr]
    assert await code(client.chat_appendStream(**it, markdown_text="b")) == "message_not_in_streaming_state"
    await client.chat_update(**it, text="whole")
    second = (await client.chat_startStream(**here, **to))["ts"]
    slack.stop_stream(general.messages[second])
    assert await code(client.chat_stopStream(channel=general.id, ts=second)) == "stopped_by_user"
    slack.rules.streams_in = frozenset({"im"})
    assert await code(client.chat_startStream(**here, **to)) == "channel_type_not_supported"


async def test_a_status_stands_until_it_runs_out_or_the_app_speaks(slack: SlackServer, client: AsyncWebClient) -> None:
    asked = slack.say(slack.channel("general"), slack.user("Ana"), "hello")
    where: dict[str, Any] = {"channel_id": asked.channel, "thread_ts": asked.ts}
    await client.assistant_threads_setStatus(**where, status="is reading…", loading_messages=["one", "two"])
    assert slack.status_in(asked) == "is reading…"
    assert (slack.first_sign(asked) or 9) < 1
    await client.chat_postMessage(channel=asked.channel, thread_ts=asked.ts, text="done")
    assert slack.status_in(asked) == ""
    await client.assistant_threads_setStatus(**where, status="is thinking…")
    await slack.until(lambda: not slack.status_in(asked), 2)
    gone: dict[str, Any] = {"channel_id": asked.channel, "thread_ts": "1.000001", "status": "x"}
    assert await code(client.assistant_threads_setStatus(**gone)) == "invalid_thread_ts"


async def test_prompts_show_in_an_agent_app_only_without_a_thread(slack: SlackServer, client: AsyncWebClient) -> None:
    dm = slack.dm(slack.user("Ana"))
    prompts: Any = [{"title": "Leave", "message": "How long is parental leave?"}]
    await client.assistant_threads_setSuggestedPrompts(channel_id=dm.id, thread_ts="1.1", prompts=prompts)
    assert slack.prompts == {}
    await client.assistant_threads_setSuggestedPrompts(channel_id=dm.id, prompts=prompts)
    assert slack.prompts == {(dm.id, ""): prompts}
    call = client.assistant_threads_setSuggestedPrompts(channel_id=dm.id, prompts=prompts * 5)
    assert await code(call) == "invalid_arguments"


async def test_ephemeral_messages_reach_one_person_and_leave_no_trace(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    general, ana, ben = slack.channel("general"), slack.user("Ana"), slack.user("Ben")
    slack.say(general, ana, "hello")
    await client.chat_postEphemeral(channel=general.id, user=ana.id, text="only you")
    assert [each.text for each in slack.shown_to(ana)] == ["only you"]
    assert slack.bot_messages(general) == []
    assert await code(client.chat_postEphemeral(channel=general.id, user=ben.id, text="x")) == "user_not_in_channel"


async def test_a_home_tab_is_published_for_one_person(slack: SlackServer, client: AsyncWebClient) -> None:
    ana = slack.user("Ana")
    await client.views_publish(user_id=ana.id, view={"type": "home", "blocks": [{"type": "divider"}]})
    assert slack.home_of(ana) is not None
    assert await code(client.views_open(trigger_id="x", view={"type": "modal"})) == "invalid_trigger_id"


async def test_with_rate_limits_on_a_channel_takes_a_message_a_second(
    client: AsyncWebClient, slack: SlackServer
) -> None:
    slack.rules.rates = True
    general = slack.channel("general")
    await client.chat_postMessage(channel=general.id, text="one")
    with pytest.raises(SlackApiError) as caught:
        await client.chat_postMessage(channel=general.id, text="two")
    assert (caught.value.response.status_code, caught.value.response.headers["Retry-After"]) == (429, "1")
    await client.chat_postMessage(channel=slack.channel("random").id, text="elsewhere")
    patient = AsyncRateLimitErrorRetryHandler(max_retry_count=2)
    client.retry_handlers.append(patient)
    await client.chat_postMessage(channel=general.id, text="two")
    for number in range(20):
        await client.users_list(limit=1 + number)
    client.retry_handlers.clear()
    assert await code(client.users_list()) == "ratelimited"
    assert len(slack.refused("ratelimited")) >= 2


async def test_faults_happen_to_the_calls_they_are_planned_for(client: AsyncWebClient, slack: SlackServer) -> None:
    general = slack.channel("general")

    async def post() -> None:
        await client.chat_postMessage(channel=general.id, text="x")

    slack.faults.add("chat.postMessage", Status(500))
    slack.faults.add("chat.postMessage", TooMany(7))
    slack.faults.add("chat.postMessage", Reset())
    slack.faults.add("chat.postMessage", ReplyLost())
    slack.faults.add("chat.postMessage", Slow(0.2))
    for status in (500, 429):
        with pytest.raises(SlackApiError) as caught:
            await post()
        assert caught.value.response.status_code == status
    for posted in (0, 1):
        with pytest.raises(aiohttp.ClientError):
            await post()
        assert len(slack.bot_messages(general)) == posted
    began = time.monotonic()
    await post()
    assert time.monotonic() - began >= 0.2
    assert len(slack.bot_messages(general)) == 2
