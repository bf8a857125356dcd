"""Events over HTTP with the real app: signed, retried, and refused when the signature is not Slack's. And OAuth."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_server import AppConfig, Rules, SlackServer
from tests.slack_server.bolt import client_of, over_http
from tests.slack_server.test_socket_mode import Everything

QUICK = Rules(ack_seconds=0.5, retries=(0.0, 0.05, 0.1))


async def test_events_commands_and_clicks_arrive_signed() -> None:
    app = Everything()
    async with over_http(app.register, rules=QUICK) as slack:
        assert slack.webhooks is not None
        assert await slack.webhooks.verify_url()
        general, ana = slack.channel("general"), slack.user("Ana")
        answer = await slack.answer_in(slack.say(general, ana, f"{slack.bot_of()} hello"))
        assert "hello" in answer.text
        assert (await slack.command("/refdesk", "status", ana, general)).reply == {"text": "working on status"}
        assert slack.shown_to(ana)[0].text == "working on status"
        await slack.shortcut(answer, "ask", ana)
        await slack.courier.settled()
        assert not any(each.lost for each in slack.deliveries)


async def test_a_request_with_another_signature_is_refused() -> None:
    app = Everything()
    async with over_http(app.register, rules=Rules(ack_seconds=0.5, retries=(0.0,))) as slack:
        assert slack.webhooks is not None
        slack.webhooks.secret = "somebody else's"
        slack.say(slack.channel("general"), slack.user("Ana"), "hello")
        await slack.courier.settled()
        assert slack.deliveries[0].failures == ["http_error", "http_error"]
        assert app.heard == []


async def test_an_app_that_is_down_gets_the_event_when_it_is_up() -> None:
    failing = [True]

    def register(app: AsyncApp) -> None:
        @app.middleware
        async def stumble(next_: Any) -> None:
            if failing[0]:
                failing[0] = False
                raise RuntimeError("down")
            await next_()

        @app.error
        async def quiet(error: Exception) -> None:
            del error

        Everything.register(heard, app)

    heard = Everything()
    async with over_http(register, rules=QUICK) as slack:
        slack.say(slack.channel("general"), slack.user("Ana"), "hello")
        await slack.courier.settled()
        assert slack.deliveries[0].failures == ["http_error"]
        assert heard.heard == [("message", "", "1")]


@pytest.mark.filterwarnings("ignore:BasicAuth is deprecated")  # slack_sdk still uses it
async def test_an_oauth_code_becomes_an_installation_with_its_own_token() -> None:
    async with SlackServer(app=AppConfig(redirect_codes={})) as slack, client_of(slack) as client:
        other = slack.add_workspace("Other", None)
        slack.app.redirect_codes["code-1"] = other.id
        given: dict[str, Any] = {"client_id": slack.app.client_id, "client_secret": slack.app.client_secret}
        made = await client.oauth_v2_access(**given, code="code-1")
        assert made["team"]["id"] == other.id
        theirs = AsyncWebClient(made["access_token"], base_url=slack.base_url)
        assert (await theirs.auth_test())["team"] == "Other"
        refused = await aiohttp_error(slack, **given, code="code-1")
        assert refused == "invalid_code"


async def aiohttp_error(slack: SlackServer, **form: str) -> str:
    """The code that a form is refused with, without any client's help."""
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{slack.base_url}oauth.v2.access", data=form) as answer,
    ):
        return str((await answer.json())["error"])
