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

from adapters.discord.trouble import told
from core.errors import RefdeskError

log = logging.getLogger(__name__)


async def synced(tree: app_commands.CommandTree[discord.AutoShardedClient], guilds: Sequence[str], kept: Path) -> bool:
    """Whether Discord was told. For `guilds` they hold at once and only there (to try them out); else everywhere.

    `kept` is the file that remembers what was told last. A refusal is logged: old commands go on working.
    """
    told_now = _digest(tree, guilds)
    if await asyncio.to_thread(_read, kept) == told_now:
        return False
    try:
        with told():
            for guild in guilds:
                where = discord.Object(int(guild))
                tree.copy_global_to(guild=where)
                await tree.sync(guild=where)
            if not guilds:
                await tree.sync()
    except (RefdeskError, app_commands.AppCommandError) as error:
        log.warning("Discord does not know our commands as they are now: %s", error)
        return False
    await asyncio.to_thread(kept.write_text, told_now, encoding="utf-8")
    return True


def _read(kept: Path) -> str:
    return kept.read_text(encoding="utf-8") if kept.exists() else ""


def _digest(tree: app_commands.CommandTree[discord.AutoShardedClient], guilds: Sequence[str]) -> str:
    commands = [each.to_dict(tree) for each in tree.get_commands()]
    shown = json.dumps([str(tree.client.application_id), sorted(guilds), commands], sort_keys=True, default=str)
    return hashlib.sha256(shown.encode()).hexdigest()
