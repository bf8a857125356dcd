"""What may be read at this moment: the rules of the configuration with what admins said from chat. Asked every turn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.access import Visible, place_of, readable
from core.channels import Told, applied
from core.desk.latest import Latest
from core.documents import Readable
from core.etiquette import Rules
from core.messages import Audience, SessionKey
from core.ports import SettingsStore

About = Callable[[], Awaitable[Mapping[str, frozenset[str]]]]
"""The collections that what stands in a collection is about, by its name: who may not read those doesn't read it."""


async def nothing_about_others() -> Mapping[str, frozenset[str]]:
    """An About where nobody collects corrections."""
    return {}


@dataclass(frozen=True, slots=True)
class FixedAccess:
    """The rules of the configuration alone."""

    visibility: tuple[Visible, ...]

    async def readable(self, audience: Audience) -> Readable:
        """What every reader may read."""
        return readable(audience, self.visibility)

    async def defaults(self, audience: Audience) -> tuple[str, ...]:
        """None are set."""
        return ()

    async def nameable(self, audience: Audience) -> Readable:
        """The same: nothing is hidden."""
        return readable(audience, self.visibility)


class ChannelAccess:
    """The rules with what was said of channels. One small question to the store each time: changes hold at once.

    Corrections are read where all that they are `about` is: asked each time too, since a sync may lie far ahead.
    A store that can't be asked lets nobody read anything: its error ends the turn.
    """

    def __init__(
        self,
        visibility: Sequence[Visible],
        store: SettingsStore,
        talk: Rules | None = None,
        about: About = nothing_about_others,
    ) -> None:
        self._visibility = tuple(visibility)
        self._store = store
        self._talk = talk or Rules()
        self._said = Told()
        self._applied = self._visibility
        self._version = Latest(store.version)
        self._about = Latest(about)

    async def readable(self, audience: Audience) -> Readable:
        """What every reader may read."""
        return readable(audience, await self._rules())

    async def defaults(self, audience: Audience) -> tuple[str, ...]:
        """What was set for the channel."""
        return (await self._look()).channel(place_of(audience)).defaults

    async def nameable(self, audience: Audience) -> Readable:
        """What they would read if nothing were hidden: who hid a collection can show it again."""
        return readable(audience, [replace(rule, hidden_in=frozenset()) for rule in await self._rules()])

    async def rules(self, key: SessionKey) -> Rules:
        """How talkative the channel wants us."""
        place = f"{key.platform}/{key.workspace}/{key.channel}"
        mode = (await self._look()).channel(place).mode
        return replace(self._talk, mode=mode) if mode else self._talk

    async def hints(self) -> dict[str, str]:
        """What the router was told of collections."""
        return dict((await self._look()).hints)

    async def _rules(self) -> list[Visible]:
        await self._look()
        about = await self._about.get()
        return [replace(rule, within=about.get(rule.collection, frozenset())) for rule in self._applied]

    async def _look(self) -> Told:
        if await self._version.get() != self._said.version:
            self._said = await self._store.said()
            self._applied = applied(self._visibility, self._said)
        return self._said
