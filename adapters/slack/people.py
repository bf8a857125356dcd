"""Who is who in a workspace, and who reads along: asked of Slack, kept for a while, and bounded.

What can't be told is told as if somebody from outside read along.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from adapters.slack.mrkdwn import SOMEONE, Names, channels_in, people_in
from adapters.slack.web import SlackWeb
from core.errors import RefdeskError
from core.messages import Audience, Turn

log = logging.getLogger(__name__)

T = TypeVar("T")

KEPT_FOR = 600.0
MOST_KEPT = 5000
MOST_NAMES = 20
"""People and channels of one message whose names are looked up."""


@dataclass
class Kept(Generic[T]):
    """Answers by id for a while; one question at a time for each id."""

    kept_for: float = KEPT_FOR
    most: int = MOST_KEPT
    _values: OrderedDict[tuple[str, str], tuple[float, asyncio.Future[T]]] = field(default_factory=OrderedDict)

    async def get(self, key: tuple[str, str], ask: Callable[[], Awaitable[T]]) -> T:
        """The answer that is there, or a new one; a failure is not kept."""
        now = asyncio.get_running_loop().time()
        until, future = self._values.get(key, (0.0, None))
        if future is None or until <= now:
            future = asyncio.ensure_future(ask())
            self._values[key] = (now + self.kept_for, future)
            self._values.move_to_end(key)
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        try:
            return await asyncio.shield(future)
        except RefdeskError:
            if self._values.get(key, (0.0, None))[1] is future:
                del self._values[key]
            raise


@dataclass(frozen=True, slots=True)
class User:
    """Somebody, as far as we ask. `outside`: a guest, or of another organisation."""

    id: str
    name: str = SOMEONE
    is_bot: bool = False
    is_admin: bool = False
    outside: bool = True
    locale: str = ""


@dataclass(frozen=True, slots=True)
class Room:
    """A channel, as far as we ask. `outside`: shared with another organisation. `is_open`: everybody can look in."""

    id: str
    name: str = ""
    is_direct: bool = False
    is_open: bool = False
    outside: bool = True


@dataclass
class SlackPeople:
    """The Directory of Slack."""

    web: SlackWeb
    _users: Kept[User] = field(default_factory=Kept)
    _rooms: Kept[Room] = field(default_factory=Kept)
    _groups: Kept[dict[str, frozenset[str]]] = field(default_factory=Kept)

    async def name(self, platform: str, workspace: str, id: str) -> str:
        """The name of a person or a channel, as people see it."""
        if id.startswith(("C", "G", "D")):
            return (await self.room(workspace, id)).name
        return (await self.user(workspace, id)).name

    async def user(self, team: str, id: str) -> User:
        """A person; who can't be looked up is a stranger."""
        return await self._users.get((team, id), lambda: self._ask_user(team, id))

    async def room(self, team: str, id: str) -> Room:
        """A channel; one that can't be looked up is read by strangers."""
        return await self._rooms.get((team, id), lambda: self._ask_room(team, id))

    async def groups_of(self, team: str, user: str) -> frozenset[str]:
        """The ids of the user groups that somebody is in; none where groups can't be looked up."""
        found = await self._groups.get((team, ""), lambda: self._ask_groups(team))
        return frozenset(id for id, members in found.items() if user in members)

    async def of(self, turn: Turn) -> Audience:
        """Who reads the reply to a question, in the place where it was asked."""
        team, channel, author = turn.key.workspace, turn.key.channel, turn.author.id
        user, room = await asyncio.gather(self.user(team, author), self.room(team, channel))
        outside = user.outside or room.outside
        if turn.audience.user is None and not room.is_direct:
            return Audience("slack", team, channel, external=outside)
        return await self.private(team, channel, author, outside=outside)

    async def private(self, team: str, channel: str, user: str, *, outside: bool = False) -> Audience:
        """The audience of a reply that this one person sees."""
        found = await self.user(team, user)
        groups = await self.groups_of(team, user)
        return Audience("slack", team, channel, user=user, roles=groups, external=outside or found.outside)

    async def shared(self, team: str, channel: str, *, outside: bool = False) -> Audience:
        """The audience of a message that everybody in the channel reads."""
        room = await self.room(team, channel)
        return Audience("slack", team, channel, external=outside or room.outside)

    async def names_in(self, team: str, text: str) -> Names:
        """The names of whom and what a text refers to."""
        people = list(dict.fromkeys(people_in(text)))[:MOST_NAMES]
        rooms = list(dict.fromkeys(channels_in(text)))[:MOST_NAMES]
        users = await asyncio.gather(*(self.user(team, id) for id in people))
        channels = await asyncio.gather(*(self.room(team, id) for id in rooms))
        return Names({each.id: each.name for each in users}, {each.id: each.name for each in channels})

    async def _ask_user(self, team: str, id: str) -> User:
        try:
            found = (await self.web.call("users.info", team, user=id, include_locale=True))["user"]
        except RefdeskError as error:
            log.warning("who %s is can't be looked up: %s", id, error)
            return User(id)
        profile = found.get("profile") or {}
        name = profile.get("display_name") or profile.get("real_name") or found.get("real_name") or found.get("name")
        guest = found.get("is_restricted") or found.get("is_ultra_restricted") or found.get("is_stranger")
        elsewhere = str(found.get("team_id") or team) != team
        admin = bool(found.get("is_admin") or found.get("is_owner"))
        is_bot, locale = bool(found.get("is_bot")), str(found.get("locale") or "")
        return User(id, str(name or SOMEONE), is_bot, admin, bool(guest) or elsewhere, locale)

    async def _ask_room(self, team: str, id: str) -> Room:
        try:
            found = (await self.web.call("conversations.info", team, channel=id))["channel"]
        except RefdeskError as error:
            log.warning("what %s is can't be looked up: %s", id, error)
            return Room(id)
        outside = bool(found.get("is_ext_shared") or found.get("is_pending_ext_shared"))
        is_open = not (found.get("is_private") or found.get("is_im") or found.get("is_mpim"))
        return Room(id, str(found.get("name") or ""), bool(found.get("is_im")), is_open, outside)

    async def _ask_groups(self, team: str) -> dict[str, frozenset[str]]:
        try:
            listed = (await self.web.call("usergroups.list", team, include_users=True)).get("usergroups") or []
            members: dict[str, frozenset[str]] = {}
            for each in listed[:200]:
                users: Any = each.get("users")
                if users is None:
                    users = (await self.web.call("usergroups.users.list", team, usergroup=each["id"])).get("users")
                members[str(each["id"])] = frozenset(map(str, users or ()))
        except RefdeskError as error:
            log.warning("user groups can't be looked up, so nobody is in one: %s", error)
            return {}
        return members
