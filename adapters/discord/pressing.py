"""The buttons under an answer, and the form behind a thumb that is down. Each says its turn. Only translates.

A button works as long as its message stands: discord.py knows it by the form of its id, also after a restart. Who may
see what of its answer is asked anew each time.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Self

import discord
from discord import ui

from adapters.discord import outgoing
from adapters.discord.counter import DiscordCounter
from adapters.discord.looks import SIGN
from adapters.discord.rooms import PLATFORM
from adapters.discord.trouble import told
from adapters.discord.visits import spoken
from core.access_commands import Named
from core.desk.feedback import Instead
from core.desk.passages import Opened
from core.desk.share import Destination
from core.desk.visitor import Visitor
from core.errors import InputError, RefdeskError
from core.messages import Turn
from core.wording import say

log = logging.getLogger(__name__)

_FORM = re.compile(rf"{SIGN}:wrong:(?P<turn>\w+)")
COMMENT, CORRECTION = "comment", "correction"
_LONG = 4000
_QUICK = 1.0
"""Seconds for a look into the record before a form is opened: Discord waits three."""


@dataclass(frozen=True, slots=True)
class DiscordButtons:
    """What happens when one is pressed."""

    counter: DiscordCounter

    async def pressed(self, itx: discord.Interaction, deed: str, turn: str, number: int) -> None:
        """A button, by what it does."""
        if deed == "down":
            await self._wrong(itx, turn)
            return
        does: dict[str, Callable[[Visitor], Awaitable[str]]] = {
            "up": lambda visitor: self._good(turn, visitor),
            "why": lambda visitor: self.counter.front.answers.why(turn, visitor),
            "human": lambda visitor: self._human(turn, visitor),
            "quiet": lambda visitor: self._quiet(turn, visitor),
            "stop": lambda visitor: self._stop(turn, visitor),
            "share": lambda visitor: self._share(itx, turn, visitor),
            "direct": lambda visitor: self._direct(turn, visitor),
            "open": lambda visitor: self._open(turn, number, visitor),
        }
        await self.counter.done(itx, does.get(deed, _unknown))

    async def submitted(self, itx: discord.Interaction) -> None:
        """A form that was sent off; other interactions are none of ours."""
        about: Any = itx.data or {}
        found = _FORM.fullmatch(str(about.get("custom_id") or ""))
        if itx.type is not discord.InteractionType.modal_submit or found is None:
            return
        written = _written(about.get("components") or [])
        await self.counter.done(itx, lambda visitor: self._told(found["turn"], written, visitor))

    async def _good(self, turn: str, visitor: Visitor) -> str:
        await self.counter.front.answers.turn(turn, visitor)
        await self.counter.front.receiving.rate(turn, visitor.person, "up")
        return say("feedback.thanks", visitor.language)

    async def _wrong(self, itx: discord.Interaction, turn: str) -> None:
        """The form is the acknowledgement; whether its giver could say what is right is asked quickly before."""
        may_correct, problem = False, ""
        try:
            async with asyncio.timeout(_QUICK):
                visitor = await self.counter.visits.of(itx)
                await self.counter.front.answers.turn(turn, visitor)
                may_correct = (await self.counter.front.receiving.rate(turn, visitor.person, "down")).may_correct
        except TimeoutError:
            log.warning("the record is slow: a form was opened without a look at it")
        except RefdeskError as error:
            problem = error.user_message(spoken(itx))
        try:
            with told():
                if problem:
                    await itx.response.send_message(problem, ephemeral=True)
                else:
                    await itx.response.send_modal(wrong(itx, turn, may_correct=may_correct))
        except RefdeskError as error:
            log.warning("a form could not be opened: %s", error)

    async def _told(self, turn_id: str, written: dict[str, str], visitor: Visitor) -> str:
        comment, correction = (written.get(each, "").strip() for each in (COMMENT, CORRECTION))
        front = self.counter.front
        turn = await front.answers.turn(turn_id, visitor)
        if comment or not correction:
            await front.receiving.comment(turn_id, visitor.person, comment)
        if correction:
            await front.receiving.correct(turn_id, visitor.person, Instead(turn.question, correction, _link(turn)))
        return say("feedback.corrected" if correction else "feedback.thanks", visitor.language)

    async def _human(self, turn_id: str, visitor: Visitor) -> str:
        """Somebody is asked instead: in the thread, once; where nobody else reads along, their names are told."""
        answers = self.counter.front.answers
        named, turn = await answers.whom(turn_id, visitor), await answers.turn(turn_id, visitor)
        who, calls = mentions(named, turn.key.workspace)
        if turn.key.private or turn.audience.user is not None:
            return say("human.ask", visitor.language, who=who)
        await answers.call(turn_id)
        place = turn.target.thread or turn.target.channel
        try:
            with told():
                await self.counter.door.client.get_partial_messageable(int(place)).send(
                    say("human.call", visitor.language, who=who), allowed_mentions=calls
                )
        except RefdeskError:
            await answers.uncall(turn_id)
            raise
        return say("human.ask", visitor.language, who=who)

    async def _quiet(self, turn_id: str, visitor: Visitor) -> str:
        turn = await self.counter.front.answers.turn(turn_id, visitor)
        return await self.counter.front.threads.quiet(turn.key, visitor)

    async def _stop(self, turn_id: str, visitor: Visitor) -> str:
        stopped = await self.counter.front.answers.stop(turn_id, visitor)
        return say("stop.done" if stopped else "stop.late", visitor.language)

    async def _open(self, turn_id: str, number: int, visitor: Visitor) -> str:
        return passage(await self.counter.front.answers.open(turn_id, number, visitor))

    async def _share(self, itx: discord.Interaction, turn_id: str, visitor: Visitor) -> str:
        """A private answer for everybody in the channel it was asked in."""
        turn = await self.counter.front.answers.turn(turn_id, visitor)
        place = await self.counter.visits.here(itx, visitor)
        spot = await self.counter.visits.spot(itx)
        if spot.is_direct or turn.key.channel != spot.channel:
            raise InputError("error.share_nowhere")
        to = Destination(place.target, place.audience, spot.thread)
        await self.counter.front.sharing.share(turn_id, visitor.person.id, to)
        return say("share.done", visitor.language)

    async def _direct(self, turn_id: str, visitor: Visitor) -> str:
        """A private answer where one can go on asking."""
        await self.counter.front.answers.turn(turn_id, visitor)
        alone = await self.counter.visits.alone(visitor)
        await self.counter.front.sharing.share(
            turn_id, visitor.person.id, Destination(alone.target, alone.audience, "dm")
        )
        return say("share.direct", visitor.language)


def pressing(buttons: DiscordButtons) -> type[ui.DynamicItem[ui.Button[Any]]]:
    """The kind of button that discord.py is to know by its id."""

    class Pressed(ui.DynamicItem[ui.Button[Any]], template=rf"{SIGN}:(?P<deed>[a-z]+):(?P<turn>\w+):(?P<number>\d+)"):
        def __init__(self, item: ui.Button[Any], found: re.Match[str]) -> None:
            super().__init__(item)
            self.found = found

        @classmethod
        async def from_custom_id(cls, itx: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /) -> Self:
            assert isinstance(item, ui.Button)
            return cls(item, match)

        async def callback(self, itx: discord.Interaction) -> None:
            await buttons.pressed(itx, self.found["deed"], self.found["turn"], int(self.found["number"]))

    return Pressed


def wrong(itx: discord.Interaction, turn: str, *, may_correct: bool) -> ui.Modal:
    """What was wrong, and (for who may say so) what is right."""
    language = spoken(itx)
    form = ui.Modal(title=say("feedback.title", language)[:45], custom_id=f"{SIGN}:wrong:{turn}", timeout=900)
    fields = [(COMMENT, "feedback.label"), *([(CORRECTION, "feedback.correct")] if may_correct else [])]
    for id, key in fields:
        field: ui.TextInput[Any] = ui.TextInput(
            style=discord.TextStyle.paragraph, custom_id=id, required=not may_correct, max_length=_LONG
        )
        form.add_item(ui.Label(text=say(key, language)[:45], component=field))
    return form


def passage(opened: Opened) -> str:
    """What stands at a footnote, the quoted words in bold."""
    title = f"**{outgoing.words(opened.citation.title)}**"
    before, after = opened.before[-1500:], opened.after[:1500]
    quoted = f"**{opened.quoted.strip()}**" if opened.quoted else ""
    return f"{title}\n{before}{quoted}{after}".strip()


def mentions(named: Named, guild: str) -> tuple[str, discord.AllowedMentions]:
    """The people and roles of this server, as mentions that call them; raises InputError when there is none here."""
    users, groups = _here(named.users, guild), _here(named.groups, guild)
    found = [f"<@&{id}>" for id in groups] + [f"<@{id}>" for id in users]
    if not found:
        raise InputError("error.nobody_to_ask")
    calls = discord.AllowedMentions(
        everyone=False, users=[discord.Object(id) for id in users], roles=[discord.Object(id) for id in groups]
    )
    return " ".join(found), calls


def _here(ids: frozenset[str], guild: str) -> list[int]:
    """Ids of this server, bare."""
    parted = (id.rpartition("/") for id in ids)
    return sorted(int(bare) for place, _, bare in parted if place in ("", f"{PLATFORM}/{guild}") and bare.isdecimal())[
        :20
    ]


def _written(components: list[Any]) -> dict[str, str]:
    """What stands in the fields of a form."""
    found: dict[str, str] = {}
    for each in components:
        inner = each.get("component") or {}
        if each.get("custom_id"):
            found[str(each["custom_id"])] = str(each.get("value") or "")
        found |= _written([*(each.get("components") or []), *([inner] if inner else [])])
    return found


def _link(turn: Turn) -> str | None:
    """Where the question was asked: whoever reads the correction can see what it was about."""
    if turn.key.private or turn.audience.user is not None or not turn.target.message_ids:
        return None
    place = turn.target.thread or turn.target.channel
    return f"https://discord.com/channels/{turn.key.workspace}/{place}/{turn.target.message_ids[0]}"


async def _unknown(visitor: Visitor) -> str:
    raise InputError("error.button")
