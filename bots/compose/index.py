"""Which index a desk has: all in one file, or the vectors at Pinecone and the rest in the file."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.indexing.parts import PassageIndex, Settling
from core.ports import Analyzer, Embedder, LexicalIndex, VectorIndex

if TYPE_CHECKING:
    from bots.settings import Settings


@dataclass(frozen=True, slots=True)
class Indexes:
    """The ports of one index; `settle` as in `core.indexing.parts.SyncPorts`."""

    vectors: VectorIndex
    lexical: LexicalIndex
    passages: PassageIndex
    settle: Settling | None = None


async def opened_index(stack: AsyncExitStack, settings: Settings, embedder: Embedder, analyzer: Analyzer) -> Indexes:
    """Open until the stack is closed. Raises StoreError, ConfigError and UpstreamError."""
    from adapters.embedded.index import EmbeddedIndex

    file = await stack.enter_async_context(EmbeddedIndex(settings.index_path, analyzer))
    if settings.index.vectors == "embedded":
        return Indexes(file.vectors, file.lexical, file.passages)
    from adapters.pinecone.index import PineconePassages, PineconeVectors
    from adapters.pinecone.options import HOST, PineconeOptions

    chosen = settings.index
    options = PineconeOptions(chosen.name, chosen.cloud, chosen.region, chosen.host or HOST)
    vectors = PineconeVectors(chosen.key.get_secret_value(), embedder.dimension, options)
    await stack.enter_async_context(vectors)
    return Indexes(vectors, file.lexical, PineconePassages(file.passages, vectors), vectors.settle)
