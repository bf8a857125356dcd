"""Embeds where the bot may not embed: Discord drops them without a word, whether a message is new or changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from simcord.backend.errors import BackendError

from tests.discord_server.asking import Asked


def as_embedded(asked: Asked, channel: str) -> Any:
    """As simcord does it, without embeds that the bot may not have there."""
    body, place = asked.call.json or {}, asked.backend.get_channel(int(channel))
    if not body.get("embeds") or place.guild_id is None:
        return asked.by_simcord()
    try:
        asked.backend.require_permissions(place.guild_id, asked.backend.bot_user.id, place.id, "embed_links")
    except BackendError:
        return asked.rest.by_simcord(replace(asked.call, json={**body, "embeds": []}), asked.uploads)
    return asked.by_simcord()


def edited(asked: Asked, channel: str, _: str) -> Any:
    """A message of ours is changed."""
    return as_embedded(asked, channel)
