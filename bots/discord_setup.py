"""`refdesk discord …`: what is needed once, to set Discord up. Options in, text out."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import ConfigError, RefdeskError

if TYPE_CHECKING:
    from bots.discord_settings import DiscordSettings
    from core.messages import Language

discord = typer.Typer(help="Set Discord up.", no_args_is_help=True, add_completion=False)


@discord.callback()
def _group() -> None:
    """A group even while it has one command."""


@discord.command()
def invite(
    id: Annotated[str, typer.Option("--id", help="The application's id, instead of asking by the token.")] = "",
    config: Annotated[Path | None, typer.Option("--config", readable=False, help="Path of refdesk.toml.")] = None,
) -> None:
    """Print the link that invites the bot, and (to the error stream) what each permission in it is for."""
    from bots import places, settings
    from bots.discord_permissions import invitation
    from bots.failures import exit_code

    language = settings.language_here()
    try:
        told = settings.load(config) if config or settings.is_configured() else places.demo()
        language = told.language
        link = invitation(_checked(id) if id else _asked(told.discord))
    except RefdeskError as error:
        sys.stderr.write(error.user_message(language) + "\n")
        raise typer.Exit(exit_code(error)) from error
    sys.stdout.write(link + "\n")
    sys.stdout.flush()
    sys.stderr.write("".join(f"  {line}\n" for line in reasons(language)))


def reasons(language: Language) -> list[str]:
    """What the link asks for, and why."""
    from bots.discord_permissions import PERMISSIONS, SCOPES
    from core.wording import say

    asked = [*SCOPES.items(), *((each.name, each.why) for each in PERMISSIONS)]
    return [f"{name}: {say(why, language)}" for name, why in asked]


def _checked(id: str) -> str:
    if not re.fullmatch(r"[0-9]{15,20}", id):
        raise ConfigError(where="--id", what="write the number that “General Information” calls Application ID")
    return id


def _asked(settings: DiscordSettings) -> str:
    from bots.compose.discord_check import Bot, application_of
    from bots.discord_settings import TOLD_BY

    token = settings.bot_token.get_secret_value()
    if not token:
        raise ConfigError(where=TOLD_BY, what="it is not set; set it, or give the application's id with --id")
    return asyncio.run(application_of(Bot(TOLD_BY, token, settings.base_url)))
