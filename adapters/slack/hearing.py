"""What somebody wrote as a core message, as the event alone tells it: nothing is asked of Slack before it is stored.

Who reads along is looked up when the question is answered (`SlackPeople.of`); only a text that names others is
completed before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from adapters.slack.events import Spoken
from adapters.slack.mrkdwn import Names, markdown
from adapters.slack.opening import Opening
from adapters.slack.people import SlackPeople
from core.asking import pleads
from core.messages import Audience, Author, Message, ReplyTarget, SessionKey

PLATFORM = "slack"

REMEMBERED = 5000
"""Messages of which it is remembered that they are plain."""

PATIENCE = 1.0
"""Seconds for names, while Slack waits for an acknowledgement; who is not known by then is "someone"."""


def identity(channel: str, ts: str) -> str:
    """What names a message: the same for all events about it."""
    return f"{channel}:{ts}"


def said_at(identity: str) -> str:
    """The timestamp in an identity; empty for anything else."""
    _, _, ts = identity.rpartition(":")
    return ts if ts.replace(".", "", 1).isdigit() else ""


@dataclass
class Plain:
    """Messages whose events told everything there is to them: they need not be read again when they are answered."""

    _known: dict[tuple[str, str], None] = field(default_factory=dict)

    def note(self, spoken: Spoken) -> None:
        """This is how the message stands now."""
        named = (spoken.place.team, identity(spoken.place.channel, spoken.ts))
        self._known.pop(named, None)
        if not spoken.beside:
            self._known[named] = None
        while len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]

    def has(self, team: str, identity: str) -> bool:
        """Whether it is one of them."""
        return (team, identity) in self._known


def bare(spoken: Spoken, us: str) -> Message:
    """The message before anything is looked up: nobody is known, so everybody might read along."""
    place = spoken.place
    in_thread = bool(spoken.thread_ts) and spoken.thread_ts != spoken.ts
    thread = spoken.thread_ts if place.is_direct else spoken.thread_ts or spoken.ts
    return Message(
        identity=identity(place.channel, spoken.ts),
        key=SessionKey(PLATFORM, place.team, place.channel, thread or "dm"),
        author=Author(spoken.user, is_bot=spoken.is_bot),
        text=spoken.words(us, Names()),
        audience=_audience(spoken),
        reply_to=ReplyTarget(PLATFORM, place.team, place.channel, thread, recipient=spoken.user),
        received_at=datetime.now(UTC),
        mentions_us=spoken.mentions(us),
        mentions_others=spoken.mentions_others(us),
        in_thread=in_thread,
    )


def _audience(spoken: Spoken) -> Audience:
    """Whoever the event shows to be from outside stays that; of all others it is looked up."""
    place = spoken.place
    outside = place.shared or bool(spoken.user_team and spoken.user_team != place.team)
    reader = spoken.user if place.is_direct else None
    return Audience(PLATFORM, place.team, place.channel, reader, external=True, provisional=not outside)


@dataclass(frozen=True, slots=True)
class Completing:
    """The names of those whom a message for us speaks of, and what its thread began with if it says no more."""

    people: SlackPeople
    opening: Opening

    def of(self, spoken: Spoken, us: str) -> Callable[[Message], Awaitable[Message]] | None:
        """The look-up for one message; None when there is nothing to look up."""
        unsaid = bool(spoken.thread_ts) and spoken.thread_ts != spoken.ts and pleads(spoken.words(us, Names()))
        if not spoken.refers(us) and not unsaid:
            return None

        async def completed(message: Message) -> Message:
            try:
                async with asyncio.timeout(PATIENCE):
                    opening = await self.opening.of(spoken, us) if unsaid else ""
                    names = await self.people.names_in(spoken.place.team, f"{spoken.text}\n{opening}")
            except TimeoutError:
                return message
            return replace(message, text=spoken.words(us, names), opening=markdown(opening, names).strip())

        return completed
