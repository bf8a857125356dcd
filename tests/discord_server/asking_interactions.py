"""Interactions that came too late, or into a thread that was closed meanwhile."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from simcord.backend.errors import BackendError

from tests.discord_server.asking import Asked


def expired(asked: Asked, application: str, token: str, *_: str) -> Any:
    """After a quarter of an hour the token is worth nothing."""
    record = asked.backend.interactions.get(asked.backend.interaction_tokens.get(token, 0))
    if record is not None and record.expires_at is not None:
        if asked.backend.clock.now() >= datetime.fromisoformat(record.expires_at):
            raise BackendError(401, 50027, "Invalid Webhook Token")
        _closed(asked, record.channel_id)
    return NotImplemented


def expired_callback(asked: Asked, interaction: str, token: str) -> Any:
    """Whoever has not answered in three seconds is not known any more; simcord says so."""
    record = asked.backend.interactions.get(int(interaction))
    if record is not None:
        _closed(asked, record.channel_id)
    return NotImplemented


def _closed(asked: Asked, channel: int) -> None:
    found = asked.backend.channels.get(channel)
    meta = found.thread_metadata if found is not None else None
    if meta is not None and meta.archived and meta.locked:
        raise BackendError(403, 50083, "Thread is archived")
