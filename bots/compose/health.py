"""What a process tells of its health, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapters.prometheus import KIND, Numbers, exposition
from adapters.sql.counts import SqlCounts
from bots.health import Watched
from core.health import Health, examined

if TYPE_CHECKING:
    from bots.compose.service import Service


def watched(service: Service) -> Watched:
    """The pages of a running service."""
    base, counts = service.base, SqlCounts(service.base.database)

    async def index() -> object:
        return await base.index.passages.known("", ("",))

    async def health() -> Health:
        return await examined({"database": counts.ping, "index": index}, service.pulses, base.settings.language)

    async def metrics() -> bytes:
        now = await counts.now()
        numbers = Numbers(now.turns, now.jobs, now.oldest, base.meter, service.pulses, service.calls)
        return exposition(numbers)

    return Watched(health, metrics, KIND)
