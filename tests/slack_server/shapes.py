"""Values as Slack's JSON shows them: users, channels, messages, the rich text of what people type. Pure."""

from __future__ import annotations

import re
from typing import Any

from tests.slack_server.values import Channel, Message, User, Workspace

_TOKEN = re.compile(r"<(?:@(?P<user>[UW]\w+)|#(?P<channel>C\w+)|(?P<url>https?://[^|>]+))(?:\|(?P<label>[^>]*))?>")


def user_shape(user: User, viewer: str) -> dict[str, Any]:
    """A user, as the workspace `viewer` sees them."""
    handle = user.real_name or user.name
    shape: dict[str, Any] = {
        "id": user.id,
        "team_id": user.workspace,
        "name": user.name,
        "deleted": user.deleted,
        "real_name": handle,
        "is_bot": user.is_bot,
        "is_admin": user.admin,
        "is_restricted": user.guest > 0,
        "is_ultra_restricted": user.guest == 2,
        "profile": {"real_name": handle, "display_name": "" if user.is_bot else handle},
    }
    if user.is_bot:
        shape["profile"] |= {"bot_id": user.bot_id, "api_app_id": user.app_id}
    if user.workspace != viewer:
        shape["is_stranger"] = True
    return shape


def channel_shape(channel: Channel, viewer: str) -> dict[str, Any]:
    """A conversation, as the bot user `viewer` sees it."""
    shape: dict[str, Any] = {
        "id": channel.id,
        "is_archived": channel.archived,
        "is_im": channel.kind == "im",
        "is_mpim": channel.kind == "mpim",
        "is_channel": channel.kind == "public",
        "is_group": channel.kind == "private",
        "is_private": channel.kind != "public",
        "is_shared": bool(channel.shared_with),
        "is_ext_shared": bool(channel.shared_with),
        "is_org_shared": False,
        "context_team_id": channel.workspace,
        "created": 1_700_000_000,
    }
    if channel.kind == "im":
        other = sorted(channel.members - {viewer})
        return shape | {"user": other[0] if other else viewer}
    return shape | {
        "name": channel.name,
        "name_normalized": channel.name,
        "is_member": viewer in channel.members,
        "topic": {"value": channel.topic},
        "purpose": {"value": channel.purpose},
        "connected_team_ids": sorted(channel.shared_with),
    }


def message_shape(message: Message, channel: Channel, users: dict[str, User]) -> dict[str, Any]:
    """A message as history, replies and events show it."""
    shape: dict[str, Any] = {"type": "message", "user": message.user, "text": message.text, "ts": message.ts}
    optional = {
        "subtype": message.subtype,
        "team": message.team,
        "bot_id": message.bot_id,
        "app_id": message.app_id,
        "client_msg_id": message.client_msg_id,
        "blocks": message.blocks,
        "attachments": message.attachments,
        "metadata": message.metadata,
        "thread_ts": message.thread_ts,
    }
    shape |= {name: value for name, value in optional.items() if value}
    if message.bot_id and (author := users.get(message.user)):
        shape["bot_profile"] = {
            "id": author.bot_id,
            "app_id": author.app_id,
            "name": author.real_name,
            "deleted": False,
        }
    if message.edited:
        shape["edited"] = {"user": message.edited[0], "ts": message.edited[1]}
    if message.stream is not None:
        shape["streaming_state"] = "in_progress" if message.is_streaming else "completed"
    if message.reactions:
        shape["reactions"] = [
            {"name": name, "users": by, "count": len(by)} for name, by in message.reactions.items() if by
        ]
    return shape | _thread(message, channel) | message.more


def _thread(message: Message, channel: Channel) -> dict[str, Any]:
    """What a root tells of its replies, and a reply of its root."""
    if not message.is_root:
        root = channel.messages.get(message.thread_ts or "")
        return {"parent_user_id": root.user} if root else {}
    replies = channel.thread(message.ts)[1:]
    if not replies:
        return {}
    people = list(dict.fromkeys(each.user for each in replies))
    return {
        "thread_ts": message.ts,
        "reply_count": len(replies),
        "reply_users_count": len(people),
        "reply_users": people[:5],
        "latest_reply": replies[-1].ts,
        "is_locked": False,
        "subscribed": False,
    }


def team_shape(workspace: Workspace) -> dict[str, Any]:
    return {"id": workspace.id, "name": workspace.name, "domain": workspace.domain}


def rich_text(text: str) -> list[dict[str, Any]]:
    """The block that Slack's own editor makes of what somebody typed."""
    elements: list[dict[str, Any]] = []
    end = 0
    for found in _TOKEN.finditer(text):
        if found.start() > end:
            elements.append({"type": "text", "text": text[end : found.start()]})
        end = found.end()
        if found["user"]:
            elements.append({"type": "user", "user_id": found["user"]})
        elif found["channel"]:
            elements.append({"type": "channel", "channel_id": found["channel"]})
        else:
            elements.append({"type": "link", "url": found["url"], "text": found["label"] or found["url"]})
    if text[end:]:
        elements.append({"type": "text", "text": text[end:]})
    section = {"type": "rich_text_section", "elements": elements}
    return [{"type": "rich_text", "block_id": "r", "elements": [section]}] if elements else []
