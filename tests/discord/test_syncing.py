"""Discord is told of commands when they are others than before, in both languages, and of each in one place alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from discord import app_commands

from adapters.discord.client import client, logged_in
from adapters.discord.staff import CHANGES
from adapters.discord.syncing import synced
from adapters.discord.telling import words
from core.messages import Language
from core.wording import say
from tests.discord.town import Town
from tests.discord_server.server import DiscordServer

ABOUT = words("command.help")


async def told(server: DiscordServer, folder: Path, *guilds: int, about: app_commands.locale_str = ABOUT) -> bool:
    """A process begins, with one command."""

    async def help(itx: Any) -> None:
        """Nobody calls it."""

    made = client(words=True)
    async with logged_in(made, server.token):
        tree = app_commands.CommandTree(made)
        tree.add_command(app_commands.Command(name="help", description=about, callback=help))  # type: ignore[arg-type]
        return await synced(tree, [str(each) for each in guilds], folder / "commands")


def known(server: DiscordServer) -> dict[int | None, list[str]]:
    """The commands by server; those of none are everywhere."""
    found = {guild: [str(each["name"]) for each in kept.values()] for guild, kept in server.backend.commands.items()}
    return {guild: names for guild, names in found.items() if names}


async def test_what_discord_knows_it_is_not_told_again(server: DiscordServer, tmp_path: Path) -> None:
    assert await told(server, tmp_path)
    assert not await told(server, tmp_path)
    assert await told(server, tmp_path, about=words("command.status"))
    assert known(server) == {None: ["help"]}
    assert len(server.called("PUT", "/applications/*/commands")) == 2


async def test_other_words_in_korean_alone_are_told(server: DiscordServer, tmp_path: Path) -> None:
    assert await told(server, tmp_path)
    (command,) = server.backend.commands[None].values()
    assert command["description_localizations"] == {"ko": say("command.help", "ko")}
    assert await told(server, tmp_path, about=app_commands.locale_str(str(ABOUT), key="command.status"))
    (command,) = server.backend.commands[None].values()
    assert command["description"] == say("command.help", "en")
    assert command["description_localizations"] == {"ko": say("command.status", "ko")}


async def test_commands_on_trial_stand_on_their_server_alone_and_afterwards_everywhere_alone(
    server: DiscordServer, tmp_path: Path
) -> None:
    acme, other = server.world.guild("Acme"), server.world.guild("Other")
    for guilds in ((), (acme.id,), (acme.id, other.id), (other.id,), ()):
        assert await told(server, tmp_path, *guilds)
        assert known(server) == {guild: ["help"] for guild in guilds or (None,)}


async def test_a_server_that_we_have_left_keeps_nothing_back(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    assert await told(server, tmp_path, acme.id)
    acme.leave()
    assert await told(server, tmp_path)
    assert not await told(server, tmp_path)


async def test_every_command_stands_in_both_languages_and_fits(town: Town) -> None:
    commands = town.discord.backend.commands[None].values()
    assert len(commands) == 11
    for each in [payload for command in commands for payload in with_options(command)]:
        korean = each.get("description_localizations", {}).get("ko", "")
        if each.get("description") or not each.get("name_localizations"):  # an entry of a menu has a name alone
            assert 1 <= len(each["description"]) <= 100, each["name"]
            assert 1 <= len(korean) <= 100, each["name"]
            assert korean != each["description"]
        assert all(1 <= len(name) <= 32 for name in (each["name"], *each.get("name_localizations", {}).values()))
        assert len(each.get("options") or ()) <= 25
    (menu,) = [each for each in commands if each["type"] == 3]
    assert menu["name_localizations"] == {"ko": say("command.about", "ko")}
    for language in ("en", "ko"):
        assert say("command.about", language) in say("discord.commands", language)


def with_options(command: Any) -> Iterator[Any]:
    """The command, and what may follow it."""
    yield command
    yield from command.get("options") or ()


def test_what_can_be_changed_in_a_channel_has_a_name_of_its_own_in_each_language() -> None:
    languages: tuple[Language, ...] = ("en", "ko")
    for language in languages:
        names = [say(key, language) for key in CHANGES.values()]
        assert len(set(names)) == len(names)
        assert all(1 <= len(name) <= 100 for name in names)
