"""Settings from chat: what admins may set of a channel, by its id; who set it stays on record.

Nobody is told of a collection that the readers of the reply may not read, and nobody gives away what they can't
read themselves. What keeps outsiders from a collection stands in the configuration alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.access_commands import Person, Staff, may
from core.channels import HIDDEN, SHOWN, Channel, Name, Setting
from core.documents import Readable
from core.errors import AccessDenied, InputError
from core.etiquette import Mode
from core.indexing.text import one_line
from core.messages import Audience
from core.ports import Access, Clock, SettingsHistory, SettingsStore

HINT_LIMIT = 300
"""Characters of a hint: a sentence or two for the router."""

CHANGES = 20


@dataclass(frozen=True, slots=True)
class Inquiry:
    """Who asks, who reads the reply, and which channel it is about (``platform/workspace/channel``)."""

    person: Person
    audience: Audience
    channel: str


@dataclass(frozen=True, slots=True)
class View:
    """What is set for a channel, as far as the readers of the reply may know."""

    channel: str
    set: Channel
    hints: tuple[tuple[str, str], ...] = ()


class ChannelSettings:
    """The use case. Each method raises AccessDenied for whoever is no admin, InputError for what can't be set."""

    def __init__(
        self, store: SettingsStore, history: SettingsHistory, access: Access, staff: Staff, clock: Clock
    ) -> None:
        self._store = store
        self._history = history
        self._access = access
        self._staff = staff
        self._clock = clock

    async def view(self, inquiry: Inquiry) -> View:
        """What is set."""
        open_here = await self._admitted(inquiry)
        said = await self._store.said()
        channel = _known(said.channel(inquiry.channel), open_here)
        hints = tuple((name, text) for name, text in sorted(said.hints.items()) if name in open_here.collections)
        return View(inquiry.channel, channel, hints)

    async def everywhere(self, inquiry: Inquiry) -> list[View]:
        """What is set for each channel that anything is set for."""
        await self._admitted(inquiry)
        places = sorted((await self._store.said()).channels)
        views = [await self.view(replace(inquiry, channel=place)) for place in places]
        return [view for view in views if view.set != Channel()]

    async def changes(self, inquiry: Inquiry) -> list[Setting]:
        """Who set what, newest first."""
        open_here = (await self._admitted(inquiry)).collections
        found = await self._history.changes(inquiry.channel, CHANGES)
        return [
            replace(each, value=tuple(name for name in each.value if name in open_here))
            if each.name == "defaults"
            else each
            for each in found
            if not each.collection or each.collection in open_here
        ]

    async def set_mode(self, inquiry: Inquiry, mode: Mode | None) -> View:
        """When we speak up there; None is as the configuration says."""
        await self._admitted(inquiry)
        return await self._put(inquiry, "mode", (mode,) if mode else ())

    async def set_defaults(self, inquiry: Inquiry, names: Sequence[str]) -> View:
        """What is searched there unless the router is sure of something else; no names: everything."""
        open_here = await self._admitted(inquiry)
        for name in names:
            _check(name, open_here)
        return await self._put(inquiry, "defaults", tuple(dict.fromkeys(names)))

    async def set_visible(self, inquiry: Inquiry, names: Sequence[str], shown: bool | None) -> View:
        """Show or hide collections there, all or none of them; None is as the configuration says."""
        open_here = await self._admitted(inquiry)
        for name in names:
            _check(name, open_here)
        value = () if shown is None else (SHOWN if shown else HIDDEN,)
        for name in names:
            await self._put(inquiry, "visibility", value, name)
        return await self.view(inquiry)

    async def set_hint(self, inquiry: Inquiry, collection: str, hint: str) -> View:
        """What the router is told of a collection, from its next sync on; an empty one: as the configuration says."""
        _check(collection, await self._admitted(inquiry))
        text = one_line(" ".join(hint.split()))
        if len(text) > HINT_LIMIT:
            raise InputError("error.hint_long", length=len(text), limit=HINT_LIMIT)
        return await self._put(inquiry, "hint", (text,) if text else (), collection)

    async def _admitted(self, inquiry: Inquiry) -> Readable:
        """What may be named to whoever reads the reply."""
        if not may("settings", inquiry.person, self._staff):
            raise AccessDenied(detail=f"settings by {inquiry.person.name}")
        parts = inquiry.channel.split("/")
        if len(parts) != 3 or not all(parts) or inquiry.channel != "".join(inquiry.channel.split()):
            raise InputError("error.channel_id", channel=one_line(inquiry.channel)[:80])
        return await self._access.nameable(inquiry.audience)

    async def _put(self, inquiry: Inquiry, name: Name, value: tuple[str, ...], collection: str = "") -> View:
        now = self._clock.now()
        await self._store.put(Setting(inquiry.channel, name, value, inquiry.person.name, now, collection))
        return await self.view(inquiry)


def _check(name: str, readable: Readable) -> None:
    """Raises InputError, the same for what doesn't exist and for what may not be known here."""
    if name not in readable.collections:
        known = ", ".join(sorted(readable.collections)) or "–"
        raise InputError("error.collection_here", name=one_line(name)[:80], known=known)


def _known(channel: Channel, readable: Readable) -> Channel:
    seen = readable.collections
    return replace(
        channel,
        defaults=tuple(name for name in channel.defaults if name in seen),
        shown=channel.shown & seen,
        hidden=channel.hidden & seen,
    )
