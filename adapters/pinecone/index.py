"""VectorIndex on Pinecone: passages by meaning; their words and texts stay in an index of ours."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

from adapters.pinecone.options import PineconeOptions
from adapters.pinecone.searching import Searcher
from adapters.pinecone.writing import Writer
from core.documents import Passage, Scope
from core.errors import ConfigError
from core.ports import Hits, IndexEntry, PassageArchive, PassageStore, Vectors

if TYPE_CHECKING:
    from adapters.pinecone.service import Service


class PineconeVectors:
    """Implements `core.ports.VectorIndex`; open with `async with`.

    Raises ConfigError without a key or the client, or when the index there is of another kind; UpstreamError and
    its kinds when the service fails.
    """

    def __init__(self, key: str, dimension: int, options: PineconeOptions | None = None) -> None:
        # The client would go on with a key from the environment, which is not this class's to read.
        if not key.strip():
            raise ConfigError("error.index_key")
        self._key = key.strip()
        self._dimension = dimension
        self._options = options or PineconeOptions()
        self._service: Service | None = None
        self._searcher: Searcher | None = None
        self._writer: Writer | None = None

    async def __aenter__(self) -> Self:
        if importlib.util.find_spec("pinecone") is None:
            raise ConfigError("error.index_extra")
        module = await asyncio.to_thread(importlib.import_module, "adapters.pinecone.service")
        service: Service = module.Service(self._key, self._options)
        try:
            await service.open(self._dimension)
        except BaseException:
            await service.close()
            raise
        self._service, self._searcher, self._writer = service, Searcher(service), Writer(service)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._searcher is not None:
            await self._searcher.close()
        if self._service is not None:
            await self._service.close()
        self._service = self._searcher = self._writer = None

    async def upsert(self, collection: str, embedding: str, entries: Sequence[IndexEntry]) -> None:
        """Add or replace by (passage id, document hash); idempotent. Readers see it later: see `settle`."""
        await self._writing.upsert(collection, embedding, entries)

    async def remove(self, collection: str, versions: Sequence[tuple[str, str]]) -> None:
        """Forget these versions, whichever embedding they were made with."""
        await self._writing.remove(collection, versions)

    async def search(self, scope: Scope, vectors: Vectors, limit: int) -> Sequence[Hits]:
        """For each query vector the `limit` best passages that are published in the scope."""
        assert self._searcher is not None, "the index is not open"
        if not len(vectors):
            return []
        return await self._searcher.search(scope, np.asarray(vectors, np.float32), limit)

    async def settle(self, collection: str) -> None:
        """Wait until searches see what this process wrote to the collection. Raises UpstreamTimeout."""
        await self._writing.settle(collection, self._options.visible)

    async def known(self, collection: str, ids: Sequence[str], embedding: str = "") -> frozenset[str]:
        """Which of these passages already have a vector of this embedding (``""``: of any)."""
        return await self._writing.known(collection, embedding, ids)

    async def holds(self, collection: str) -> bool:
        """Whether there is anything of the collection: its index may have been deleted."""
        return await self._writing.holds(collection)

    @property
    def _writing(self) -> Writer:
        assert self._writer is not None, "the index is not open"
        return self._writer


class _Passages(PassageStore, PassageArchive, Protocol):
    """Both ports of passages."""


class PineconePassages:
    """The passages of another index, of which Pinecone holds the vectors: it says which of them it has."""

    def __init__(self, texts: _Passages, vectors: PineconeVectors) -> None:
        self._texts = texts
        self._vectors = vectors

    async def get(self, scope: Scope, ids: Sequence[str]) -> Mapping[str, Passage]:
        """The published ones among `ids`, in the version pinned by the scope."""
        return await self._texts.get(scope, ids)

    async def known(self, collection: str, ids: Sequence[str], embedding: str = "") -> frozenset[str]:
        """Which of these passages already have a vector of this embedding (``""``: of any)."""
        return await self._vectors.known(collection, ids, embedding)

    async def exact(self, scope: Scope, terms: Sequence[str], limit: int) -> Sequence[str]:
        """Ids of passages whose text, title or file name holds one of the terms verbatim (case folded)."""
        return await self._texts.exact(scope, terms, limit)

    async def versions(self, collection: str) -> Sequence[tuple[str, str]]:
        """Every version that is held; none when the vectors are gone, so that a sync reads everything again."""
        return await self._texts.versions(collection) if await self._vectors.holds(collection) else []

    def read(self, scope: Scope) -> AsyncIterator[Sequence[Passage]]:
        """All passages of the scope in batches of whole documents, each document's in reading order."""
        return self._texts.read(scope)
