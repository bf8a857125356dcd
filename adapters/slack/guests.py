"""Whether guests read along in a channel: its members, held against a list of the workspace's people.

Where no guest is on that list nothing else is asked. A new list is made while the old one serves, so that a large
workspace waits for its first one alone; until that is there, the members of a small channel are looked up one by one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from adapters.slack.answers import cursor_of, pages, part
from adapters.slack.directory import is_outside
from adapters.slack.kept import Kept
from adapters.slack.web import SlackWeb
from core.errors import RefdeskError, UpstreamError

log = logging.getLogger(__name__)

PAGE = 999
LONGER = 5.0
"""How many times as long as its making a list of people serves at least."""

Stranger = Callable[[str, str], Awaitable[bool]]
"""Whether this person of this workspace is from outside. Raises UpstreamError."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is asked, and for how long an answer is one; all times in seconds.

    `soon` is how long a small channel waits for the first list of people, `patience` how long anybody waits for an
    answer. `listed` and `members` are pages: people on no page are looked up one by one, up to `looked_up` of them; a
    channel of more pages counts as read by guests where there are any. Who comes or goes is told by events meanwhile.
    """

    soon: float = 2.0
    patience: float = 30.0
    listed_for: float = 600.0
    channel_for: float = 300.0
    listed: int = 200
    members: int = 25
    looked_up: int = 40


@dataclass
class Roll:
    """The people of a workspace, and which of them are from outside; a new list is due at `until`."""

    members: set[str] = field(default_factory=set)
    guests: set[str] = field(default_factory=set)
    until: float = 0.0


@dataclass
class SlackGuests:
    """Asks Slack as little as it can. `close` it at the end."""

    web: SlackWeb
    stranger: Stranger
    bounds: Bounds = field(default_factory=Bounds)
    _rolls: dict[str, Roll] = field(default_factory=dict)
    _listing: dict[str, asyncio.Task[Roll]] = field(default_factory=dict)
    _channels: Kept[bool] = field(init=False)

    def __post_init__(self) -> None:
        self._channels = Kept(self.bounds.channel_for)

    async def close(self) -> None:
        """Ask for nothing more."""
        under_way = list(self._listing.values())
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)

    def expect(self, team: str) -> None:
        """Somebody there will ask: begin to list its people, unless that was done lately."""
        if team not in self._listing and self._rolls.get(team, Roll()).until <= _now():
            task = self._listing[team] = asyncio.create_task(self._listed(team), name="slack people")
            task.add_done_callback(partial(self._done, team))

    async def read_along(self, team: str, channel: str) -> bool:
        """Whether somebody from outside is in the channel; also where that can't be told."""
        try:
            async with asyncio.timeout(self.bounds.patience):
                return await self._channels.get((team, channel), lambda: self._ask(team, channel))
        except (RefdeskError, TimeoutError) as error:
            log.warning("whether guests read %s can't be told, so it is as if they did: %r", channel, error)
            return True

    async def moved(self, body: Mapping[str, Any]) -> None:
        """Somebody came into a channel, or left it: an event of Slack's."""
        event, team = body.get("event") or {}, str(body.get("team_id") or "")
        channel, user = str(event.get("channel") or ""), str(event.get("user") or "")
        try:
            self._channels.forget((team, channel))
            await self._met(team, user)
        finally:
            self._channels.forget((team, channel))

    async def _met(self, team: str, user: str) -> None:
        """Somebody who is newer than the list is a guest until they are known not to be."""
        roll = self._rolls.get(team)
        if roll is None or user in roll.members:
            return
        roll.guests.add(user)
        if not await self.stranger(team, user):
            roll.guests.discard(user)
        roll.members.add(user)

    async def _ask(self, team: str, channel: str) -> bool:
        roll = await self._roll(team, self.bounds.soon)
        if roll is not None and not roll.guests:
            return False
        members = await self._members(team, channel)
        if members is None:
            return True
        if roll is None and len(members) > self.bounds.looked_up:
            roll = await self._roll(team, self.bounds.patience)
        return await self._among(team, members, roll)

    async def _among(self, team: str, members: set[str], roll: Roll | None) -> bool:
        """Whether guests are among them. Raises UpstreamError where that will be known later."""
        known = roll or Roll()
        unknown = members - known.members
        if members & known.guests:
            return True
        if len(unknown) > self.bounds.looked_up:
            if roll is None:
                raise UpstreamError("error.slack_down", detail=f"the people of {team} are not listed yet")
            return True
        return any(await asyncio.gather(*(self.stranger(team, each) for each in unknown)))

    async def _roll(self, team: str, patience: float) -> Roll | None:
        """The list of people, be it an old one; None when there is none within so many seconds."""
        self.expect(team)
        if team not in self._rolls:
            await asyncio.wait({self._listing[team]}, timeout=patience)
        return self._rolls.get(team)

    def _done(self, team: str, task: asyncio.Task[Roll]) -> None:
        del self._listing[team]
        if task.cancelled():
            return
        if (error := task.exception()) is not None:
            log.warning("the people of %s can't be listed: %r", team, error)
        else:
            self._rolls[team] = task.result()

    async def _listed(self, team: str) -> Roll:
        """All of them; a list that takes long serves the longer."""
        roll, began = Roll(), _now()
        async for page in pages(self.web, "users.list", team, self.bounds.listed, limit=PAGE):
            for user in part(page, "members", list):
                roll.members.add(part(user, "id", str))
                if is_outside(user, team) and not user.get("deleted"):
                    roll.guests.add(user["id"])
        roll.until = _now() + max(self.bounds.listed_for, LONGER * (_now() - began))
        return roll

    async def _members(self, team: str, channel: str) -> set[str] | None:
        """Who is in the channel; None when they are too many. Raises UpstreamError."""
        found: set[str] = set()
        page: Mapping[str, Any] = {}
        async for page in pages(
            self.web, "conversations.members", team, self.bounds.members, channel=channel, limit=PAGE
        ):
            found.update(map(str, part(page, "members", list)))
        return None if cursor_of(page) else found


def _now() -> float:
    return asyncio.get_running_loop().time()
