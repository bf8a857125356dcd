"""Asking Discord again where that helps: when no answer came, and when what stood in the way is out of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from adapters.discord.trouble import DiscordRefused, DiscordUnsure

T = TypeVar("T")

PAUSES = (0.5, 2.0, 5.0)
"""Seconds between two tries."""

Remedy = Callable[[DiscordRefused], Awaitable[bool]]
"""Whether a refused call is worth another try."""


async def _never(_: DiscordRefused) -> bool:
    return False


async def insisted(
    call: Callable[[], Awaitable[T]], remedied: Remedy = _never, pauses: tuple[float, ...] = PAUSES
) -> T:
    """What the call returns at last; it must do no harm twice. Raises DiscordRefused, DiscordUnsure."""
    left = iter(pauses)
    while True:
        try:
            return await call()
        except DiscordUnsure:
            pause = next(left, None)
            if pause is None:
                raise
            await asyncio.sleep(pause)
        except DiscordRefused as error:
            if next(left, None) is None or not await remedied(error):
                raise
