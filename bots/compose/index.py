"""Which index a desk has: all in one file, or the vectors at Pinecone and the rest in the file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.compose.embedding import analyzers
from core.indexing.parts import PassageIndex, Settling
from core.ports import Analyzer, Embedder, LexicalIndex, PassageArchive, VectorIndex

if TYPE_CHECKING:
    from bots.settings import Settings


@dataclass(frozen=True, slots=True)
class Indexes:
    """The ports of one index; `settle` as in `core.indexing.parts.SyncPorts`.

    `read_by` counts the passages by the analyzer that made their words; `archive` knows what the file holds where
    `passages` answer for vectors elsewhere.
    """

    vectors: VectorIndex
    lexical: LexicalIndex
    passages: PassageIndex
    read_by: Callable[[], Awaitable[Mapping[str, int]]]
    settle: Settling | None = None
    archive: PassageArchive | None = None


async def opened_index(stack: AsyncExitStack, settings: Settings, embedder: Embedder, analyzer: Analyzer) -> Indexes:
    """Open until the stack is closed. Raises StoreError, ConfigError and UpstreamError."""
    from adapters.embedded.index import EmbeddedIndex

    file = await stack.enter_async_context(EmbeddedIndex(settings.index_path, analyzer, analyzers()))
    if settings.index.vectors == "embedded":
        await file.check(embedder)
        return Indexes(file.vectors, file.lexical, file.passages, file.read_by)
    from adapters.pinecone.index import PineconePassages, PineconeVectors
    from adapters.pinecone.options import HOST, PineconeOptions

    chosen = settings.index
    options = PineconeOptions(chosen.name, chosen.cloud, chosen.region, chosen.host or HOST)
    vectors = PineconeVectors(chosen.key.get_secret_value(), embedder.dimension, options)
    await stack.enter_async_context(vectors)
    passages = PineconePassages(file.passages, vectors)
    return Indexes(vectors, file.lexical, passages, file.read_by, vectors.settle, file.passages)
