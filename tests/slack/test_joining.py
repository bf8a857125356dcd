"""Several workspaces: each installs the app by itself, is answered with its own token, and forgotten when it leaves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest

from adapters.clock import SystemClock
from bots.compose.base import opened_base
from bots.compose.models import Models
from bots.compose.service import Service, service_over
from bots.compose.slack import opened_slack
from bots.slack_connection import connected
from core.errors import ConfigError
from tests.slack.town import LEAVE, Home, free_port, is_whole, quick
from tests.slack.voices import speaking
from tests.slack_server import SlackServer, Workspace

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.filterwarnings("ignore:BasicAuth is deprecated"),  # slack_sdk still uses it
]
KEY = "0123456789abcdef" * 2


@dataclass
class Inn:
    """A service that any of the allowed workspaces may install."""

    slack: SlackServer
    service: Service
    base: str

    async def begin(self) -> tuple[str, str]:
        """The state that an admin's browser is sent to Slack with, and where it is to come back to."""
        async with (
            aiohttp.ClientSession() as browser,
            browser.get(f"{self.base}/slack/install", allow_redirects=False) as answer,
        ):
            assert answer.status == 302
            asked = parse_qs(urlsplit(answer.headers["Location"]).query)
            return asked["state"][0], asked["redirect_uri"][0]

    async def finish(self, state: str, code: str, cookie: str | None = None) -> tuple[int, str]:
        """The browser comes back from Slack."""
        headers = {"Cookie": f"slack-app-oauth-state={state if cookie is None else cookie}"}
        where = f"{self.base}/slack/oauth_redirect?code={code}&state={state}"
        async with aiohttp.ClientSession() as browser, browser.get(where, headers=headers) as answer:
            return answer.status, await answer.text()

    async def install(self, workspace: Workspace) -> tuple[int, str]:
        """All of it."""
        self.slack.app.redirect_codes["code"] = workspace.id
        state, _ = await self.begin()
        return await self.finish(state, "code")


