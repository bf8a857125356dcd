"""One namespace through Pinecone's client, every call bounded.

The client's errors end here; neither the key nor the service's own words, which may repeat what was sent, leave
this file.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from pinecone import DenseVectorQuery
from pinecone.errors import (
    ApiError,
    ForbiddenError,
    NotFoundError,
    PineconeConnectionError,
    PineconeError,
    PineconeTimeoutError,
    RateLimitError,
    ServiceError,
    UnauthorizedError,
)

from adapters.pinecone.found import Found
from adapters.pinecone.options import PineconeOptions
from core.errors import RefdeskError, UpstreamError, UpstreamRefused, UpstreamTimeout
from core.ports import Vectors

FIELD = "embedding"
_PAYMENT_REQUIRED = 402


@dataclass(frozen=True, slots=True)
class Space:
    """One namespace of one index. `count` is what the service counted when it was last asked."""

    name: str
    dimension: int
    count: int
    _index: Any
    _options: PineconeOptions

    async def search(
        self, vector: Sequence[float], limit: int, only: Mapping[str, Any] | None = None, *, patient: bool = False
    ) -> Found:
        """The nearest records."""
        query = [DenseVectorQuery(field=FIELD, values=list(vector))]
        async with told(self._options.patience if patient else self._options.timeout):
            said = await self._index.documents.search(namespace=self.name, score_by=query, top_k=limit, filter=only)
            info = said.response_info
            return Found([(each.id, each.score) for each in said.matches], info.lsn_reconciled if info else None)

    async def upsert(self, records: Sequence[Mapping[str, Any]]) -> int | None:
        """Store; the number of the write, where the service says it."""
        async with told(self._options.patience):
            said = await self._index.documents.upsert(namespace=self.name, documents=records)
            return said.response_info.lsn_committed if said.response_info else None

    async def delete(self, ids: Sequence[str]) -> int | None:
        """Forget; the number of the write, where the service says it."""
        async with told(self._options.patience):
            said = await self._index.documents.delete(namespace=self.name, ids=ids)
            return said.response_info.lsn_committed if said.response_info else None

    async def ids(self, prefix: str) -> list[str]:
        """All ids that begin so."""
        async with told(self._options.patience):
            return [each.id async for each in self._index.documents.list(namespace=self.name, prefix=prefix)]

    async def vectors(self, ids: Sequence[str]) -> dict[str, Vectors]:
        """The vectors of those that are there."""
        async with told(self._options.patience):
            said = await self._index.documents.fetch(namespace=self.name, ids=ids, include_fields=[FIELD])
            return {id_: np.asarray(each.get(FIELD), np.float32) for id_, each in said.documents.items()}


@asynccontextmanager
async def told(seconds: float) -> AsyncIterator[None]:
    """At most so long, retries of the client included; its errors as ours."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except (TimeoutError, PineconeTimeoutError):
        raise UpstreamTimeout("error.index_timeout", seconds=f"{seconds:g}") from None
    except PineconeError as error:
        raise _ours(error) from None


def _ours(error: PineconeError) -> RefdeskError:
    status = error.status_code if isinstance(error, ApiError) else None
    detail = type(error).__name__ + (f", status {status}" if status else "")
    if isinstance(error, UnauthorizedError | ForbiddenError):
        return UpstreamRefused("error.index_key_refused", detail=detail)
    if status == _PAYMENT_REQUIRED:
        return UpstreamRefused("error.index_quota", detail=detail)
    if isinstance(error, RateLimitError):
        return UpstreamRefused("error.index_busy", detail=detail)
    if isinstance(error, NotFoundError):
        return UpstreamError("error.index_gone", detail=detail)
    if isinstance(error, ServiceError | PineconeConnectionError):
        return UpstreamError("error.index_down", detail=detail)
    return UpstreamError("error.index_answer", detail=detail)
