"""Who and where: names of people and channels by id, asked for once each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from adapters.slack.calling import Refused, SlackCalls
from adapters.slack.mrkdwn import SOMEONE, Names, channels_in, people_in


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in Slack as others see them."""

    name: str
    is_bot: bool = False


@dataclass
class SlackNames:
    """Looks up and remembers; who can't be found is a person without a name."""

    calls: SlackCalls
    _people: dict[str, Person] = field(default_factory=dict)
    _channels: dict[str, str] = field(default_factory=dict)

    async def person(self, id: str) -> Person:
        """A user; raises NotNow."""
        if id not in self._people:
            self._people[id] = await self._ask(id)
        return self._people[id]

    async def channel(self, id: str) -> str:
        """A channel's name, ``""`` if it isn't one that we can see; raises NotNow."""
        if id not in self._channels:
            try:
                answer = await self.calls.get("conversations.info", channel=id)
                self._channels[id] = str(answer["channel"].get("name") or "")
            except Refused:
                self._channels[id] = ""
        return self._channels[id]

    async def referred(self, texts: Iterable[str]) -> Names:
        """The names of everyone and everything that the texts refer to."""
        whole = list(texts)
        people = {id: (await self.person(id)).name for text in whole for id in people_in(text)}
        channels = {id: await self.channel(id) for text in whole for id in channels_in(text)}
        return Names(people, channels)

    async def _ask(self, id: str) -> Person:
        try:
            user = (await self.calls.get("users.info", user=id))["user"]
        except Refused as refused:
            if refused.code == "missing_scope":
                raise
            return Person(SOMEONE)
        profile = user.get("profile") or {}
        name = profile.get("display_name") or profile.get("real_name") or user.get("real_name") or user.get("name")
        return Person(str(name or SOMEONE), bool(user.get("is_bot")) or id == "USLACKBOT")
