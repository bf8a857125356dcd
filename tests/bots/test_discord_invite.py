"""The invitation: the fewest permissions, one table everywhere, and whose bot it is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import discord
import pytest
from typer.testing import CliRunner

from bots.__main__ import app
from bots.discord_permissions import PERMISSIONS, SCOPES, invitation, missing
from core.wording import say
from tests.discord_server.server import DiscordServer

README = Path(__file__).parents[2] / "README.md"
ID = "1029384756102938475"


def asked(link: str) -> Mapping[str, list[str]]:
    assert link.startswith("https://discord.com/oauth2/authorize?")
    return parse_qs(urlsplit(link).query)


def test_the_link_asks_for_the_table_and_nothing_else() -> None:
    query = asked(invitation(ID))
    assert query["client_id"] == [ID]
    assert query["scope"] == ["bot applications.commands"]
    granted = discord.Permissions(int(query["permissions"][0]))
    assert {name for name, on in granted if on} == {
        "read_messages",  # View Channels
        "read_message_history",
        "send_messages",
        "create_public_threads",
        "send_messages_in_threads",
        "embed_links",
    }


def test_what_is_missing_of_a_number() -> None:
    everything = sum(each.bit for each in PERMISSIONS)
    assert missing(everything) == ()
    assert [each.name for each in missing(everything & ~(1 << 14))] == ["Embed Links"]
    assert missing(-1) == ()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.chdir(tmp_path)
    for name in ("REFDESK_CONFIG", "DISCORD_BOT_TOKEN", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.usefixtures("here")
def test_an_id_is_enough() -> None:
    done = CliRunner().invoke(app, ["discord", "invite", "--id", ID])
    assert (done.exit_code, done.stdout) == (0, invitation(ID) + "\n")
    for each in PERMISSIONS:
        assert f"{each.name}: {say(each.why, 'en')}" in done.stderr


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("arguments", [[], ["--id", "my-bot"]])
def test_without_a_token_or_with_no_number_it_says_what_to_do(arguments: list[str]) -> None:
    done = CliRunner().invoke(app, ["discord", "invite", *arguments])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--id" in done.stderr


async def invited(server: DiscordServer, here: pytest.MonkeyPatch, token: str) -> tuple[int, str, str]:
    here.setenv("DISCORD_BOT_TOKEN", token)
    here.setenv("REFDESK_DISCORD_URL", server.url)
    done = await asyncio.to_thread(CliRunner().invoke, app, ["discord", "invite"])
    return done.exit_code, done.stdout, done.stderr


async def test_the_token_tells_whose_bot_it_is(here: pytest.MonkeyPatch) -> None:
    async with DiscordServer() as server:
        code, link, told = await invited(server, here, server.token)
        assert code == 0
        assert asked(link.strip())["client_id"] == [str(server.backend.application_id)]
        assert server.token not in link + told


async def test_a_wrong_token_is_told_and_not_repeated(here: pytest.MonkeyPatch) -> None:
    async with DiscordServer() as server:
        code, link, told = await invited(server, here, "a-wrong-token")
        assert (code != 0, link) == (True, "")
        assert "DISCORD_BOT_TOKEN" in told
        assert "a-wrong-token" not in told


def test_the_readme_says_what_the_table_says() -> None:
    found = re.search(r"<!-- permissions -->\n(.*?)\n<!-- /permissions -->", README.read_text("utf-8"), re.DOTALL)
    assert found
    assert found[1] == permission_table()


def permission_table() -> str:
    """The README's table."""
    rows = ["| permission | for |", "| --- | --- |"]
    rows += [f"| {each.name} | {say(each.why, 'en')} |" for each in PERMISSIONS]
    rows += [f"| scope `{name}` | {say(why, 'en')} |" for name, why in SCOPES.items()]
    return "\n".join(rows)
