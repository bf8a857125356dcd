"""Slack's events on their way to the desk: acknowledged only when the turn is stored.

Bolt acknowledges `@app.event` listeners before they run, so `SlackHearing.heard` is a global middleware, and the
listeners of events do nothing. What commands, buttons and tabs do stands in the files beside this one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from adapters.slack.events import Deleted, Edited, Place, Skipped, Spoken, happened, is_ours
from adapters.slack.hearing import PLATFORM, Completing, Plain, bare, identity
from adapters.slack.opening import Opening
from adapters.slack.people import SlackPeople
from adapters.slack.posts import SlackPosts
from adapters.slack.web import SlackWeb
from core.desk.desk import Desk
from core.desk.hear import Heard
from core.desk.speaking import question_language
from core.errors import InputError
from core.messages import Accepted, Hush, Language, Message, Respond, Turn
from core.wording import say

log = logging.getLogger(__name__)

Next = Callable[[], Awaitable[Any]]

REMEMBERED = 1000
"""Messages whose notes are remembered: a note is nothing that the record knows of."""


@dataclass(frozen=True, slots=True)
class SlackDoor:
    """What the translation of Slack's payloads works with. `language` is that of the desk."""

    desk: Desk
    web: SlackWeb
    people: SlackPeople
    posts: SlackPosts
    language: Language = "en"


@dataclass(frozen=True, slots=True)
class SlackHearing:
    """From an event to the desk."""

    door: SlackDoor
    accepted: Callable[[Turn], None] = lambda turn: None
    plain: Plain = field(default_factory=Plain)
    _noted: dict[str, None] = field(default_factory=dict)
    _notes: set[asyncio.Task[None]] = field(default_factory=set)
    _under_way: dict[str, asyncio.Task[str]] = field(default_factory=dict)

    async def heard(self, body: dict[str, Any], context: dict[str, Any], next: Next) -> None:
        """Store what is for us, and only then let Bolt acknowledge; an error leaves the event to be sent again."""
        if body.get("type") == "event_callback" and not is_ours(body.get("event") or {}, str(body.get("api_app_id"))):
            await self._happened(body, str(context.get("bot_user_id") or ""))
        await next()

    async def close(self) -> None:
        """Nothing goes on: a message that was still being stored was not acknowledged, and is sent again."""
        tasks = [*self._notes, *self._under_way.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _happened(self, body: dict[str, Any], us: str) -> None:
        match happened(body):
            case Spoken(user=user) if user == us:
                log.debug("our own words")
            case Spoken() as spoken:
                await self._said(spoken, us, notes=_is_noted(body, spoken, us))
            case Edited(now):
                await self._said(now, us, edited=True)
            case Deleted(place, ts):
                await self._deleted(place, identity(place.channel, ts))
            case Skipped(reason):
                log.debug("nothing to hear: %s", reason)

    async def _said(self, spoken: Spoken, us: str, *, edited: bool = False, notes: bool = True) -> None:
        """The two events of one mention come together mostly, and are stored together."""
        message = bare(spoken, us)
        self.plain.note(spoken)
        named = f"{message.key.workspace}:{message.identity}"
        before = self._under_way.get(named)
        if before is None or edited:
            stored = self._stored(message, spoken, us, after=before, edited=edited)
            task = asyncio.create_task(stored, name="hearing")
            self._under_way[named] = task
            task.add_done_callback(partial(self._done, named))
        else:
            task = before
        note = await asyncio.shield(task)
        if note and notes and not spoken.is_bot:  # a program that is told of an error might answer it
            self._tell(message, note)

    async def _deleted(self, place: Place, message: str) -> None:
        """A question that is being stored is stored first: taken back meanwhile, it would be answered all the same."""
        under_way = self._under_way.get(f"{place.team}:{message}")
        if under_way is not None:
            await asyncio.wait({under_way})
        await self.door.desk.withdraw(PLATFORM, place.team, message)

    def _done(self, named: str, task: asyncio.Task[str]) -> None:
        if self._under_way.get(named) is task:
            del self._under_way[named]

    async def _stored(
        self, message: Message, spoken: Spoken, us: str, *, after: asyncio.Task[str] | None, edited: bool
    ) -> str:
        """Hear it; what is to be noted at once, or nothing. Edits of one message are taken in their order."""
        if after is not None:
            await asyncio.wait({after})
        complete = Completing(self.door.people, Opening(self.door.web)).of(spoken, us)
        hear = self.door.desk.revise if edited else self.door.desk.hear
        try:
            heard = await hear(message, complete)
        except InputError as error:
            return error.user_message(question_language(message.text, self.door.language))
        if isinstance(heard, Accepted) and not heard.duplicate:
            self.accepted(heard.turn)
        return _note(heard, question_language(message.text, self.door.language))

    def _tell(self, message: Message, text: str) -> None:
        """A note to its author alone, once, and nothing that an acknowledgement waits for."""
        named = f"{message.key.workspace}:{message.identity}:{text}"
        if named in self._noted:
            return
        self._noted[named] = None
        while len(self._noted) > REMEMBERED:
            del self._noted[next(iter(self._noted))]
        task = asyncio.create_task(self._told(message, text), name="note")
        self._notes.add(task)
        task.add_done_callback(self._notes.discard)

    async def _told(self, message: Message, text: str) -> None:
        try:
            await self.door.posts.note(message.reply_to, text)
        except Exception:
            log.exception("a note in %s could not be shown", message.key.channel)


def _note(heard: Heard, language: Language) -> str:
    """What is said at once: help, or that we are quiet now."""
    if isinstance(heard, Hush):
        return say("thread.quiet", language)
    return say("slack.help", language) if isinstance(heard, Respond) else ""


def _is_noted(body: Mapping[str, Any], spoken: Spoken, us: str) -> bool:
    """Whether notes are due for this event: not for the first of the two that Slack sends of one mention.

    They may reach two processes, and nothing is stored of a message that is answered with a note.
    """
    twice = spoken.mentions(us) and spoken.place.kind in ("channel", "group")
    return not twice or (body.get("event") or {}).get("type") == "app_mention"
