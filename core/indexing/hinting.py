"""Hints for the Cards, asked anew at every sync: what an admin said in chat wins over the configuration."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence

from core.documents import Card, Digest, DocumentRecord, Generation, Passage
from core.indexing.parts import CardMaker

Hints = Mapping[str, str]
Telling = Callable[[], Awaitable[Hints]]
"""What was said in chat, by collection; what was taken back is not in it, and the configuration holds again."""


class HintedCards:
    """A CardMaker over the one that `maker` makes with the hints of the moment."""

    def __init__(self, maker: Callable[[Hints], CardMaker], configured: Hints, told: Telling) -> None:
        self._maker = maker
        self._configured = configured
        self._told = told

    async def make(
        self, generation: Generation, records: Sequence[DocumentRecord], passages: AsyncIterator[Sequence[Passage]]
    ) -> tuple[Digest, Sequence[Card]]:
        """As the inner one."""
        return await (await self._inner()).make(generation, records, passages)

    async def is_current(self, collection: str) -> bool:
        """As the inner one: a hint that was said since makes the next sync write the Card anew."""
        return await (await self._inner()).is_current(collection)

    async def _inner(self) -> CardMaker:
        return self._maker({**self._configured, **await self._told()})
