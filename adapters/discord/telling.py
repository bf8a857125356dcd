"""How Discord is told of a command: its words in the languages of `core.wording`, and where it can be called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands

from core.wording import say

AnyCommand = app_commands.Command[Any, ..., Any] | app_commands.ContextMenu


def words(key: str) -> app_commands.locale_str:
    """A sentence of ours, in English until it is translated."""
    return app_commands.locale_str(say(key, "en"), key=key)


class Wording(app_commands.Translator):
    """Korean for those whose Discord is Korean; English for all others. discord.py asks when commands are told."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """The sentence; None for names that are the same everywhere."""
        key = string.extras.get("key")
        return say(key, "ko") if key and locale is discord.Locale.korean else None


def slash(
    name: str, about: str, callback: Callable[..., Any], *, staff: bool = False
) -> app_commands.Command[Any, ..., Any]:
    """A slash command; one for `staff` is shown to those who manage the server, and checked again when called."""
    command: app_commands.Command[Any, ..., Any] = app_commands.Command(
        name=name, description=words(about), callback=callback
    )
    if staff:
        command.default_permissions = discord.Permissions(manage_guild=True)
    placed(command)
    return command


def placed(command: AnyCommand) -> AnyCommand:
    """On servers and in direct messages with us; never in other people's conversations."""
    command.allowed_contexts = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
    command.allowed_installs = app_commands.AppInstallationType(guild=True, user=False)
    return command
