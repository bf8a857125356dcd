"""The mark that our messages carry: readers of a thread leave them out, and who goes on with a turn finds its own."""

from __future__ import annotations

from typing import Any

EVENT = "refdesk_turn"


def mark(turn_id: str, post: str = "") -> dict[str, Any]:
    """The metadata of our messages. `post` names this one of several, or one that is no turn's."""
    return {"event_type": EVENT, "event_payload": {"turn": turn_id, **({"post": post} if post else {})}}


def marked(message: dict[str, Any]) -> str:
    """The turn whose message it is; empty for any other."""
    return _told(message, "turn")


def posted_as(message: dict[str, Any]) -> str:
    """Which post it is; empty for one without a name of its own."""
    return _told(message, "post")


def _told(message: dict[str, Any], name: str) -> str:
    metadata = message.get("metadata") or {}
    return str((metadata.get("event_payload") or {}).get(name, "")) if metadata.get("event_type") == EVENT else ""
