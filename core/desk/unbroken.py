"""What has begun to be shown is ended, also when its run is called off meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

ENDING = 4.0
"""Seconds that it may still take."""


async def unbroken(work: Coroutine[Any, Any, None]) -> None:
    """Do it: a message that was posted and that nobody knows of would stay beside the answer."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task}, timeout=ENDING)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        raise
