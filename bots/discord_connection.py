"""The connection to Discord while a process serves: commands told, events heard, what was missed read."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from bots.compose.discord import connected as heard
from bots.compose.discord import ears, pressing, synced
from bots.discord import register

if TYPE_CHECKING:
    from bots.compose.service import Service

log = logging.getLogger(__name__)


@asynccontextmanager
async def connected(service: Service) -> AsyncIterator[None]:
    """While inside, events are heard. Raises ConfigError, UpstreamError when Discord does not let us in."""
    from discord import app_commands

    parts, settings = service.discord, service.base.settings
    assert parts is not None
    listening, tree = ears(parts, service), app_commands.CommandTree(parts.client)
    register(parts.client, tree, listening, pressing(listening.buttons))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(listening.buttons.counter.promises.close)
        stack.push_async_callback(listening.bookmark.close)
        stack.push_async_callback(listening.missed.close)
        await synced(tree, settings.discord.try_commands, settings.data_dir / "discord-commands")
        await stack.enter_async_context(heard(parts.client, parts.pulse))
        log.info("connected to Discord")
        yield
