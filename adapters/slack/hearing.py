"""What somebody wrote as a core message: first as the event alone tells it, then completed by what has to be looked up.

Most messages of a workspace are nothing to us; only those that are get asked about.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from adapters.slack.events import Spoken
from adapters.slack.mrkdwn import Names
from adapters.slack.people import SlackPeople
from core.messages import Audience, Author, Message, ReplyTarget, SessionKey

PLATFORM = "slack"


def identity(channel: str, ts: str) -> str:
    """What names a message: the same for all events about it."""
    return f"{channel}:{ts}"


def said_at(identity: str) -> str:
    """The timestamp in an identity; empty for anything else."""
    _, _, ts = identity.rpartition(":")
    return ts if ts.replace(".", "", 1).isdigit() else ""


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
        audience=Audience(PLATFORM, place.team, place.channel, spoken.user if place.is_direct else None, external=True),
        reply_to=ReplyTarget(PLATFORM, place.team, place.channel, thread, recipient=spoken.user),
        received_at=datetime.now(UTC),
        mentions_us=spoken.mentions(us),
        mentions_others=spoken.mentions_others(us),
        in_thread=in_thread,
    )


@dataclass(frozen=True, slots=True)
class Completing:
    """Names, groups and readers of a message that is for us."""

    people: SlackPeople

    def of(self, spoken: Spoken, us: str) -> Callable[[Message], Awaitable[Message]]:
        """The look-up for one message."""

        async def completed(message: Message) -> Message:
            team = spoken.place.team
            user, audience, names = await asyncio.gather(
                self.people.user(team, spoken.user),
                self.people.audience(spoken),
                self.people.names_in(team, spoken.text),
            )
            author = Author(user.id, user.name, audience.roles, spoken.is_bot or user.is_bot)
            return replace(message, author=author, audience=audience, text=spoken.words(us, names))

        return completed
