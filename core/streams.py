"""Reading a stream that may be left in the middle. Knows nothing of what is read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

T = TypeVar("T")


@asynccontextmanager
async def closed_after(chunks: AsyncIterator[T]) -> AsyncIterator[AsyncIterator[T]]:
    """The same stream; whoever leaves closes it if it can be closed, and with it a model's connection."""
    try:
        yield chunks
    finally:
        close = getattr(chunks, "aclose", None)
        if close is not None:
            await close()
