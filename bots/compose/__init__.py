"""Where everything is put together: the only place that names concrete adapters.

The heavy libraries are imported while the embedder loads in its own thread, so that the first words of an
answer wait for the longer of the two and not for their sum.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.clock import FixedClock, SystemClock
from adapters.console.messages import PLATFORM
from adapters.console.screen import Screen
from adapters.console.terminal import Terminal
from bots.app import App
from bots.compose.embedding import opened_embedders
from bots.logs import log_to, told_and_logged
from core.errors import ConfigError, StoreError
from core.ports import Clock

if TYPE_CHECKING:
    from bots.compose.base import Base
    from bots.settings import Settings


@dataclass(frozen=True, slots=True)
class Seat:
    """Where somebody sits in front of an App: their screen, and what day they believe it is."""

    screen: Screen = field(default_factory=Screen)
    clock: Clock = field(default_factory=SystemClock)


@asynccontextmanager
async def opened(settings: Settings, *, quiet: bool = False, seat: Seat | None = None) -> AsyncIterator[App]:
    """A running App; closes everything again. Raises StoreError and ConfigError."""
    async with AsyncExitStack() as stack:
        seat = seat or Seat(clock=clock_of(settings))
        base = await based(stack, settings, seat.clock)
        yield await _at_a_terminal(stack, base, seat, quiet=quiet)


async def based(stack: AsyncExitStack, settings: Settings, clock: Clock) -> Base:
    """What every process has, open until the stack is closed. Raises StoreError and ConfigError."""
    if not settings.collections:
        raise ConfigError("error.no_collections")
    _make_place(settings.data_dir)
    stack.callback(_unlog, log_to(settings.data_dir / "refdesk.log"))
    stack.enter_context(told_and_logged())
    embedders = await opened_embedders(stack, settings)
    from bots.compose.base import opened_base

    return await opened_base(stack, settings, embedders, clock)


async def _at_a_terminal(stack: AsyncExitStack, base: Base, seat: Seat, *, quiet: bool) -> App:
    from adapters.sql.activity import SqlTurnLog
    from adapters.sql.catalog import SqlDigests
    from bots.compose.desk import desk_over
    from bots.compose.forgetting import forgetting

    settings, passing = base.settings, SystemClock()
    terminal = Terminal(seat.screen, passing, settings.language)
    desk = desk_over(base, terminal.replies(quiet=quiet), frozenset({PLATFORM}))
    return App(
        await stack.enter_async_context(desk),
        terminal,
        base.stores.catalog,
        SqlDigests(base.database),
        base.syncer,
        base.targets,
        SqlTurnLog(base.database),
        passing,
        base.upkeep,
        base.router,
        quotes=settings.models.family("write") == "local",
        changes=base.changes,
        forgetting=forgetting(base),
    )


def _make_place(data_dir: Path) -> None:
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError("error.store_access", path=str(data_dir), what=error.strerror or str(error)) from error


def _unlog(handler: logging.Handler) -> None:
    logging.getLogger().removeHandler(handler)
    handler.close()


def clock_of(settings: Settings) -> Clock:
    """The day of a run; leases and timestamps keep the clock that passes."""
    if settings.now is None:
        return SystemClock()
    return FixedClock(datetime.combine(settings.now, time(12)))
