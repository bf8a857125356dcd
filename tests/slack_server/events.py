"""The events that Slack would send for what happened, as inner `event` objects and in their envelope. Pure."""

from __future__ import annotations

import time
from typing import Any

from tests.slack_server.shapes import message_shape
from tests.slack_server.values import Channel, Install, Message, User

Event = dict[str, Any]
_SCOPE = {"message.channels": "channels", "message.groups": "groups", "message.im": "im", "message.mpim": "mpim"}


def message_event(message: Message, channel: Channel, users: dict[str, User]) -> Event:
    """A new message."""
    shape = message_shape(message, channel, users)
    for only_in_history in (
        "reply_count",
        "reply_users_count",
        "reply_users",
        "latest_reply",
        "is_locked",
        "subscribed",
    ):
        shape.pop(only_in_history, None)
    where = {"channel": channel.id, "channel_type": channel.type, "event_ts": message.ts}
    return shape | where | _foreign(message, channel)


def mention_event(message: Message, channel: Channel, users: dict[str, User]) -> Event:
    """The second event for a message that mentions the app; it has no channel_type."""
    event = message_event(message, channel, users) | {"type": "app_mention"}
    del event["channel_type"]
    return event


def changed_event(message: Message, before: Event, channel: Channel, users: dict[str, User]) -> Event:
    """An edit, an unfurled link, an update by an app, or a deleted root that leaves a tombstone."""
    ts = message.edited[1] if message.edited else message.ts
    return {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "message": message_shape(message, channel, users),
        "previous_message": before,
        "channel": channel.id,
        "channel_type": channel.type,
        "ts": ts,
        "event_ts": ts,
    }


def deleted_event(before: Event, channel: Channel, ts: str) -> Event:
    return {
        "type": "message",
        "subtype": "message_deleted",
        "hidden": True,
        "deleted_ts": before["ts"],
        "previous_message": before,
        "channel": channel.id,
        "channel_type": channel.type,
        "ts": ts,
        "event_ts": ts,
    }


def link_event(message: Message, channel: Channel, links: list[dict[str, str]]) -> Event:
    return {
        "type": "link_shared",
        "user": message.user,
        "channel": channel.id,
        "message_ts": message.ts,
        "thread_ts": message.thread_ts or message.ts,
        "links": links,
        "source": "conversations_history",
        "unfurl_id": f"{channel.id}.{message.ts}",
        "event_ts": message.ts,
    }


def subscription(event: Event) -> str:
    """What an app must have subscribed to for this event."""
    if event["type"] != "message":
        return str(event["type"])
    return {"channel": "message.channels", "group": "message.groups"}.get(
        event["channel_type"], f"message.{event['channel_type']}"
    )


def scope_of(name: str) -> str:
    """The scope that a subscription needs; ``""``: none."""
    if name in _SCOPE:
        return f"{_SCOPE[name]}:history"
    if name in ("member_joined_channel", "member_left_channel"):
        return "channels:read"
    return {"app_mention": "app_mentions:read", "link_shared": "links:read", "reaction_added": "reactions:read"}.get(
        name, ""
    )


def envelope(event: Event, event_id: str, install: Install, app_id: str, channel: Channel | None) -> dict[str, Any]:
    """The outer `event_callback`, the same in Socket Mode and over HTTP."""
    return {
        "token": "verification-token",
        "team_id": install.workspace,
        "context_team_id": install.workspace,
        "context_enterprise_id": None,
        "api_app_id": app_id,
        "event": event,
        "type": "event_callback",
        "event_id": event_id,
        "event_time": int(time.time()),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": install.workspace,
                "user_id": install.user,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": bool(channel and channel.shared_with),
        "event_context": f"4-{event_id}",
    }


def _foreign(message: Message, channel: Channel) -> Event:
    """Somebody of another organisation in a Slack Connect channel."""
    if not channel.shared_with or message.team in ("", channel.workspace):
        return {}
    return {"user_team": message.team, "source_team": message.team}
