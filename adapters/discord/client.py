"""The connection to Discord: one client, as many shards as Discord advises, and where both are."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from adapters.discord.calls import Calls
from adapters.discord.mail import SILENT
from adapters.discord.pace import Pace, shut_for
from adapters.discord.patience import LONGEST_WAIT, Patience, bounded
from core.errors import ConfigError, UpstreamError
from core.pulse import Pulse

log = logging.getLogger(__name__)

READY = 60.0
"""Seconds within which Discord greets; with many servers it goes on in the background."""

HANGING_UP = 2.0
"""Seconds that a shard is waited for when nothing is to be heard any more."""


def pointed(rest: str, gateway: str = "") -> None:
    """Where Discord is, for the whole process: discord.py has no other way to be told than these names.

    To be called once, before anything connects.
    """
    Route.BASE = rest.rstrip("/")
    if gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = URL(gateway)


def intents(*, words: bool) -> discord.Intents:
    """What we want to hear; `words` of messages that don't name us need a switch on the bot's page."""
    return discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=words)


def client(
    *,
    words: bool,
    calls: Calls | None = None,
    pace: Pace | None = None,
    patience: Patience | None = None,
    **options: Any,
) -> discord.AutoShardedClient:
    """A client that calls nobody, whatever it sends, and remembers no members.

    `calls` counts what it asks; `pace` says when it may ask, `patience` how long it waits for an answer.
    """
    trace = (calls or Calls()).trace()
    if pace is not None:
        trace.on_request_start.append(pace.asked)
        trace.on_request_end.append(pace.answered)
    (patience or Patience()).watch(trace)
    with _unworried():
        made = discord.AutoShardedClient(
            intents=intents(words=words),
            allowed_mentions=SILENT,
            max_messages=1000,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=LONGEST_WAIT,
            http_trace=trace,
            **options,
        )
    _let_all_go_on(made, trace)
    return made


def _let_all_go_on(made: discord.Client, trace: aiohttp.TraceConfig) -> None:
    """Once the limit on all calls together is over.

    discord.py holds them back until the one that was refused has waited that out; called off meanwhile, it would leave
    them waiting for ever.
    """

    async def answered(_: aiohttp.ClientSession, __: SimpleNamespace, about: aiohttp.TraceRequestEndParams) -> None:
        if rest := shut_for(about.response):
            over = made.http._global_over  # noqa: SLF001 - there is no other way in
            asyncio.get_running_loop().call_later(rest, over.set)

    trace.on_request_end.append(answered)


@contextmanager
def _unworried() -> Iterator[None]:
    """discord.py warns that what it would need to speak aloud is not installed."""
    logger = logging.getLogger("discord.client")

    def not_voice(record: logging.LogRecord) -> bool:
        return "voice will NOT be supported" not in record.getMessage()

    logger.addFilter(not_voice)
    try:
        yield
    finally:
        logger.removeFilter(not_voice)


@asynccontextmanager
async def logged_in(client: discord.Client, token: str) -> AsyncIterator[None]:
    """While inside, Discord can be asked and told; nothing is heard yet. Raises ConfigError, UpstreamError."""
    try:
        async with bounded():
            await client.login(token)
    except discord.LoginFailure as error:
        await client.close()
        raise ConfigError("error.discord_token", name="DISCORD_BOT_TOKEN") from error
    except (discord.HTTPException, OSError) as error:
        await client.close()
        raise UpstreamError("error.discord_down", detail=str(error)) from error
    try:
        yield
    finally:
        await client.close()


@asynccontextmanager
async def connected(client: discord.AutoShardedClient, pulse: Pulse) -> AsyncIterator[None]:
    """While inside, events are heard; afterwards Discord can still be told. Raises ConfigError for a missing intent."""

    def lost(connection: asyncio.Task[None]) -> None:
        """Discord won't have us any more: a token that was changed, an intent that was taken away."""
        error = None if connection.cancelled() else connection.exception()
        pulse.down(UpstreamError("error.discord_signed_out", detail=repr(error)))
        log.error("not connected to Discord any more: %r", error)

    connection = asyncio.create_task(client.connect(), name="discord")
    ready = asyncio.create_task(client.wait_until_ready())
    try:
        await asyncio.wait({connection, ready}, timeout=READY, return_when=asyncio.FIRST_COMPLETED)
        if connection.done():
            _ended(connection)
        connection.add_done_callback(lost)
        yield
    finally:
        ready.cancel()
        connection.remove_done_callback(lost)
        pulse.connected = False
        await _hung_up(client, connection, ready)


async def _hung_up(client: discord.AutoShardedClient, *tasks: asyncio.Task[Any]) -> None:
    """Nothing is heard any more; not waited for longer than a process that ends has time.

    A shard that connects anew takes being cancelled for the end of that try alone, so it is told again.
    """
    deadline = _now() + HANGING_UP
    while _now() < deadline and any(not each.done() for each in tasks):
        for each in tasks:
            each.cancel()
        await asyncio.wait(tasks, timeout=0.2)
    ends = (each.disconnect() for each in client.shards.values())
    with suppress(TimeoutError):
        async with asyncio.timeout(HANGING_UP):
            await asyncio.gather(*ends, return_exceptions=True)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _ended(connection: asyncio.Task[None]) -> None:
    """Raise why the connection did not come about."""
    try:
        connection.result()
    except discord.PrivilegedIntentsRequired as error:
        raise ConfigError("error.discord_intent") from error
    except (discord.DiscordException, OSError) as error:
        raise UpstreamError("error.discord_down", detail=str(error)) from error
