"""`refdesk serve` as people run it: answers in Slack, says where it stands, and ends in one sentence when it can't."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from tests.slack.town import free_port
from tests.slack_server import SlackServer

QUESTION = "How often does the VPN password change?"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with one document."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "vpn.md").write_text("# VPN\n\nThe VPN password changes every 90 days.\n", encoding="utf-8")
    return tmp_path


@asynccontextmanager
async def serving(
    place: Path, slack: SlackServer, more: str = "", health: int = 0, **env: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """One process."""
    text = f'[[collections]]\nname = "docs"\nsource = "folder:docs"\n[health]\nport = {health}\n{more}'
    (place / "refdesk.toml").write_text(text, encoding="utf-8")
    tokens = {"SLACK_BOT_TOKEN": slack.bot_token, "SLACK_APP_TOKEN": slack.app.app_token}
    here = {"REFDESK_SLACK_URL": slack.base_url, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", **tokens, **env}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bots", "serve", cwd=place, env={**os.environ, **here}, stderr=asyncio.subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def ended(process: asyncio.subprocess.Process, seconds: float = 60) -> tuple[int | None, str]:
    """Its exit code, and what it said."""
    async with asyncio.timeout(seconds):
        _, told = await process.communicate()
    return process.returncode, told.decode()


def sentence(told: str) -> str:
    """The last line; what was logged before it has a time."""
    assert "Traceback" not in told
    return told.strip().splitlines()[-1]


async def test_it_answers_tells_its_health_and_ends_when_it_is_told_to(place: Path) -> None:
    port = free_port()
    async with SlackServer() as slack, serving(place, slack, health=port) as process:
        await slack.until(lambda: slack.sockets.connections, 90)
        general, ana = slack.channel("general"), slack.user("Ana")
        await _synced(port)
        asked = slack.say(general, ana, f"{slack.bot_of()} {QUESTION}")
        assert "90 days" in (await slack.answer_in(asked, seconds=60)).words
        async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/healthz") as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGTERM)
        code, told = await ended(process)
        assert code == 0
        assert "connected to Slack" in told
        assert slack.bot_token not in told
        assert "xapp-" not in told


async def _synced(port: int) -> None:
    """Until the collection was synced, as the numbers tell."""
    async with asyncio.timeout(60), aiohttp.ClientSession() as session:
        while True:
            try:
                async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
                    if 'refdesk_jobs{status="done"} 1.0' in await answer.text():
                        return
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.1)


async def test_a_token_that_will_not_do_ends_it_in_one_sentence(place: Path) -> None:
    async with SlackServer() as slack, serving(place, slack, SLACK_APP_TOKEN="xapp-wrong") as process:
        code, said = await ended(process)
        assert code
        assert "SLACK_APP_TOKEN" in sentence(said)
        assert "xapp-wrong" not in said
