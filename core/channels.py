"""What admins have said of a channel from chat, by the channel's id; and what that does to the rules. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from core.access import Visible
from core.etiquette import Mode

Name = Literal["mode", "defaults", "visibility", "hint"]
"""`mode`: when we speak up. `defaults`: what is searched unless the router is sure of something else.
`visibility`: whether one collection is shown or hidden in the channel. `hint`: what the router is told of one."""

SHOWN, HIDDEN = "shown", "hidden"


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that was said: `value` is empty where it was taken back.

    `channel` is ``platform/workspace/channel``; `collection` is empty for `mode` and `defaults`. A hint belongs to
    its collection wherever it was given: a collection has one Card.
    """

    channel: str
    name: Name
    value: tuple[str, ...]
    by: str
    at: datetime
    collection: str = ""


@dataclass(frozen=True, slots=True)
class Channel:
    """What holds in one channel; a `mode` of None is what the configuration says."""

    mode: Mode | None = None
    defaults: tuple[str, ...] = ()
    shown: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Told:
    """Everything that holds now; `version` rises with each change."""

    version: int = 0
    channels: Mapping[str, Channel] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)

    def channel(self, place: str) -> Channel:
        """What holds there."""
        return self.channels.get(place, Channel())


def told(version: int, settings: Sequence[Setting]) -> Told:
    """The settings in force, oldest first, as they are asked for."""
    places: dict[str, Channel] = {}
    hints: dict[str, str] = {}
    for each in settings:
        if each.name == "hint":
            hints = {name: text for name, text in hints.items() if name != each.collection}
            hints |= {each.collection: each.value[0]} if each.value else {}
        else:
            places[each.channel] = _with(places.get(each.channel, Channel()), each)
    return Told(version, places, hints)


def _with(channel: Channel, said: Setting) -> Channel:
    if said.name == "mode":
        return replace(channel, mode=_mode(said.value))
    if said.name == "defaults":
        return replace(channel, defaults=said.value)
    one = frozenset({said.collection})
    shown, hidden = channel.shown - one, channel.hidden - one
    if said.value == (SHOWN,):
        return replace(channel, shown=shown | one, hidden=hidden)
    # What another version of us wrote there, and we can't read, hides: no mistake may show a collection.
    return replace(channel, shown=shown, hidden=hidden | one if said.value else hidden)


def _mode(value: tuple[str, ...]) -> Mode | None:
    modes: dict[str, Mode] = {"mention": "mention", "thread": "thread", "auto": "auto"}
    return modes.get(value[0]) if value else None


def applied(rules: Sequence[Visible], said: Told) -> tuple[Visible, ...]:
    """The rules with what was said of channels. It shows and hides; whom a rule keeps out as external stays out."""
    return tuple(
        replace(
            rule,
            channels=rule.channels | {place for place, each in said.channels.items() if rule.collection in each.shown},
            hidden_in=rule.hidden_in
            | {place for place, each in said.channels.items() if rule.collection in each.hidden},
        )
        for rule in rules
    )
