"""Searches that a tracer is told of: how many wordings, in which collections, and how many passages came."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.answers import Retrieved
from core.documents import Passage, Scope
from core.ports import WebSearch
from core.rag.context import Searcher
from core.telemetry import Tracer


class WatchedSearcher:
    """The same searcher, with a span around each search."""

    def __init__(self, inner: Searcher, tracer: Tracer) -> None:
        self._inner = inner
        self._tracer = tracer

    async def retrieve(self, scope: Scope, queries: Sequence[str], k: int) -> Sequence[Retrieved]:
        """As the searcher's."""
        where = sorted(scope.collections)
        with self._tracer.span("retrieval", "retrieval", collections=where, wordings=len(queries), k=k) as span:
            found = await self._inner.retrieve(scope, queries, k)
            span.tell(found=len(found))
            return found


class WatchedWeb:
    """The same web, with a span around each search."""

    def __init__(self, inner: WebSearch, tracer: Tracer) -> None:
        self._inner = inner
        self._tracer = tracer

    async def search(self, query: str, *, fresh_from: date | None, limit: int) -> Sequence[Passage]:
        """As the web's."""
        with self._tracer.span("web", "web_search", k=limit, fresh=fresh_from is not None) as span:
            found = await self._inner.search(query, fresh_from=fresh_from, limit=limit)
            span.tell(found=len(found))
            return found
