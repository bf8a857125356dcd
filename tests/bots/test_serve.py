"""`refdesk serve` as it begins and ends: a first index, health, an answer under way, one sentence when it can't."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import aiohttp
import pytest

from tests.bots.processes import Running, refdesk
from tests.slack.town import free_port, is_whole
from tests.slack_server import SlackServer, Slow

QUESTION = "How often does the VPN password change?"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with one document."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "vpn.md").write_text("# VPN\n\nThe VPN password changes every 90 days.\n", encoding="utf-8")
    return tmp_path


def serving(place: Path, slack: SlackServer, health: int = 0, **env: str) -> AbstractAsyncContextManager[Running]:
    """One process."""
    text = f'[[collections]]\nname = "docs"\nsource = "folder:docs"\n[health]\nport = {health}\n'
    (place / "refdesk.toml").write_text(text, encoding="utf-8")
    tokens = {"SLACK_BOT_TOKEN": slack.bot_token, "SLACK_APP_TOKEN": slack.app.app_token}
    return refdesk(place, "serve", env={"REFDESK_SLACK_URL": slack.base_url, **tokens, **env})


async def test_what_was_never_read_is_indexed_first_and_asked_for_and_its_health_is_told(place: Path) -> None:
    port = free_port()
    async with SlackServer() as slack, serving(place, slack, health=port) as process:
        await slack.until(lambda: slack.sockets.connections, 90)
        general, ana = slack.channel("general"), slack.user("Ana")
        await _synced(port)
        asked = slack.say(general, ana, f"{slack.bot_of()} {QUESTION}")
        assert "90 days" in (await slack.answer_in(asked, seconds=60)).words
        async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/healthz") as answer:
            assert answer.status == 200
        await _ends_with_its_answer(slack, process, f"{slack.bot_of()} {QUESTION}")
        assert "connected to Slack" in process.said


async def _ends_with_its_answer(slack: SlackServer, process: Running, question: str) -> None:
    """It is told to end in the middle of an answer that Slack takes slowly: that one is still written to its end."""
    other, ben = slack.channel("other"), slack.user("Ben")
    slack.faults.add("*", Slow(0.4), times=None)
    asked = slack.say(other, ben, question)
    await slack.until(lambda: slack.first_sign(asked), 30)
    assert not [each for each in slack.bot_messages(asked) if is_whole(each)]
    await process.told_to_end(slack.bot_token, "xapp-")
    (answer,) = slack.bot_messages(asked)
    assert is_whole(answer)
    assert "90 days" in answer.words
    assert not slack.sockets.connections


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
        code, said = await process.ended(60)
        assert code
        assert "Traceback" not in said
        assert "SLACK_APP_TOKEN" in said.strip().splitlines()[-1]  # what was logged before it has a time
        assert "xapp-wrong" not in said
