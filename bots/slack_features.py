"""What each feature of the Slack app needs: scopes with their reasons, and events. Pure; asks Slack nothing.

The manifest, `refdesk check`, the installation by OAuth and the README's table are all made from this one table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

FeatureName = Literal["private_channels", "group_messages", "user_groups", "agent", "home"]
NAMES: tuple[FeatureName, ...] = get_args(FeatureName)


@dataclass(frozen=True, slots=True)
class Scope:
    """A permission of the bot token; `why` is a key of `core.wording`."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Feature:
    """Something the app can do. Without a name it can't be left out."""

    name: FeatureName | Literal[""]
    scopes: tuple[Scope, ...]
    events: tuple[str, ...] = ()


FEATURES = (
    Feature(
        "",
        (
            Scope("app_mentions:read", "scope.mentions"),
            Scope("channels:history", "scope.threads"),
            Scope("channels:read", "scope.rooms"),
            Scope("chat:write", "scope.writing"),
            Scope("commands", "scope.commands"),
            Scope("im:history", "scope.direct"),
            Scope("im:read", "scope.direct_rooms"),
            Scope("im:write", "scope.direct_opening"),
            Scope("users:read", "scope.people"),
        ),
        (
            "app_mention",
            "message.channels",
            "message.im",
            # who comes into a channel may be a guest
            "member_joined_channel",
            "member_left_channel",
            # these need no scope, and tell at once that the app was thrown out
            "app_uninstalled",
            "tokens_revoked",
        ),
    ),
    Feature(
        "private_channels",
        (Scope("groups:history", "scope.private_threads"), Scope("groups:read", "scope.private_rooms")),
        ("message.groups",),
    ),
    Feature(
        "group_messages",
        (Scope("mpim:history", "scope.group_threads"), Scope("mpim:read", "scope.group_rooms")),
        ("message.mpim",),
    ),
    Feature("user_groups", (Scope("usergroups:read", "scope.groups"),)),
    Feature("agent", (Scope("assistant:write", "scope.agent"),), ("app_home_opened",)),
    Feature("home", (), ("app_home_opened",)),
)


def chosen(names: Iterable[str]) -> Iterator[Feature]:
    """What is always there, and the features of these names."""
    wanted = frozenset(names)
    return (each for each in FEATURES if not each.name or each.name in wanted)


def scopes_of(names: Iterable[str]) -> dict[str, str]:
    """The scopes that these features need, each with the key of its reason; sorted."""
    return {each.name: each.why for feature in chosen(names) for each in sorted(feature.scopes, key=lambda x: x.name)}


def events_of(names: Iterable[str]) -> tuple[str, ...]:
    """The events that these features listen to, sorted."""
    return tuple(sorted({event for feature in chosen(names) for event in feature.events}))
