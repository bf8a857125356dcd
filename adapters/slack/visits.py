"""Somebody in Slack as a visitor of the front desk: who they are, what they alone may read, in which language."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass

from adapters.slack.people import SlackPeople
from adapters.slack.places import Where
from adapters.slack.web import SlackWeb
from core.access_commands import Person
from core.desk.errands import Place
from core.desk.visitor import Visitor
from core.messages import Language, ReplyTarget

_HANGUL = re.compile(r"[가-힣ㄱ-ㅎ]")


@dataclass(frozen=True, slots=True)
class Visits:
    """Looks up who somebody is. `language` is that of this desk, for who shows no other."""

    web: SlackWeb
    people: SlackPeople
    language: Language = "en"

    def spoken(self, text: str) -> Language:
        """The language of what was typed, before anything is looked up."""
        return "ko" if _HANGUL.search(text) else self.language

    def in_form(self, kept: Mapping[str, str], text: str = "") -> Language:
        """The language in which a form was shown, unless what is written in it is Korean."""
        if _HANGUL.search(text):
            return "ko"
        shown = kept.get("language")
        return "ko" if shown == "ko" else "en" if shown == "en" else self.language

    async def of(self, where: Where, text: str = "") -> Visitor:
        """The visitor; what can't be looked up counts as from outside."""
        user, audience, known = await asyncio.gather(
            self.people.user(where.team, where.user),
            self.people.private(where.team, where.channel, where.user),
            self.people.knows(where.team, where.user),
        )
        person = Person(
            "slack",
            where.user_team or where.team,
            where.user,
            audience.roles,
            user.is_bot,
            user.is_admin and not audience.external,
        )
        return Visitor(person, audience, self._language(user.locale, text), known)

    async def here(self, where: Where, visitor: Visitor) -> Place:
        """The channel they are in, and everybody who reads it."""
        if where.is_direct:
            return Place(where.target, visitor.audience)
        shared = await self.people.shared(where.team, where.channel, outside=visitor.audience.external)
        return Place(where.target, shared)

    async def alone(self, where: Where) -> Place:
        """Their direct messages with us."""
        opened = await self.web.call("conversations.open", where.team, users=where.user)
        channel = str(opened["channel"]["id"])
        audience = await self.people.private(where.team, channel, where.user)
        return Place(ReplyTarget("slack", where.team, channel, "", recipient=where.user), audience)

    def _language(self, locale: str, text: str) -> Language:
        if _HANGUL.search(text) or locale.startswith("ko"):
            return "ko"
        return "en" if locale else self.language
