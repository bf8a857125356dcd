"""Telling Discord of our commands: only when they are others than last time, since it takes few such calls a day."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path

import discord
from discord import app_commands

from adapters.discord.telling import Wording
from adapters.discord.trouble import DiscordRefused, asked
from core.errors import RefdeskError

log = logging.getLogger(__name__)

Tree = app_commands.CommandTree[discord.AutoShardedClient]


async def synced(tree: Tree, guilds: Sequence[str], kept: Path) -> bool:
    """Whether Discord was told. For `guilds` they hold at once and only there (to try them out); else everywhere.

    `kept` is the file that remembers what was told last, and to which servers. A refusal is logged: old commands go
    on working.
    """
    try:
        await tree.set_translator(Wording())
        now, before = await _digest(tree, guilds), await asyncio.to_thread(_read, kept)
        if before[:1] == [now]:
            return False
        async with asked():
            await _tell(tree, guilds, before[1:])
    except (RefdeskError, app_commands.AppCommandError) as error:
        log.warning("Discord does not know our commands as they are now: %s", error)
        return False
    await asyncio.to_thread(kept.write_text, " ".join([now, *guilds]), encoding="utf-8")
    return True


async def _tell(tree: Tree, guilds: Sequence[str], before: Sequence[str]) -> None:
    """Once, and nowhere besides: a command that is known everywhere and on a server stands there twice."""
    for guild in guilds:
        where = discord.Object(int(guild))
        tree.copy_global_to(guild=where)
        await tree.sync(guild=where)
    http, us = tree.client.http, tree.client.application_id
    assert us is not None  # logged in
    if guilds:
        await http.bulk_upsert_global_commands(us, [])
    else:
        await tree.sync()
    for guild in before:
        if guild not in guilds:
            await _emptied(tree, int(guild), us)


async def _emptied(tree: Tree, guild: int, us: int) -> None:
    try:
        async with asked():
            await tree.client.http.bulk_upsert_guild_commands(us, guild, [])
    except DiscordRefused as error:  # we are not there any more
        log.info("commands on server %s were not taken away: %s", guild, error)


def _read(kept: Path) -> list[str]:
    """The digest of what was told, and the servers it was told for."""
    return kept.read_text(encoding="utf-8").split() if kept.exists() else []


async def _digest(tree: Tree, guilds: Sequence[str]) -> str:
    """Of all that Discord is told, in every language."""
    assert tree.translator is not None
    commands = [await each.get_translated_payload(tree, tree.translator) for each in tree.get_commands()]
    shown = json.dumps([str(tree.client.application_id), sorted(guilds), commands], sort_keys=True, default=str)
    return hashlib.sha256(shown.encode()).hexdigest()
