"""Which events a connection gets, and what of them: by shard, intents and what the bot may see."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import discord
from simcord import intents as rules
from simcord.backend import Backend, serializers
from simcord.backend.access import channel_accessible

from tests.discord_server.shaping import shaped

_SEEN_IN_A_CHANNEL = ("MESSAGE_", "TYPING_", "THREAD_", "CHANNEL_PINS_")


def told(
    backend: Backend, event: str, payload: Mapping[str, Any], shard: tuple[int, int], intents: discord.Intents
) -> dict[str, Any] | None:
    """The event as this connection hears it; None when it does not."""
    if shard[0] != shard_of(event, payload, shard[1]) or not _visible(backend, event, payload):
        return None
    needed = rules.required_intent(event, payload)
    if needed is not None and not getattr(intents, needed):
        return None
    found: dict[str, Any] = shaped(backend, copy.deepcopy(dict(payload)))
    if event == "MESSAGE_UPDATE":
        _as_member(backend, found)
    if not intents.message_content:
        _without_words(backend, event, found)
    if event == "GUILD_CREATE":
        _arrival(backend, found, intents)
    return found


def shard_of(event: str, payload: Mapping[str, Any], count: int) -> int:
    """The shard that a guild belongs to; direct messages belong to the first."""
    guild = payload.get("guild_id") or (payload.get("id") if event.startswith("GUILD_") else None)
    return (int(guild) >> 22) % count if guild is not None else 0


def _visible(backend: Backend, event: str, payload: Mapping[str, Any]) -> bool:
    if not event.startswith(_SEEN_IN_A_CHANNEL):
        return True
    channel = int(payload.get("channel_id") or payload.get("id") or 0)
    return channel not in backend.channels or channel_accessible(backend, channel, backend.bot_user.id)


def _as_member(backend: Backend, payload: dict[str, Any]) -> None:
    """An edited message comes with its author's membership, as a new one does."""
    guild = backend.guilds.get(int(payload.get("guild_id") or 0))
    member = guild.members.get(int(payload["author"]["id"])) if guild is not None else None
    if guild is not None and member is not None:
        payload["member"] = dict(serializers.member_payload(backend, guild, member, with_user=False))


def _without_words(backend: Backend, event: str, payload: dict[str, Any]) -> None:
    """Take the words out of messages that are not for the bot."""
    bot = backend.bot_user.id
    if event in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
        rules.censor_message(payload, bot, backend=backend)
    elif event == "INTERACTION_CREATE":
        if isinstance(payload.get("message"), dict):
            rules.censor_message(payload["message"], bot, backend=backend, exempt_root=True)
        chosen = payload["data"].get("target_id")
        for id_, message in (payload["data"].get("resolved") or {}).get("messages", {}).items():
            rules.censor_message(message, bot, backend=backend, exempt_root=id_ == chosen)


def _arrival(backend: Backend, payload: dict[str, Any], intents: discord.Intents) -> None:
    """A guild comes with its open threads and with our own member alone."""
    bot = backend.bot_user.id
    rules.prune_guild_create(payload, intents, bot)
    payload["threads"] = [
        thread
        for thread in payload["threads"]
        if not thread["thread_metadata"]["archived"] and channel_accessible(backend, int(thread["id"]), bot)
    ]
