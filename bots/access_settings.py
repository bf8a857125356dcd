"""Who may read and who may change what, as refdesk.toml says it: by id, never by name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

from core.access import Visible
from core.access_commands import Named

Kind = Literal["workspace", "channel", "group", "user"]

_IDS: Mapping[str, Mapping[Kind, str]] = {
    "slack": {
        "workspace": r"[TE][A-Z0-9]+",
        "channel": r"[CGD][A-Z0-9]+",
        "group": r"S[A-Z0-9]+",
        "user": r"[UW][A-Z0-9]+",
    },
    "discord": dict.fromkeys(("workspace", "channel", "group", "user"), r"[0-9]+"),
    "console": dict.fromkeys(("workspace", "channel", "group", "user"), r"[\w.-]+"),
}

_FORMS: Mapping[Kind, str] = {
    "workspace": "slack/T01 or discord/SERVER",
    "channel": "slack/T01/C42 or discord/SERVER/CHANNEL",
    "group": "slack/T01/S42 or discord/SERVER/ROLE",
    "user": "slack/T01/U42 or discord/SERVER/USER",
}

_FINDING: Mapping[Kind, str] = {
    "workspace": "Slack shows it in a browser's address of the workspace (T…), Discord by right-click on the server",
    "channel": "Slack shows it at the end of the channel's details (C…), Discord by right-click on the channel",
    "group": "Slack shows it in the address of the user group (S…), Discord by right-click on the role",
    "user": "Slack shows it in the person's profile under … (U…), Discord by right-click on the person",
}
_NOTHING = r"(?!)"
_DEVELOPER = "; Discord's developer mode must be on"

_LISTS: Mapping[str, Kind] = {
    "workspaces": "workspace",
    "channels": "channel",
    "groups": "group",
    "roles": "group",
    "users": "user",
}


class _People(BaseModel):
    """Fields that are lists of ids are checked by what they hold."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator(*_LISTS, check_fields=False)
    @classmethod
    def _by_id(cls, value: tuple[str, ...], info: Any) -> tuple[str, ...]:
        kind = _LISTS[info.field_name]
        for written in value:
            check_id(written, kind)
        return value


class VisibilitySettings(_People):
    """Who may read a collection. Whoever is let in by one of the lists may; with none of them, everyone.

    `groups` and `roles` are the same: Slack's word and Discord's.
    """

    everyone: bool = True
    workspaces: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    external: bool = False

    @model_validator(mode="before")
    @classmethod
    def _lists_are_meant(cls, raw: Any) -> Any:
        """Whoever names somebody means nobody else; `everyone = true` beside it would undo that in silence."""
        if not isinstance(raw, dict) or not any(raw.get(name) for name in _LISTS):
            return raw
        if raw.get("everyone") is True:
            raise ValueError("everyone = true lets everybody read it; leave that out where somebody is named")
        return {**raw, "everyone": False}

    def rule(self, collection: str, *, always: Iterable[str] = ()) -> Visible:
        """The rule; the channels of `always` read it in any case."""
        return Visible(
            collection,
            self.everyone,
            frozenset(self.channels) | frozenset(always),
            frozenset(self.groups) | frozenset(self.roles),
            frozenset(self.workspaces),
            frozenset(self.users),
            self.external,
        )

    @property
    def ids(self) -> tuple[str, ...]:
        """Everything that is named."""
        return (*self.workspaces, *self.channels, *self.groups, *self.roles, *self.users)


class PeopleSettings(_People):
    """People by their ids and those of their groups: admins, or the owners of a collection."""

    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()

    @property
    def named(self) -> Named:
        """As the rules know them."""
        return Named(frozenset(self.users), frozenset(self.groups) | frozenset(self.roles))

    @property
    def ids(self) -> tuple[str, ...]:
        """Everything that is named."""
        return (*self.users, *self.groups, *self.roles)


def check_id(written: str, kind: Kind) -> None:
    """Raises ValueError that says how to write it and where to find it."""
    platform, *ids = written.split("/")
    wanted: tuple[Kind, ...] = ("workspace",) if kind == "workspace" else ("workspace", kind)
    patterns = _IDS.get(platform, {})
    if len(ids) == len(wanted) and all(
        re.fullmatch(patterns.get(each, _NOTHING), id) for each, id in zip(wanted, ids, strict=True)
    ):
        return
    if kind in ("group", "user") and _is_bare(written, kind):
        return
    raise ValueError(
        f"{written!r} is not the id of a {kind}; names change, so write the id, as {_FORMS[kind]}"
        f" ({_FINDING[kind]}{_DEVELOPER})"
    )


def _is_bare(written: str, kind: Kind) -> bool:
    return any(re.fullmatch(_IDS[platform][kind], written) for platform in ("slack", "discord"))


def check_bare(ids: Iterable[str]) -> None:
    """Raises ValueError for a bare id of Slack's where more than one of its workspaces is named.

    Slack's ids are unique within a workspace, Discord's everywhere.
    """
    workspaces: defaultdict[str, set[str]] = defaultdict(set)
    bare = list[str]()
    for written in ids:
        platform, slash, rest = written.partition("/")
        if slash:
            workspaces[platform].add(rest.partition("/")[0])
        elif not written.isdigit():
            bare.append(written)
    if bare and len(workspaces["slack"]) > 1:
        raise ValueError(
            f"{bare[0]!r} could be of any of the workspaces {', '.join(sorted(workspaces['slack']))};"
            f" write it as slack/WORKSPACE/{bare[0]}"
        )
