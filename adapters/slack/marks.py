"""The mark that our messages carry: readers of a thread leave them out, and who goes on with a turn finds its own."""

from __future__ import annotations

from typing import Any

EVENT = "refdesk_turn"


def mark(turn_id: str) -> dict[str, Any]:
    """The metadata of our messages."""
    return {"event_type": EVENT, "event_payload": {"turn": turn_id}}


def marked(message: dict[str, Any]) -> str:
    """The turn whose message it is; empty for any other."""
    metadata = message.get("metadata") or {}
    return str((metadata.get("event_payload") or {}).get("turn", "")) if metadata.get("event_type") == EVENT else ""
