"""What keeps a process from serving Slack is told in one sentence, with the remedy and without a token."""

from __future__ import annotations

import socket
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from adapters.clock import SystemClock
from bots.compose.base import Base, opened_base
from bots.compose.service import service_over
from bots.compose.slack import opened_slack
from bots.slack_connection import connected
from core.errors import RefdeskError
from tests.slack.town import Home
from tests.slack.voices import speaking
from tests.slack_server import Refused, SlackServer, Status

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def start(home: Home, folder: Path, slack: SlackServer, **own: Any) -> str:
    """Why it does not start."""
    async with AsyncExitStack() as stack:
        settings = home.settings(home.copied(folder), slack, slack=own)
        tokens = {name: own[name] for name in ("app_token", "signing_secret") if name in own}
        chosen = settings.slack.model_validate({**settings.slack.model_dump(), **tokens})
        settings = settings.model_copy(update={"slack": chosen})
        base = await opened_base(stack, settings, home.embedders, SystemClock(), speaking())
        with pytest.raises(RefdeskError) as told:
            await _connect(stack, base)
    for secret in (slack.bot_token, *own.values()):
        assert not (str(secret).startswith("x") and str(secret) in f"{told.value}{told.value.user_message('en')}")
    assert told.value.user_message("ko")
    return told.value.user_message("en")


async def _connect(stack: AsyncExitStack, base: Base) -> None:
    service = await service_over(stack, base, await opened_slack(stack, base))
    await stack.enter_async_context(connected(service, pauses=(0.05, 0.05)))


@pytest.mark.parametrize(
    ("own", "told"),
    [
        ({"bot_token": "xoxb-wrong"}, "invalid_auth"),
        ({"app_token": "xapp-wrong"}, "SLACK_APP_TOKEN"),
        ({"app_token": ""}, "SLACK_APP_TOKEN"),
        ({"mode": "http", "signing_secret": ""}, "SLACK_SIGNING_SECRET"),
    ],
)
async def test_a_token_or_secret_that_will_not_do(home: Home, tmp_path: Path, own: Any, told: str) -> None:
    async with SlackServer() as slack:
        assert told in await start(home, tmp_path, slack, **own)


async def test_an_app_that_is_not_installed_any_more(home: Home, tmp_path: Path) -> None:
    async with SlackServer() as slack:
        slack.faults.add("auth.test", Refused("account_inactive"), times=None)
        assert "install the app again" in await start(home, tmp_path, slack)


async def test_slack_being_down(home: Home, tmp_path: Path) -> None:
    async with SlackServer() as slack:
        slack.faults.add("apps.connections.open", Status(503), times=None)
        assert "can't be reached" in await start(home, tmp_path, slack)


async def test_slack_being_down_for_a_moment(home: Home, tmp_path: Path) -> None:
    async with SlackServer() as slack:
        slack.faults.add("apps.connections.open", Status(503))
        slack.faults.add("apps.connections.open", Refused("link_disabled"), times=None)
        assert "Socket Mode" in await start(home, tmp_path, slack)  # asked again, it says what is wrong


async def test_socket_mode_being_off(home: Home, tmp_path: Path) -> None:
    async with SlackServer() as slack:
        slack.faults.add("apps.connections.open", Refused("link_disabled"), times=None)
        assert "Socket Mode" in await start(home, tmp_path, slack)


async def test_a_port_that_is_taken(home: Home, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with SlackServer() as slack:
            assert str(port) in await start(home, tmp_path, slack, mode="http", port=port)
