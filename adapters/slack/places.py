"""Where a command, a button or a form comes from, as Slack's payloads tell it. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.messages import ReplyTarget

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Where:
    """Who did something, and in which place. `address` is a response URL, `trigger` opens a form for a moment."""

    team: str
    channel: str
    user: str
    user_team: str = ""
    thread: str = ""
    address: str = ""
    trigger: str = ""

    @property
    def target(self) -> ReplyTarget:
        """The root of the channel."""
        return ReplyTarget("slack", self.team, self.channel, "", recipient=self.user)

    @property
    def is_direct(self) -> bool:
        """Whether it is a conversation of two."""
        return self.channel.startswith("D")

    def kept(self, **more: str) -> str:
        """What a form carries along."""
        known = {"team": self.team, "channel": self.channel, "thread": self.thread, "address": self.address}
        return json.dumps({**known, **more}, separators=(",", ":"))


def of_command(body: Body) -> Where:
    """Where a slash command was typed."""
    return Where(
        str(body.get("team_id") or ""),
        str(body.get("channel_id") or ""),
        str(body.get("user_id") or ""),
        address=str(body.get("response_url") or ""),
        trigger=str(body.get("trigger_id") or ""),
    )


def of_action(body: Body) -> Where:
    """Where a button was pressed, or a message's shortcut chosen.

    In a Slack Connect channel `team` is the workspace of the app whose button it is, also when somebody of another one
    pressed it (slackapi/java-slack-sdk#1041).
    """
    message, container, user = body.get("message") or {}, body.get("container") or {}, body.get("user") or {}
    channel = (body.get("channel") or {}).get("id") or container.get("channel_id") or ""
    return Where(
        str((body.get("team") or {}).get("id") or user.get("team_id") or ""),
        str(channel),
        str(user.get("id") or ""),
        str(user.get("team_id") or ""),
        str(container.get("thread_ts") or message.get("thread_ts") or ""),
        str(body.get("response_url") or ""),
        str(body.get("trigger_id") or ""),
    )


def of_form(body: Body) -> tuple[Where, dict[str, str]]:
    """Where the form was opened that is sent now, and what it carries along: `team` may be that of who sends it."""
    user = body.get("user") or {}
    kept = _kept(str((body.get("view") or {}).get("private_metadata") or ""))
    where = Where(
        kept.get("team") or str((body.get("team") or {}).get("id") or user.get("team_id") or ""),
        kept.get("channel", ""),
        str(user.get("id") or ""),
        str(user.get("team_id") or ""),
        kept.get("thread", ""),
        kept.get("address", ""),
        str(body.get("trigger_id") or ""),
    )
    return where, kept


def _kept(text: str) -> dict[str, str]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else {}


def pressed(body: Body) -> str:
    """The value of the button, or of the option that was chosen."""
    action: Body = next(iter(body.get("actions") or ()), {})
    chosen = action.get("selected_option") or {}
    return str(chosen.get("value") or action.get("value") or "")


def written(body: Body, block: str) -> str:
    """What somebody wrote into a field of a form."""
    values = ((body.get("view") or {}).get("state") or {}).get("values") or {}
    field: Body = next(iter((values.get(block) or {}).values()), {})
    return str(field.get("value") or "")
