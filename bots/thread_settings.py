"""Threads of a chat platform as a collection's source, as refdesk.toml says it: the same rules for each platform."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from bots.access_settings import VisibilitySettings


@dataclass(frozen=True, slots=True)
class ThreadPlatform:
    """What differs: the ids of its channels and how to find and write them, its words for those who read along.

    `token` names the environment variable that a collection's token stands in unless it names another.
    """

    name: str
    channel: re.Pattern[str]
    written: str
    closed: str
    token: str

    def channels(self, place: str) -> tuple[str, ...]:
        """The channels that a source names; raises ValueError that says how to write them."""
        ids = tuple(dict.fromkeys(each.strip() for each in place.split(",")))
        for each in ids:
            if not self.channel.fullmatch(each):
                raise ValueError(f"{each!r} is not the id of a channel; write it as {self.written}")
        return ids

    def check(self, place: str, allowed: Collection[str], visibility: VisibilitySettings) -> None:
        """Raises ValueError for closed channels that are not of the source, or that everybody would read along."""
        foreign = set(allowed) - set(self.channels(place))
        if foreign:
            raise ValueError(f"allow_closed names {', '.join(sorted(foreign))}, which the source does not")
        if allowed and (visibility.everyone or visibility.workspaces):
            raise ValueError(self.closed)

    def with_token(self, each: dict[str, Any], env: Mapping[str, str]) -> None:
        """A collection's token comes from the environment; that it is missing is said when it is needed.

        Raises ValueError for one that stands in the file.
        """
        section = each.get(self.name, {})
        if str(each.get("source", "")).partition(":")[0] != self.name or not isinstance(section, dict):
            return
        if "token" in section:
            raise ValueError(f"{self.name}.token is not a setting; name an environment variable in token_env")
        name = section.get("token_env", self.token)
        each[self.name] = {**section, "token": env.get(name, "") if isinstance(name, str) else ""}
