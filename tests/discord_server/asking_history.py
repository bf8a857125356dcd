"""The messages of a channel, page by page, in Discord's order."""

from __future__ import annotations

from typing import Any

from simcord.backend import errors, serializers
from simcord.backend.access import channel_accessible
from simcord.intents import censor_message

from tests.discord_server.asking import Asked


def history(asked: Asked, channel: str) -> Any:
    """At most a hundred, newest first; `after` gives the oldest of those that came later."""
    backend, params = asked.backend, asked.call.params
    found = backend.get_channel(int(channel))
    backend.require_permissions(found.guild_id, backend.bot_user.id, found.id)
    limit = int(params.get("limit", 50))
    if not 1 <= limit <= 100:
        raise errors.invalid_form_body("limit: int value should be between 1 and 100")
    if not channel_accessible(backend, found.id, backend.bot_user.id, history=True):
        return []
    kept = sorted((m for m in backend.messages[found.id].values() if not m.is_ephemeral), key=lambda m: m.id)
    if "after" in params:
        chosen = [m for m in kept if m.id > int(params["after"])][:limit]
    elif "around" in params:
        earlier = [m for m in kept if m.id <= int(params["around"])][-(limit // 2 + 1) :]
        later = [m for m in kept if m.id > int(params["around"])][: limit - len(earlier)]
        chosen = earlier + later
    else:
        chosen = [m for m in kept if m.id < int(params.get("before", 2**63))][-limit:]
    told = [dict(serializers.message_payload(backend, m, for_user=backend.bot_user.id)) for m in reversed(chosen)]
    for message in told:
        message.pop("guild_id", None)  # the gateway alone says it
        if not asked.rest.content:
            censor_message(message, backend.bot_user.id, backend=backend)
    return told
