"""Payloads as Discord writes them, where simcord's are simpler: counts of threads, threads on messages, guests."""

from __future__ import annotations

from typing import Any

from simcord.backend import Backend, serializers
from simcord.backend.models import Member

HAS_THREAD, IS_GUEST = 1 << 5, 1 << 4


class Guest(Member):
    """A member who came with an invitation to one call."""


def shaped(backend: Backend, value: Any) -> Any:
    """The payload, with every thread and message in it put right; what was given stays as it is."""
    if isinstance(value, list):
        return [shaped(backend, each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {key: shaped(backend, each) for key, each in value.items()}
    if "thread_metadata" in found:
        _thread(backend, found)
    elif "content" in found and "author" in found and "channel_id" in found:
        _message(backend, found)
    elif "joined_at" in found and "user" in found:
        found["flags"] |= IS_GUEST if _is_guest(backend, found) else 0
    return found


def _is_guest(backend: Backend, payload: dict[str, Any]) -> bool:
    found = (guild.members.get(int(payload["user"]["id"])) for guild in backend.guilds.values())
    return any(isinstance(each, Guest) and each.joined_at == payload["joined_at"] for each in found)


def _thread(backend: Backend, payload: dict[str, Any]) -> None:
    """The starter does not count, wherever it is; what was deleted counts as sent."""
    id_ = int(payload["id"])
    kept = backend.messages.get(id_, {}).values()
    starters = sum(message.id == id_ or int(message.type) == 21 for message in kept)
    payload["message_count"] = len(kept) - starters
    payload["total_message_sent"] = max(payload["total_message_sent"] - starters, payload["message_count"])


def _message(backend: Backend, payload: dict[str, Any]) -> None:
    thread = backend.channels.get(int(payload["id"]))
    if thread is not None and thread.is_thread and str(thread.parent_id) == payload["channel_id"]:
        payload["flags"] |= HAS_THREAD
        payload["thread"] = shaped(backend, dict(serializers.thread_payload(backend, thread)))
    if payload["type"] == 21:  # a note that the thread begins elsewhere
        reference = payload["message_reference"]
        reference["type"] = 0
        reference["guild_id"] = payload.get("guild_id")
        kept = backend.messages.get(int(reference["channel_id"]), {}).get(int(reference["message_id"]))
        told = serializers.message_payload(backend, kept) if kept is not None else None
        payload["referenced_message"] = dict(told) if told is not None else None
