"""Who is who in a workspace, and who reads along: asked of Slack, kept for a while, and bounded.

What can't be told is told as if somebody from outside read along.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

from adapters.slack.directory import Room, User, groups_in, room_of, user_of
from adapters.slack.guests import Bounds, SlackGuests
from adapters.slack.kept import Kept
from adapters.slack.mrkdwn import Names, channels_in, people_in
from adapters.slack.web import SlackWeb
from core.errors import RefdeskError
from core.messages import Audience, Turn

log = logging.getLogger(__name__)

MOST_NAMES = 20
"""People and channels of one message whose names are looked up."""


@dataclass
class SlackPeople:
    """The Directory of Slack."""

    web: SlackWeb
    bounds: Bounds = field(default_factory=Bounds)
    guests: SlackGuests = field(init=False)
    _users: Kept[User] = field(default_factory=Kept)
    _rooms: Kept[Room] = field(default_factory=Kept)
    _groups: Kept[dict[str, frozenset[str]]] = field(default_factory=Kept)

    def __post_init__(self) -> None:
        self.guests = SlackGuests(self.web, self._is_stranger, self.bounds)

    async def name(self, platform: str, workspace: str, id: str) -> str:
        """The name of a person or a channel, as people see it."""
        if id.startswith(("C", "G", "D")):
            return (await self.room(workspace, id)).name
        return (await self.user(workspace, id)).name

    async def user(self, team: str, id: str) -> User:
        """A person; who can't be looked up is a stranger."""
        try:
            return await self._user(team, id)
        except RefdeskError as error:
            log.warning("who %s is can't be looked up: %s", id, error)
            return User(id)

    async def knows(self, team: str, user: str) -> bool:
        """Whether it could be looked up who they are, and which groups they are in."""
        try:
            await self._user(team, user)
            await self._groups_of(team)
        except RefdeskError:
            return False
        return True

    async def room(self, team: str, id: str) -> Room:
        """A channel; one that can't be looked up is read by strangers."""
        try:
            return await self._rooms.get((team, id), lambda: room_of(self.web, team, id))
        except RefdeskError as error:
            log.warning("what %s is can't be looked up: %s", id, error)
            return Room(id)

    async def groups_of(self, team: str, user: str) -> frozenset[str]:
        """The ids of the user groups that somebody is in; none where groups can't be looked up."""
        try:
            found = await self._groups_of(team)
        except RefdeskError as error:
            log.warning("user groups can't be looked up, so nobody is in one: %s", error)
            return frozenset()
        return frozenset(id for id, members in found.items() if user in members)

    async def of(self, turn: Turn) -> Audience:
        """Who reads the reply to a question, in the place where it was asked."""
        team, channel, author = turn.key.workspace, turn.key.channel, turn.author.id
        user, room = await asyncio.gather(self.user(team, author), self.room(team, channel))
        if turn.audience.user is None and not room.is_direct:
            return await self.shared(team, channel, outside=user.outside)
        return await self.private(team, channel, author, outside=room.outside)

    async def private(self, team: str, channel: str, user: str, *, outside: bool = False) -> Audience:
        """The audience of a reply that this one person sees."""
        found = await self.user(team, user)
        groups = await self.groups_of(team, user)
        return Audience("slack", team, channel, user=user, roles=groups, external=outside or found.outside)

    async def shared(self, team: str, channel: str, *, outside: bool = False) -> Audience:
        """The audience of a message that everybody in the channel reads."""
        external = outside or (await self.room(team, channel)).outside or await self.guests.read_along(team, channel)
        return Audience("slack", team, channel, external=external)

    async def names_in(self, team: str, text: str) -> Names:
        """The names of whom and what a text refers to."""
        people = list(dict.fromkeys(people_in(text)))[:MOST_NAMES]
        rooms = list(dict.fromkeys(channels_in(text)))[:MOST_NAMES]
        users = await asyncio.gather(*(self.user(team, id) for id in people))
        channels = await asyncio.gather(*(self.room(team, id) for id in rooms))
        return Names({each.id: each.name for each in users}, {each.id: each.name for each in channels})

    async def _groups_of(self, team: str) -> dict[str, frozenset[str]]:
        return await self._groups.get((team, ""), lambda: groups_in(self.web, team))

    async def _user(self, team: str, id: str) -> User:
        return await self._users.get((team, id), lambda: user_of(self.web, team, id))

    async def _is_stranger(self, team: str, id: str) -> bool:
        return (await self._user(team, id)).outside
