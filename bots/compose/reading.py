"""Who reads documents: the parsers, in processes of their own."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapters.parsers.reading import DocumentReader
    from bots.settings import Settings


async def opened_reader(stack: AsyncExitStack, settings: Settings) -> DocumentReader:
    """The reader within the settings' limits; its processes end with the stack. None is started before it is needed."""
    from adapters.parsers.limits import Limits, Room
    from adapters.parsers.reading import DocumentReader
    from bots.settings import reader_environment

    ingest = settings.ingest
    limits = Limits(int(ingest.max_file_mb * 2**20), ingest.max_seconds, int(ingest.max_memory_mb * 2**20))
    room = Room(environment=reader_environment())
    return await stack.enter_async_context(DocumentReader(limits, room))
