"""`refdesk channel`: what is set for channels, and setting it as admins do from chat. Only translates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from bots.access_settings import check_id
from bots.compose.access import Counter, opened_counter
from core.channels import HIDDEN, SHOWN, Setting
from core.desk.channel_talk import UNSET, told
from core.desk.settings import ChannelSettings, Inquiry, View
from core.errors import InputError
from core.etiquette import Mode
from core.wording import say

if TYPE_CHECKING:
    from bots.settings import Settings

MODES: dict[str, Mode | None] = {"mention": "mention", "thread": "thread", "auto": "auto", "unset": None}


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is to be set; what is not named stays as it is. `hints` are ``NAME=TEXT``."""

    mode: str | None = None
    defaults: Sequence[str] = ()
    show: Sequence[str] = ()
    hide: Sequence[str] = ()
    unset: Sequence[str] = ()
    hints: Sequence[str] = ()


async def channel(settings: Settings, place: str | None, wishes: Wishes) -> int:
    """Set what is wished and print what holds; without a channel, what holds everywhere."""
    async with opened_counter(settings) as counter:
        inquiry = counter.inquiry(place or "")
        if place:
            _check(place)
            await _set(counter.channels, inquiry, wishes)
            views = [await counter.channels.view(inquiry)]
        elif wishes != Wishes():
            raise InputError("error.channel_missing")
        else:
            views = await counter.channels.everywhere(inquiry)
        _tell(counter, views, await _changes(counter, inquiry, place), settings)
    return 0


def _check(place: str) -> None:
    """Raises InputError for a name in the place of an id: it would be set and never apply."""
    try:
        check_id(place, "channel")
    except ValueError as error:
        raise InputError(what=str(error)) from error


async def _changes(counter: Counter, inquiry: Inquiry, place: str | None) -> list[Setting]:
    return await counter.channels.changes(inquiry) if place else []


async def _set(use: ChannelSettings, inquiry: Inquiry, wishes: Wishes) -> None:
    if not all("=" in hint for hint in wishes.hints):  # a hint without a text takes it back: nobody meant that
        raise InputError("error.hint_form")
    if wishes.mode is not None:
        if wishes.mode not in MODES:
            raise InputError("error.mode", mode=wishes.mode, known=", ".join(MODES))
        await use.set_mode(inquiry, MODES[wishes.mode])
    if wishes.defaults:
        await use.set_defaults(inquiry, [name for name in wishes.defaults if name != UNSET])
    for names, shown in ((wishes.show, True), (wishes.hide, False), (wishes.unset, None)):
        if names:
            await use.set_visible(inquiry, names, shown)
    for hint in wishes.hints:
        name, _, text = hint.partition("=")
        await use.set_hint(inquiry, name.strip(), text)


def _tell(counter: Counter, views: Sequence[View], changes: Sequence[Setting], settings: Settings) -> None:
    language, zone = settings.language, ZoneInfo(settings.timezone)
    for line in [line for view in views for line in told(view, language)] or [say("channel.none", language)]:
        counter.terminal.say(line)
    for each in changes:
        at = each.at.astimezone(zone).isoformat(" ", "minutes")
        counter.terminal.say(say("channel.change", language, at=at, by=each.by, what=_what(each)))


def _what(each: Setting) -> str:
    """The setting as it would be typed."""
    if each.name == "visibility":
        options = {SHOWN: "show", HIDDEN: "hide"}
        return f"--{options.get(''.join(each.value), UNSET)} {each.collection}"
    if each.name == "hint":
        return f'--hint "{each.collection}={" ".join(each.value)}"'
    option = "default" if each.name == "defaults" else "mode"
    return " ".join(f"--{option} {value}" for value in each.value or (UNSET,))
