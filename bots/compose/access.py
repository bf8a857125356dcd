"""Who may read and who may change what, put together: the configuration, and what was said from chat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapters.console.messages import PLACE
from core.access_commands import Staff
from core.desk.reading import ChannelAccess
from core.desk.settings import ChannelSettings
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
    from adapters.sql.settings import SqlSettings

    store = SqlSettings(database)
    rules = [each.visibility.rule(each.name, always=(PLACE,)) for each in settings.collections]
    staff = Staff(settings.admins.named, {each.name: each.owners.named for each in settings.collections})
    access = ChannelAccess(rules, store)
    return Doors(access, ChannelSettings(store, store, access, staff, clock), staff)
