"""What the bot needs on a Discord server, each with its reason, and the link that asks for it. Pure; asks nobody.

The invitation, `refdesk check` and the README's table are all made from this one table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

SCOPES = {"bot": "permission.bot", "applications.commands": "permission.commands"}
"""Scopes of the link, each with a key of `core.wording`."""

_PAGE = "https://discord.com/oauth2/authorize"


@dataclass(frozen=True, slots=True)
class Permission:
    """`name` as Discord's settings call it; `bit` in its numbers; `why` is a key of `core.wording`.

    `to_read` is needed to make a collection of a channel, too.
    """

    name: str
    bit: int
    why: str
    to_read: bool = False


PERMISSIONS = (
    Permission("View Channels", 1 << 10, "permission.view", to_read=True),
    Permission("Read Message History", 1 << 16, "permission.history", to_read=True),
    Permission("Send Messages", 1 << 11, "permission.send"),
    Permission("Create Public Threads", 1 << 35, "permission.threads"),
    Permission("Send Messages in Threads", 1 << 38, "permission.in_threads"),
    Permission("Embed Links", 1 << 14, "permission.embeds"),
)

TO_READ = tuple(each for each in PERMISSIONS if each.to_read)


def missing(held: int, wanted: Sequence[Permission] = PERMISSIONS) -> tuple[Permission, ...]:
    """Those that a number of Discord's does not hold."""
    return tuple(each for each in wanted if not held & each.bit)


def invitation(application: str) -> str:
    """The link by which somebody puts the bot on their server."""
    permissions = sum(each.bit for each in PERMISSIONS)
    asked = {"client_id": application, "permissions": permissions, "scope": " ".join(SCOPES)}
    return f"{_PAGE}?{urlencode(asked)}"
