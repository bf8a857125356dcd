"""The world of the stand-in: what exists, and how it is looked up and numbered. Sends nothing to anybody."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.slack_server.rules import SCOPES
from tests.slack_server.values import Channel, Ephemeral, Install, Kind, Message, User, View, Workspace

Who = User | str


def id_of(thing: User | Channel | Workspace | str) -> str:
    """Tests name things by themselves or by their ids."""
    return thing if isinstance(thing, str) else thing.id


@dataclass
class World:
    """Everything there is, by id."""

    workspaces: dict[str, Workspace] = field(default_factory=dict)
    users: dict[str, User] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    installs: dict[str, Install] = field(default_factory=dict)
    """By token."""
    ephemerals: list[Ephemeral] = field(default_factory=list)
    views: dict[str, View] = field(default_factory=dict)
    homes: dict[tuple[str, str], View] = field(default_factory=dict)
    """By workspace and user."""
    _numbers: Any = field(default_factory=lambda: itertools.count(1))
    _stamps: set[int] = field(default_factory=set)
    _latest: int = 0

    def number(self) -> int:
        """One that was never given out before."""
        return int(next(self._numbers))

    def stamp(self, at: datetime | None = None) -> str:
        """A message's ts: unique, and later than every earlier one unless it is dated back."""
        micro = int((at.timestamp() if at else time.time()) * 1_000_000)
        if at is None:
            micro = self._latest = max(micro, self._latest + 1)
        while micro in self._stamps:
            micro += 1
        self._stamps.add(micro)
        return f"{micro // 1_000_000}.{micro % 1_000_000:06d}"

    def add_workspace(self, name: str) -> Workspace:
        id_ = f"T{self.number():04d}"
        made = self.workspaces[id_] = Workspace(id_, name, name.lower().replace(" ", "-"))
        return made

    def install(self, workspace: str, app_id: str, scopes: frozenset[str] = SCOPES) -> Install:
        """The app in a workspace, with a bot user of its own."""
        number = self.number()
        bot = User(f"U{number:04d}BOT", "refdesk", workspace, "Refdesk", bot_id=f"B{number:04d}", app_id=app_id)
        self.users[bot.id] = bot
        made = Install(workspace, bot.id, bot.bot_id, f"xoxb-{workspace}-{number}", set(scopes))
        self.installs[made.token] = made
        return made

    def installed(self, workspace: str) -> Install | None:
        return next((each for each in self.installs.values() if each.workspace == workspace and not each.revoked), None)

    def add_user(self, workspace: str, name: str, **more: Any) -> User:
        id_ = f"U{self.number():04d}"
        if more.pop("bot", False):
            more["bot_id"] = f"B{self.number():04d}"
        made = self.users[id_] = User(id_, name.lower().replace(" ", "."), workspace, name, **more)
        return made

    def add_channel(self, workspace: str, name: str, kind: Kind, members: set[str]) -> Channel:
        letter = {"im": "D", "mpim": "G"}.get(kind, "C")
        made = Channel(f"{letter}{self.number():04d}", name, workspace, kind, members)
        self.channels[made.id] = made
        return made

    def dm(self, workspace: str, bot: str, user: str) -> Channel:
        """The direct conversation of the two, made at first need."""
        for each in self.channels.values():
            if each.kind == "im" and each.members == {bot, user}:
                return each
        return self.add_channel(workspace, "", "im", {bot, user})

    def message(self, channel: str, ts: str) -> Message | None:
        found = self.channels.get(channel)
        return found.messages.get(ts) if found else None
