"""Who and where, for documents: names that are asked for once each. A look-up that fails leaves no name half known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from adapters.slack.directory import User, room_of, user_of
from adapters.slack.mrkdwn import Names, channels_in, people_in
from adapters.slack.web import SlackRefused, SlackWeb


@dataclass
class SlackNames:
    """Looks up and remembers; who is not there is a person without a name. Raises SlackRefused, UpstreamError."""

    web: SlackWeb
    team: str
    _people: dict[str, User] = field(default_factory=dict)
    _channels: dict[str, str] = field(default_factory=dict)

    async def person(self, id: str) -> User:
        """A user."""
        if id not in self._people:
            self._people[id] = await self._ask(id)
        return self._people[id]

    async def channel(self, id: str) -> str:
        """A channel's name, ``""`` if it isn't one that we can see."""
        if id not in self._channels:
            try:
                self._channels[id] = (await room_of(self.web, self.team, id)).name
            except SlackRefused:
                self._channels[id] = ""
        return self._channels[id]

    async def referred(self, texts: Iterable[str]) -> Names:
        """The names of everyone and everything that the texts refer to."""
        whole = list(texts)
        people = {id: (await self.person(id)).name for text in whole for id in people_in(text)}
        channels = {id: await self.channel(id) for text in whole for id in channels_in(text)}
        return Names(people, channels)

    async def _ask(self, id: str) -> User:
        try:
            return await user_of(self.web, self.team, id)
        except SlackRefused as refused:
            if refused.code == "missing_scope" or refused.signed_out:
                raise
            return User(id)
