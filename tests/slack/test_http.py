"""Requests over HTTP: only Slack's own are heard, each event once, and nothing makes the process stumble."""

from __future__ import annotations

import io
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from tests.slack.conftest import Opens
from tests.slack.town import LEAVE, Town
from tests.slack_server.webhooks import signature

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def town(opens: Opens) -> AsyncIterator[Town]:
    async with opens(slack={"mode": "http"}) as opened:
        yield opened


async def sent(town: Town, body: bytes, timestamp: str | None = None, **headers: str) -> int:
    """The status that a request gets; signed unless the headers say otherwise."""
    assert town.slack.webhooks is not None
    stamp = str(int(time.time())) if timestamp is None else timestamp
    signed = signature(town.slack.app.signing_secret, stamp, body.decode("utf-8", "replace"))
    told = {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": signed, "Content-Type": "application/json"}
    async with (
        aiohttp.ClientSession() as session,
        session.post(town.slack.webhooks.url, data=io.BytesIO(body), headers={**told, **headers}) as answer,
    ):
        await answer.read()
        return answer.status


def an_event(town: Town, text: str = "hello") -> bytes:
    event = {"type": "message", "channel": town.general.id, "channel_type": "channel", "ts": "1.2", "text": text}
    body: dict[str, Any] = {"type": "event_callback", "team_id": town.ana.workspace, "event_id": "Ev1"}
    return json.dumps({**body, "event": {**event, "user": town.ana.id}}).encode()


async def test_an_event_that_is_signed_is_heard(town: Town) -> None:
    assert town.service.slack is not None
    assert await sent(town, an_event(town)) == 200
    assert town.service.slack.pulse.silence < 5
    assert town.service.slack.pulse.connected


@pytest.mark.parametrize("stamp", ["", "soon", "12.5", "-1", "٣٣", "9" * 5000, "0"])
async def test_a_timestamp_that_is_old_or_no_number_is_refused(town: Town, stamp: str) -> None:
    assert await sent(town, an_event(town), stamp, **{"X-Slack-Request-Timestamp": stamp}) == 401


async def test_what_was_signed_ten_minutes_ago_is_refused(town: Town) -> None:
    assert await sent(town, an_event(town), str(int(time.time()) - 600)) == 401


@pytest.mark.parametrize("signed", ["", "v0=00", "v1=abc"])
async def test_another_signature_is_refused_and_is_no_sign_of_slack(town: Town, signed: str) -> None:
    assert town.service.slack is not None
    before = town.service.slack.pulse.heard_at
    assert await sent(town, an_event(town), **{"X-Slack-Signature": signed}) == 401
    assert town.service.slack.pulse.heard_at == before


async def test_a_body_that_is_too_long_is_refused(town: Town) -> None:
    try:
        assert await sent(town, b'{"text": "' + b"x" * 2_000_000 + b'"}') == 413
    except aiohttp.ClientConnectionError:  # the answer came before all was sent, and the line was cut
        return


@pytest.mark.parametrize("body", [b"\xff\xfe\x00", b"", b"{", b"[1, 2]", b'"text"', b"payload=%7B"])
async def test_a_body_that_is_no_event_is_no_reason_to_stumble(town: Town, body: bytes) -> None:
    assert await sent(town, body) < 500


async def test_a_charset_that_nobody_knows_is_refused(town: Town) -> None:
    assert await sent(town, an_event(town), **{"Content-Type": "application/json; charset=klingon"}) == 401


async def test_an_event_that_slack_sends_again_is_answered_once(town: Town) -> None:
    asked = town.ask("how many days of annual leave?")
    await town.slack.courier.settled()
    body = json.dumps(town.slack.deliveries[0].body).encode()
    again = {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"}
    assert await sent(town, body, **again) == 200
    assert LEAVE in (await town.answered(asked)).words
    assert await sent(town, body, **again) == 200
    await town.calm()
    assert len(town.slack.bot_messages(asked)) == 1


async def test_slack_can_verify_the_address(town: Town) -> None:
    assert town.slack.webhooks is not None
    assert await town.slack.webhooks.verify_url()


async def test_nothing_else_stands_there(town: Town) -> None:
    assert town.slack.webhooks is not None
    base = town.slack.webhooks.url.removesuffix("/slack/events")
    async with aiohttp.ClientSession() as session:
        for path in ("/", "/slack/install", "/slack/oauth_redirect", "/metrics"):
            async with session.get(base + path) as answer:
                assert answer.status == 404
