"""`refdesk serve`: the process that stays connected, answers, and keeps collections up to date."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Collection
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from bots.compose.health import watched
from bots.compose.service import Service, opened_service
from bots.discord_connection import connected as on_discord
from bots.ending import ends_within
from bots.health import told
from bots.logs import logged_here
from bots.slack_connection import connected
from core.desk.reindex import Wish

if TYPE_CHECKING:
    from bots.settings import Settings

log = logging.getLogger(__name__)

LEAVING = 6.0
"""Seconds that answers under way may still take when the process is told to end (containers are killed after 10)."""

ENDED = 20.0
"""Seconds after which it ends in any case: a connection that hangs keeps nobody's deployment waiting."""


async def serve(settings: Settings) -> int:
    """Serve until SIGINT or SIGTERM: then nothing new is heard, and answers under way end or are taken up again.

    Raises ConfigError.
    """
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    def told_to_end() -> None:
        if not ended.is_set():
            ended.set()
            ends_within(ENDED)

    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, told_to_end)
    with logged_here():
        await _served(settings, ended)
    return 0


async def _served(settings: Settings, ended: asyncio.Event) -> None:
    async with opened_service(settings) as service:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(service.base.upkeep.running(service.readable))
            await _first_syncs(service)
            if service.slack is not None:
                await stack.enter_async_context(connected(service))
            if service.discord is not None:
                await stack.enter_async_context(on_discord(service))
            await stack.enter_async_context(told(watched(service), settings.health))
            await ended.wait()
            log.info("ending: nothing new is heard, answers under way have %.0f s", LEAVING)
            drained = asyncio.create_task(service.desk.drain(LEAVING))  # while what was promised is done, too
        await drained


async def _first_syncs(service: Service) -> None:
    """Some are asked for at once; the rest when it is due."""
    published = (await service.base.stores.catalog.pin(service.readable)).collections
    wanted = at_start(service.base.settings, published)
    if wanted:
        wish = Wish(service.base.upkeep.asker, wanted)
        await service.base.upkeep.reindexing.ask(wish, service.readable, lambda _: True)


def at_start(settings: Settings, published: Collection[str]) -> tuple[str, ...]:
    """What was never synced, and corrections: one that is not to be read any more as it is configured now hides all."""
    return tuple(each.name for each in settings.collections if each.name not in published or each.kind == "corrections")
