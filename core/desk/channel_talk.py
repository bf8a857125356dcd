"""Settings of a channel as they are asked for in it: what holds, and one change at a time. Only translates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from core.desk.settings import ChannelSettings, Inquiry, View
from core.desk.visitor import Visitor
from core.errors import InputError
from core.etiquette import Mode
from core.messages import Language
from core.ports import Directory
from core.wording import say

What = Literal["view", "mode", "default", "show", "hide", "unset", "hint"]
UNSET = "unset"


@dataclass(frozen=True, slots=True)
class ChannelWish:
    """What is to be changed: collections by name, and the text of a mode or a hint."""

    what: What = "view"
    names: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class ChannelTalk:
    """The use case: admins set it in the channel itself, for that channel."""

    settings: ChannelSettings

    async def done(self, visitor: Visitor, wish: ChannelWish, names: Directory, *, outside: bool) -> str:
        """Do it and say what holds; `outside`: whether people from outside read the channel, as far as is known.

        Raises AccessDenied, and InputError for what can't be set.
        """
        inquiry = Inquiry(visitor.person, visitor.audience, visitor.place)
        view = await self._set(inquiry, wish)
        place = visitor.audience
        name = await names.name(place.platform, place.workspace, place.channel)
        shown = replace(view, channel=f"#{name}" if name else view.channel)
        limits = [say("channel.outside", visitor.language)] if outside else []
        return "\n".join([*told(shown, visitor.language), *limits])

    async def _set(self, inquiry: Inquiry, wish: ChannelWish) -> View:
        match wish.what:
            case "view":
                return await self.settings.view(inquiry)
            case "mode":
                return await self.settings.set_mode(inquiry, _mode(wish.text))
            case "default":
                return await self.settings.set_defaults(inquiry, [each for each in wish.names if each != UNSET])
            case "hint":
                return await self.settings.set_hint(inquiry, _first(wish.names), wish.text)
            case "show" | "hide" | "unset":
                shown = {"show": True, "hide": False}.get(wish.what)
                return await self.settings.set_visible(inquiry, wish.names or ("",), shown)


def told(view: View, language: Language) -> list[str]:
    """What holds in a channel, in lines."""
    mode = say(f"channel.mode.{view.set.mode or UNSET}", language)
    defaults = ", ".join(view.set.defaults) or say("channel.everything", language)
    lines = [say("channel.set", language, channel=view.channel, mode=mode, defaults=defaults)]
    for key, names in (("channel.shown", view.set.shown), ("channel.hidden", view.set.hidden)):
        if names:
            lines.append(say(key, language, names=", ".join(sorted(names))))
    return lines + [say("channel.hint", language, name=name, hint=hint) for name, hint in view.hints]


def _mode(text: str) -> Mode | None:
    known = {mode: mode for mode in get_args(Mode)}
    if text not in known and text != UNSET:
        raise InputError("error.mode", mode=text[:40] or "–", known=", ".join([*known, UNSET]))
    return known.get(text)


def _first(names: Sequence[str]) -> str:
    return names[0] if names else ""
