"""What of a guild everybody in it may read, and what its ids stand for. Payloads in, values out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from adapters.discord.permissions import ADMINISTRATOR, HISTORY, VIEW, overwritten

Payload = Mapping[str, Any]

TEXT, ANNOUNCEMENTS, FORUM, MEDIA = 0, 5, 15, 16
WITH_THREADS = (TEXT, ANNOUNCEMENTS, FORUM, MEDIA)
PUBLIC_THREADS = (10, 11)

_EPOCH = 1_420_070_400_000


@dataclass(frozen=True, slots=True)
class Guild:
    """Names of roles, and of the channels that may be named before everybody."""

    id: str
    roles: Mapping[str, str]
    channels: Mapping[str, str]
    everyone: int
    """The permissions that every member has."""

    def open_to_all(self, channel: Payload) -> bool:
        """Whether every member may see the channel and read what was written in it before."""
        if self.everyone & ADMINISTRATOR:
            return True
        ruling = [each for each in channel.get("permission_overwrites") or () if str(each["id"]) == self.id]
        allowed = overwritten(self.everyone, ruling)
        return bool(allowed & VIEW and allowed & HISTORY)


def guild_of(payload: Payload, channels: Sequence[Payload]) -> Guild:
    """The guild with those of its channels that everybody may see."""
    roles = payload.get("roles") or ()
    id_ = str(payload["id"])
    everyone = next((int(role["permissions"]) for role in roles if str(role["id"]) == id_), 0)
    bare = Guild(id_, {str(role["id"]): str(role["name"]) for role in roles}, {}, everyone)
    named = {str(each["id"]): str(each.get("name") or "") for each in channels if bare.open_to_all(each)}
    return Guild(id_, bare.roles, named, everyone)


def moment(snowflake: str) -> datetime:
    """When an id was given out."""
    return datetime.fromtimestamp(((int(snowflake) >> 22) + _EPOCH) / 1000, UTC)
