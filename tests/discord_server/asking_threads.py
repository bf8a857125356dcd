"""Threads: the open ones, the archived ones page by page, and what a closed one refuses."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from simcord.backend import errors, serializers
from simcord.backend.access import channel_accessible
from simcord.backend.errors import BackendError
from simcord.backend.models import Channel
from simcord.enums import ChannelType

from tests.discord_server.asking import Asked
from tests.discord_server.asking_embeds import as_embedded
from tests.discord_server.places import Place, begun_on


def active(asked: Asked, guild: str) -> Any:
    """The open threads of a guild that the bot can see."""
    backend = asked.backend
    if int(guild) not in backend.guilds:
        raise errors.missing_access()
    found = [t for t in backend.active_threads(int(guild)) if channel_accessible(backend, t.id, backend.bot_user.id)]
    return serializers.thread_list_payload(backend, sorted(found, key=lambda t: -t.id))


def archived(asked: Asked, channel: str) -> Any:
    """Archived public threads, last archived first, before a time."""
    backend, params = asked.backend, asked.call.params
    parent = backend.get_channel(int(channel))
    backend.require_permissions(parent.guild_id, backend.bot_user.id, parent.id, "read_message_history")
    limit = int(params.get("limit", 50))
    if not 2 <= limit <= 100:
        raise errors.invalid_form_body("limit: int value should be between 2 and 100")
    found = [t for t in backend.archived_threads(parent.id, private=False) if t.type == ChannelType.PUBLIC_THREAD]
    found.sort(key=_archived_at, reverse=True)
    if "before" in params:
        before = datetime.fromisoformat(params["before"])
        found = [t for t in found if _archived_at(t) < before]
    return serializers.thread_list_payload(backend, found[:limit], has_more=len(found) > limit)


def begun(asked: Asked, channel: str, message: str) -> Any:
    """A thread on a message: one for each, with a name of at most a hundred characters."""
    backend = asked.backend
    starter = backend.get_message(int(channel), int(message))
    if starter.id in backend.channels:
        raise BackendError(400, 160004, "A thread has already been created for this message")
    if not 1 <= len((asked.call.json or {}).get("name", "")) <= 100:
        raise errors.invalid_form_body("name: Must be between 1 and 100 in length.")
    told = asked.by_simcord()
    begun_on(backend, starter.id, starter)
    return told


def sent(asked: Asked, channel: str) -> Any:
    """A message: into a closed thread only where it may be opened; under one nonce only once."""
    backend, place = asked.backend, Place(asked.backend, int(channel))
    meta = place.model.thread_metadata
    if meta is not None and meta.locked and not _may(asked, place.model, "manage_threads"):
        raise (
            BackendError(403, 50083, "Thread is archived")
            if meta.archived
            else BackendError(400, 160005, "Thread is locked")
        )
    nonce = str((asked.call.json or {}).get("nonce") or "")
    known = asked.rest.nonces.get((channel, nonce))
    if nonce and asked.call.json.get("enforce_nonce") and known in backend.messages[place.id]:
        return dict(serializers.message_payload(backend, backend.get_message(place.id, known))) | {"nonce": nonce}
    if meta is not None and meta.archived:
        place.reopen()
    told = as_embedded(asked, channel)
    if nonce:
        asked.rest.nonces[channel, nonce] = int(told["id"])
    return told | {"nonce": nonce or None}


def closed(asked: Asked, channel: str, *_: str) -> Any:
    """Nothing is changed in an archived thread."""
    found = asked.backend.channels.get(int(channel))
    if found is not None and found.thread_metadata is not None and found.thread_metadata.archived:
        raise BackendError(400, 50083, "Thread is archived")
    return NotImplemented


def changed(asked: Asked, channel: str) -> Any:
    """A thread is opened by who may write in it, unless it is locked; the rest is for its owner and moderators."""
    backend, body = asked.backend, asked.call.json or {}
    found = backend.get_channel(int(channel))
    meta = found.thread_metadata
    if meta is None:
        return NotImplemented
    backend.require_permissions(found.guild_id, backend.bot_user.id, found.id)
    moderates = _may(asked, found, "manage_threads")
    opens = body.get("archived") is False and not meta.locked and _may(asked, found, "send_messages_in_threads")
    if not moderates and not opens and (found.owner_id != backend.bot_user.id or "locked" in body or meta.locked):
        raise errors.missing_permissions()
    if meta.archived and body.get("archived") is not False:
        raise BackendError(400, 50083, "Thread is archived")
    metadata = {key: body[key] for key in ("archived", "locked", "auto_archive_duration", "invitable") if key in body}
    if body.get("archived", meta.archived) != meta.archived:
        metadata["archive_timestamp"] = backend.now_iso()
    fields = {"name": body["name"]} if "name" in body else {}
    return dict(serializers.thread_payload(backend, backend.edit_channel(found.id, fields, thread_metadata=metadata)))


def _may(asked: Asked, channel: Channel, permission: str) -> bool:
    try:
        asked.backend.require_permissions(channel.guild_id, asked.backend.bot_user.id, channel.id, permission)
    except BackendError:
        return False
    return True


def _archived_at(thread: Channel) -> datetime:
    assert thread.thread_metadata is not None
    return datetime.fromisoformat(thread.thread_metadata.archive_timestamp)
