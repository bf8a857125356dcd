"""Who may read and who may change what, put together: the configuration, and what was said from chat."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from adapters.clock import SystemClock
from adapters.console.messages import CHANNEL, PLACE, PLATFORM, WORKSPACE, user
from adapters.console.screen import Screen
from adapters.console.terminal import Terminal
from core.access_commands import Person, Staff
from core.desk.reading import ChannelAccess, nothing_about_others
from core.desk.settings import ChannelSettings, Inquiry
from core.messages import Audience
from core.ports import Clock

if TYPE_CHECKING:
    from adapters.sql.database import Database
    from bots.settings import Settings


@dataclass(frozen=True, slots=True)
class Doors:
    """What is asked before anything is read or changed."""

    access: ChannelAccess
    channels: ChannelSettings
    staff: Staff


def doors(settings: Settings, database: Database, clock: Clock) -> Doors:
    """Whoever sits at the terminal holds the files: every collection is readable there."""
    from adapters.sql.feedback import SqlCorrections
    from adapters.sql.settings import SqlSettings

    store, corrections = SqlSettings(database), SqlCorrections(database)
    collecting = frozenset(each.name for each in settings.collections if each.kind == "corrections")
    rules = [each.visibility.rule(each.name, always=(PLACE,)) for each in settings.collections]
    staff = Staff(settings.admins.named, {each.name: each.owners.named for each in settings.collections})
    about = partial(corrections.about, collecting) if collecting else nothing_about_others
    access = ChannelAccess(rules, store, about=about)
    return Doors(access, ChannelSettings(store, store, access, staff, clock), staff)


@dataclass(frozen=True, slots=True)
class Counter:
    """Where whoever runs this desk looks at channels: nothing else of it is opened."""

    channels: ChannelSettings
    terminal: Terminal

    def inquiry(self, channel: str) -> Inquiry:
        """Asked at this terminal."""
        person = Person(PLATFORM, WORKSPACE, user())
        return Inquiry(person, Audience(PLATFORM, WORKSPACE, CHANNEL), channel or PLACE)


@asynccontextmanager
async def opened_counter(settings: Settings) -> AsyncIterator[Counter]:
    """Open until the block ends. Raises StoreError."""
    from adapters.sql.database import Database

    clock = SystemClock()
    async with Database(settings.record_url, clock) as database:
        yield Counter(doors(settings, database, clock).channels, Terminal(Screen(), clock, settings.language))
