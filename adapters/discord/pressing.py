"""The buttons under an answer, and the form behind a thumb that is down. Each says its turn. Only translates.

A button works as long as its message stands: discord.py knows it by the form of its id, also after a restart. What it
does stands in `deeds.py`.
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

from adapters.discord.counter import DiscordCounter, Told
from adapters.discord.deeds import DiscordDeeds
from adapters.discord.forms import written, wrong
from adapters.discord.looks import SIGN
from adapters.discord.mail import SILENT
from adapters.discord.trouble import asked
from adapters.discord.visits import spoken
from core.desk.visitor import Visitor
from core.errors import InputError, RefdeskError

log = logging.getLogger(__name__)

_FORM = re.compile(rf"{SIGN}:wrong:(?P<turn>\w+)")
_QUICK = 1.0
"""Seconds for a look into the record before a form is opened: Discord waits three."""


@dataclass(frozen=True, slots=True)
class DiscordButtons:
    """What happens when one is pressed."""

    counter: DiscordCounter

    async def pressed(self, itx: discord.Interaction, deed: str, turn: str, number: int) -> None:
        """A button, by what it does."""
        if deed == "down":
            await self._opened(itx, turn)
            return
        deeds = DiscordDeeds(self.counter)
        does: dict[str, Callable[[Visitor], Awaitable[Told]]] = {
            "up": lambda visitor: deeds.good(turn, visitor),
            "why": lambda visitor: self.counter.front.answers.why(turn, visitor),
            "human": lambda visitor: deeds.human(turn, visitor),
            "quiet": lambda visitor: deeds.quiet(turn, visitor),
            "stop": lambda visitor: deeds.stop(itx, turn, visitor),
            "share": lambda visitor: deeds.share(itx, turn, visitor),
            "direct": lambda visitor: deeds.direct(turn, visitor),
            "open": lambda visitor: deeds.open(turn, number, visitor),
        }
        await self.counter.done(itx, does.get(deed, _unknown))

    async def submitted(self, itx: discord.Interaction) -> None:
        """A form that was sent off; other interactions are none of ours."""
        about: Any = itx.data or {}
        found = _FORM.fullmatch(str(about.get("custom_id") or ""))
        if itx.type is not discord.InteractionType.modal_submit or found is None:
            return
        said = written(about.get("components") or [])
        await self.counter.done(itx, lambda visitor: DiscordDeeds(self.counter).wrong(found["turn"], said, visitor))

    async def _opened(self, itx: discord.Interaction, turn: str) -> None:
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
            async with asked():
                if problem:
                    await itx.response.send_message(problem, ephemeral=True, allowed_mentions=SILENT)
                else:
                    await itx.response.send_modal(wrong(turn, spoken(itx), may_correct=may_correct))
        except RefdeskError as error:
            log.warning("a form could not be opened: %s", error)


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


async def _unknown(visitor: Visitor) -> Told:
    raise InputError("error.button")
