"""Who embeds a question: the embedder that embedded the passages searched, generation by generation.

After a change of embedder the old generations serve until the new ones are published, and their vectors can only
be compared with questions of the old embedder. Knows the Embedder port, not which models there are.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

from core.documents import Scope
from core.errors import RefdeskError, UpstreamTimeout
from core.ports import Embedder, Vectors

log = logging.getLogger(__name__)

Opener = Callable[[str], Awaitable[Embedder]]
"""The embedder for the questions of this embedding, open; raises RefdeskError when it can't be had."""

PATIENCE = 10.0
"""Seconds that an embedder which is no longer configured may take: without it there are still the words."""

AGAIN = 60.0
"""Seconds before one that failed is tried again."""


class Embeddings:
    """`embedder` embeds the questions of what was indexed as `current`; others are opened when they are needed."""

    def __init__(self, embedder: Embedder, current: str, opener: Opener, *, patience: float = PATIENCE) -> None:
        self._embedder = embedder
        self.current = current
        self._opener = opener
        self._patience = patience
        self._opened: dict[str, Embedder] = {}
        self._failed: dict[str, tuple[float, RefdeskError]] = {}
        self._opening = asyncio.Lock()

    async def rows(self, embedding: str, texts: Sequence[str]) -> Vectors | None:
        """The questions as that embedding's embedder sees them; None while it can't be had.

        Raises only what the configured embedder raises.
        """
        if embedding == self.current:
            return await self._embedder.embed(texts, "query")
        until, _ = self._failed.get(embedding, (0.0, None))
        if time.monotonic() < until:
            return None
        try:
            async with asyncio.timeout(self._patience):
                return await (await self._other(embedding)).embed(texts, "query")
        except TimeoutError:
            self._note(embedding, UpstreamTimeout(detail=embedding))
        except RefdeskError as error:
            self._note(embedding, error)
        except Exception as error:  # noqa: BLE001  # whatever is wrong with it, there are still the words
            self._note(embedding, RefdeskError(detail=f"{type(error).__name__}: {error}"[:500]))
        return None

    async def why_not(self, embedding: str) -> RefdeskError | None:
        """Why that embedding's questions can't be embedded now; None when they can. Tries it."""
        self._failed.pop(embedding, None)
        if embedding == self.current or await self.rows(embedding, ["."]) is not None:
            return None
        return self._failed[embedding][1]

    async def _other(self, embedding: str) -> Embedder:
        async with self._opening:
            if embedding not in self._opened:
                self._opened[embedding] = await self._opener(embedding)
            return self._opened[embedding]

    def _note(self, embedding: str, error: RefdeskError) -> None:
        self._failed[embedding] = (time.monotonic() + AGAIN, error)
        log.warning(
            "what was indexed with %s is searched by words alone until `refdesk sync` has rebuilt it (%s): %s",
            embedding,
            self.current,
            error,
        )


def changed(scope: Scope, current: str) -> Mapping[str, tuple[str, ...]]:
    """The collections that another embedder indexed, by its name: the next sync rebuilds them."""
    old: dict[str, list[str]] = {}
    for generation in scope.generations:
        if generation.embedding != current and generation.documents:
            old.setdefault(generation.embedding, []).append(generation.collection)
    return {embedding: tuple(sorted(names)) for embedding, names in sorted(old.items())}
