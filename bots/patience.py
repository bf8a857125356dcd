"""Patience at the start: a platform that can't be reached just now is tried again for about a minute."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from core.errors import Busy, UpstreamError, UpstreamRefused

log = logging.getLogger(__name__)

T = TypeVar("T")

PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds between tries."""


async def patiently(platform: str, begin: Callable[[], Awaitable[T]], pauses: Sequence[float] = PAUSES) -> T:
    """What `begin` gives. Raises what it raises: a refusal at once (no waiting helps), all else after the last try."""
    for pause in pauses:
        try:
            return await begin()
        except UpstreamRefused:
            raise
        except (Busy, UpstreamError) as error:
            log.warning("%s can't be reached (%s): tried again in %.0f s", platform, error, pause)
        await asyncio.sleep(pause)
    return await begin()
