"""What `refdesk check` says of Slack: each thing that is missing, with its remedy, and never a token."""

from __future__ import annotations

from typing import Any

import pytest

from bots.slack_check import slack_lines
from bots.slack_features import NAMES, events_of, scopes_of
from bots.slack_settings import SlackSettings
from core.messages import Language
from core.wording import say
from tests.slack_server import SlackServer, Status


def settings(slack: SlackServer, **more: Any) -> SlackSettings:
    given = {"bot_token": slack.bot_token, "app_token": slack.app.app_token, "base_url": slack.base_url, **more}
    return SlackSettings.model_validate(given)


async def told(slack: SlackServer, language: Language = "en", **more: Any) -> tuple[str, bool]:
    lines, missing = await slack_lines(settings(slack, **more), language)
    text = "\n".join(lines)
    for secret in (slack.bot_token, slack.app.app_token, slack.app.signing_secret, "xapp-wrong", "xoxb-wrong"):
        assert secret not in text
    return text, missing


async def test_without_slack_there_is_one_line() -> None:
    assert await slack_lines(SlackSettings(), "en") == (["Slack: not configured (SLACK_BOT_TOKEN is not set)."], False)
    lines, missing = await slack_lines(SlackSettings(mode="off"), "ko")
    assert (len(lines), missing) == (1, False)


async def test_an_app_made_from_the_manifest_lacks_nothing() -> None:
    async with SlackServer() as slack:
        install = slack.world.installs[slack.bot_token]
        install.scopes = set(scopes_of(NAMES))
        text, missing = await told(slack)
        assert not missing
        assert "Acme" in text
        assert "@refdesk" in text
        assert f"all {len(scopes_of(NAMES))}" in text
        assert f"https://api.slack.com/apps/{slack.app.id}/event-subscriptions" in text
        assert slack.sockets.opened == 0


@pytest.mark.parametrize("scope", scopes_of(NAMES))
@pytest.mark.parametrize("language", ["en", "ko"])
async def test_a_scope_that_is_missing_is_named_with_what_it_is_for(scope: str, language: Language) -> None:
    async with SlackServer() as slack:
        slack.world.installs[slack.bot_token].scopes.discard(scope)
        text, missing = await told(slack, language)
        assert missing
        assert f"{scope}: {say(scopes_of(NAMES)[scope], language)}" in text
        assert "refdesk slack manifest" in text


async def test_a_scope_of_a_feature_that_was_left_out_is_not_missed() -> None:
    async with SlackServer() as slack:
        slack.world.installs[slack.bot_token].scopes -= {"groups:history", "groups:read"}
        assert not (await told(slack, features=tuple(each for each in NAMES if each != "private_channels")))[1]


@pytest.mark.parametrize("name", ["bot_token", "app_token"])
async def test_a_token_that_slack_does_not_know_is_told(name: str) -> None:
    async with SlackServer() as slack:
        wrong = {"bot_token": "xoxb-wrong", "app_token": "xapp-wrong"}[name]
        text, missing = await told(slack, **{name: wrong})
        assert missing
        assert ("SLACK_APP_TOKEN" in text) == (name == "app_token")
        assert "invalid_auth" in text


@pytest.mark.parametrize(("name", "begins"), [("bot_token", "xoxb-"), ("app_token", "xapp-")])
async def test_a_token_from_another_field_is_recognised(name: str, begins: str) -> None:
    async with SlackServer() as slack:
        text, missing = await told(slack, **{name: "xoxp-a-users-token"})
        assert missing
        assert begins in text
        assert "xoxp" not in text


async def test_tokens_of_two_apps_are_recognised() -> None:
    async with SlackServer() as slack:
        slack.app.app_token = "xapp-1-A0OTHER-9"
        text, missing = await told(slack)
        assert missing
        assert "A0OTHER" in text
        assert slack.app.id in text


async def test_an_uninstalled_app_is_told() -> None:
    async with SlackServer() as slack:
        slack.world.installs[slack.bot_token].revoked = True
        text, missing = await told(slack)
        assert missing
        assert "install the app again" in text


async def test_a_missing_secret_is_named_without_asking_slack() -> None:
    async with SlackServer() as slack:
        assert "SLACK_APP_TOKEN" in (await told(slack, app_token=""))[0]
        text, missing = await told(slack, mode="http")
        assert missing
        assert "SLACK_SIGNING_SECRET" in text
        assert slack.calls == []


async def test_with_a_configuration_token_each_event_that_is_not_sent_is_named() -> None:
    wanted = events_of(NAMES)
    async with SlackServer() as slack:
        slack.app.events = set(wanted)
        text, missing = await told(slack, config_token=slack.app.config_token)
        assert not missing
        assert f"all {len(wanted)} events" in text
        for event in wanted:
            slack.app.events = set(wanted) - {event}
            text, missing = await told(slack, "ko", config_token=slack.app.config_token)
            assert missing
            assert f"이벤트 {event}을(를)" in text
            assert text.count("구독하지 않음") == 1


@pytest.mark.parametrize("token", ["xoxb-of-the-bot", "xoxe.xoxp-run-out"])
async def test_a_configuration_token_that_will_not_do_is_told_and_not_shown(token: str) -> None:
    async with SlackServer() as slack:
        text, missing = await told(slack, config_token=token)
        assert missing
        assert token not in text
        assert "event-subscriptions" in text


async def test_over_http_the_app_token_is_not_needed() -> None:
    async with SlackServer() as slack:
        text, missing = await told(slack, mode="http", signing_secret=slack.app.signing_secret, app_token="")
        assert not missing
        assert "127.0.0.1:3000" in text


async def test_slack_being_down_is_no_missing_scope() -> None:
    async with SlackServer() as slack:
        slack.faults.add("auth.test", Status(503), times=None)
        text, missing = await told(slack)
        assert missing
        assert "permission" not in text


async def test_several_workspaces_are_shown_where_they_install() -> None:
    async with SlackServer() as slack:
        own = {"mode": "http", "workspaces": "several", "teams": ("T0123",), "public_url": "https://desk.acme.example"}
        secrets = {"client_id": "1.2", "client_secret": "s", "secret_key": "k" * 32, "signing_secret": "s"}
        text, missing = await told(slack, **own, **secrets)
        assert not missing
        assert "https://desk.acme.example/slack/install" in text
        assert "SLACK_CLIENT_SECRET" in (await told(slack, **own, **{**secrets, "client_secret": ""}))[0]
        assert "REFDESK_SECRET_KEY" in (await told(slack, **own, **{**secrets, "secret_key": "short"}))[0]