@asynccontextmanager
async def opened_inn(
    home: Home, folder: Path, teams: tuple[str, ...] = ("*",), models: Models | None = None
) -> AsyncIterator[Inn]:
    """A Slack in which the app is installed nowhere yet, and a service that waits for it."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    async with SlackServer(quick(), request_url=f"{url}/slack/events") as slack, AsyncExitStack() as stack:
        own = {"mode": "http", "port": port, "workspaces": "several", "teams": teams, "bot_token": ""}
        app = {"client_id": slack.app.client_id, "client_secret": slack.app.client_secret, "secret_key": KEY}
        several = {**own, **app, "public_url": "https://desk.acme.example"}
        settings = home.settings(home.copied(folder), slack, slack=several)
        base = await opened_base(stack, settings, home.embedders, SystemClock(), models or speaking())
        service = await service_over(stack, base, await opened_slack(stack, base))
        await stack.enter_async_context(connected(service))
        yield Inn(slack, service, url)


async def test_a_workspace_installs_the_app_and_is_answered(home: Home, tmp_path: Path) -> None:
    async with opened_inn(home, tmp_path) as inn:
        there = inn.slack.add_workspace("Elsewhere", None)
        state, redirect = await inn.begin()
        assert redirect == "https://desk.acme.example/slack/oauth_redirect"
        assert state
        status, page = await inn.install(there)
        assert status == 200
        assert "xoxb" not in page
        for workspace in (there,):
            room = inn.slack.channel("general", workspace=workspace)
            ana = inn.slack.user("Ana", workspace)
            asked = inn.slack.say(room, ana, f"{inn.slack.bot_of(workspace)} how many days of annual leave?")
            answer = await inn.slack.answer_in(asked, seconds=20, when=is_whole)
            assert LEAVE in answer.words
        posted = inn.slack.called("chat.postMessage") + inn.slack.called("chat.startStream")
        assert {each.workspace for each in posted} == {there.id}


async def test_an_event_of_a_workspace_that_did_not_install_it_is_taken_and_not_answered(
    home: Home, tmp_path: Path
) -> None:
    async with opened_inn(home, tmp_path) as inn:
        asked = inn.slack.say(inn.slack.channel("general"), inn.slack.user("Ana"), f"{inn.slack.bot_of()} hello?")
        await inn.slack.courier.settled()
        assert not inn.slack.bot_messages(asked)
        assert not any(each.lost for each in inn.slack.deliveries)


async def test_the_browser_that_comes_back_must_be_the_one_that_went(home: Home, tmp_path: Path) -> None:
    async with opened_inn(home, tmp_path) as inn:
        there = inn.slack.add_workspace("Elsewhere", None)
        inn.slack.app.redirect_codes["code"] = there.id
        state, _ = await inn.begin()
        assert (await inn.finish(state, "code", cookie="another"))[0] == 400
        assert (await inn.finish("made-up", "code"))[0] == 401
        assert (await inn.finish(state, "no such code"))[0] == 401
        assert (await inn.finish(state, "code"))[0] == 401  # a state works once
        assert inn.service.slack is not None
        assert await inn.service.slack.teams.us(None, there.id) is None


async def test_a_workspace_that_is_not_allowed_is_turned_away_and_its_token_not_kept(
    home: Home, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened_inn(home, tmp_path, ("T9999999",)) as inn:
        there = inn.slack.add_workspace("Strangers", None)
        with caplog.at_level(logging.WARNING):
            status, _ = await inn.install(there)
        assert status >= 400
        assert there.id in caplog.text
        assert inn.service.slack is not None
        assert await inn.service.slack.teams.us(None, there.id) is None
        assert "auth.revoke" in [each.method for each in inn.slack.calls]


async def test_an_uninstall_deletes_the_token_and_ends_what_is_open_without_a_word(
    home: Home, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened_inn(home, tmp_path, models=speaking(before=0.6)) as inn:
        there = inn.slack.add_workspace("Elsewhere", None)
        await inn.install(there)
        assert inn.service.slack is not None
        assert await inn.service.slack.teams.us(None, there.id) is not None
        room, ana = inn.slack.channel("general", workspace=there), inn.slack.user("Ana", there)
        us = inn.slack.bot_of(there)
        running = inn.slack.say(room, ana, f"{us} how many days of annual leave?")
        await inn.slack.until(lambda: inn.slack.status_in(running) or inn.slack.bot_messages(running))
        inn.slack.say(room, ana, f"{us} and how do I roll back?", thread_ts=running)
        await inn.slack.courier.settled()
        with caplog.at_level(logging.WARNING):
            inn.slack.uninstall(there)
            await inn.slack.courier.settled()
            await asyncio.sleep(1.2)  # longer than the answer that was under way
        assert await inn.service.slack.teams.us(None, there.id) is None
        assert await statuses(inn) == ["withdrawn", "withdrawn"]
        assert not [each for each in caplog.records if each.exc_info]


async def test_a_workspace_that_comes_back_is_answered_again(home: Home, tmp_path: Path) -> None:
    async with opened_inn(home, tmp_path) as inn:
        there = inn.slack.add_workspace("Elsewhere", None)
        await inn.install(there)
        inn.slack.uninstall(there)
        await inn.slack.courier.settled()
        assert (await inn.install(there))[0] == 200
        room, ana = inn.slack.channel("general", workspace=there), inn.slack.user("Ana", there)
        asked = inn.slack.say(room, ana, f"{inn.slack.bot_of(there)} how many days of annual leave?")
        assert LEAVE in (await inn.slack.answer_in(asked, seconds=20, when=is_whole)).words


async def test_several_workspaces_without_a_key_to_seal_tokens_do_not_start(home: Home, tmp_path: Path) -> None:
    async with SlackServer() as slack, AsyncExitStack() as stack:
        own: dict[str, Any] = {"mode": "http", "workspaces": "several", "teams": ("*",), "client_id": "1.2"}
        own |= {"client_secret": "s", "secret_key": "short", "public_url": "https://desk.acme.example"}
        settings = home.settings(home.copied(tmp_path), slack, slack=own)
        base = await opened_base(stack, settings, home.embedders, SystemClock(), speaking())
        with pytest.raises(ConfigError, match="REFDESK_SECRET_KEY") as told:
            await opened_slack(stack, base)
        assert "short" not in str(told.value)


async def statuses(inn: Inn) -> list[str]:
    """What became of all turns."""
    from sqlalchemy import select

    from adapters.sql.schema import turns

    async with inn.service.base.database.begin() as connection:
        return list((await connection.execute(select(turns.c.status).order_by(turns.c.sequence))).scalars())
