"""The one thread that searches: it owns the mirror and answers, batch by batch, all that came together."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from threadpoolctl import threadpool_limits

from adapters.embedded.dense import dense_search
from adapters.embedded.lexical import lexical_search, rows_with_all
from adapters.embedded.mirror import Mirror
from adapters.embedded.readings import Readings
from adapters.embedded.schema import connect, store_errors, transaction
from adapters.embedded.views import View, Views
from core.batching import Batcher
from core.documents import Scope
from core.errors import StoreError
from core.ports import Hits, Vectors

_PRODUCTS = 2
"""Threads that multiply the blocks of one batch; each product has one BLAS thread of its own."""


@dataclass(frozen=True, slots=True)
class ByMeaning:
    """Rows of `vectors` to search with."""

    scope: Scope
    vectors: Vectors
    limit: int


@dataclass(frozen=True, slots=True)
class ByWords:
    """One question, and its tokens."""

    scope: Scope
    text: str
    tokens: list[str]
    limit: int


@dataclass(frozen=True, slots=True)
class HoldingAll:
    """Ids of passages that hold every token of the text."""

    scope: Scope
    text: str
    tokens: list[str]
    limit: int


R = TypeVar("R", ByMeaning, ByWords)
Request = ByMeaning | ByWords | HoldingAll
Outcome = list[Hits] | list[str] | StoreError


class Searcher:
    """Searches over one index file; readers are never blocked by a writer."""

    def __init__(self, path: Path, readings: Readings) -> None:
        self._path = path
        self._readings = readings
        self._mirror = Mirror()
        self._views = Views(self._mirror)
        self._connection: sqlite3.Connection | None = None
        self._products = ThreadPoolExecutor(_PRODUCTS, thread_name_prefix="index-product")
        self._batches: Batcher[Request, Outcome] = Batcher("index-search", self._work)

    async def hits(self, request: ByMeaning | ByWords) -> list[Hits]:
        """One Hits for each vector, or one for the words."""
        return [found for found in await self._ask(request) if isinstance(found, Hits)]

    async def ids(self, request: HoldingAll) -> list[str]:
        """Passage ids."""
        return [found for found in await self._ask(request) if isinstance(found, str)]

    async def close(self) -> None:
        """End the thread and give the memory back."""
        await self._batches.close()
        self._products.shutdown(wait=False)
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def _ask(self, request: Request) -> list[Hits] | list[str]:
        outcome = await self._batches.submit(request)
        if isinstance(outcome, StoreError):
            raise outcome
        return outcome

    def _work(self, requests: Sequence[Request]) -> list[Outcome]:
        with store_errors(self._path), transaction(self._ready(), "DEFERRED") as connection:
            self._refresh(connection)
            outcomes: dict[int, Outcome] = {}
            meanings = [r for r in requests if isinstance(r, ByMeaning)]
            for group in _grouped(meanings, lambda r: (r.scope.key, r.vectors.shape[1])):
                outcomes.update(self._meanings(group, connection))
            for words in _grouped([r for r in requests if isinstance(r, ByWords)], lambda r: r.scope.key):
                outcomes.update(self._words(words, connection))
            for request in requests:
                if isinstance(request, HoldingAll):
                    view = self._views.of(request.scope, connection)
                    outcomes[id(request)] = self._holding(view, request)
            return [outcomes[id(request)] for request in requests]

    def _refresh(self, connection: sqlite3.Connection) -> None:
        try:
            self._views.refresh(connection)
        except (TypeError, KeyError, ValueError) as error:  # SQLite has no complaint, but no writer of ours left it so
            raise StoreError(path=self._path, what="its rows do not fit together") from error

    def _meanings(self, group: Sequence[ByMeaning], connection: sqlite3.Connection) -> dict[int, Outcome]:
        """One product for all questions of a scope and a dimension; outcomes by the request's identity."""
        view = self._views.of(group[0].scope, connection)
        limits = [request.limit for request in group for _ in request.vectors]
        try:
            found = dense_search(self._mirror, view, np.concatenate([r.vectors for r in group]), limits, self._products)
        except StoreError as error:  # theirs alone: the others of this batch have their answers
            return dict.fromkeys((id(request) for request in group), error)
        outcomes: dict[int, Outcome] = {}
        for request in group:
            outcomes[id(request)] = found[: len(request.vectors)]
            del found[: len(request.vectors)]
        return outcomes

    def _words(self, group: Sequence[ByWords], connection: sqlite3.Connection) -> dict[int, Outcome]:
        """One look into the postings for all questions of a scope."""
        view = self._views.of(group[0].scope, connection)
        present = self._mirror.analyzers
        asked = [self._readings.together(r.text, r.tokens, present) for r in group]
        found = lexical_search(self._mirror, view, asked, [r.limit for r in group])
        return {id(request): [hits] for request, hits in zip(group, found, strict=True)}

    def _holding(self, view: View, request: HoldingAll) -> list[str]:
        """By each reading that passages have, in one list."""
        readings = [request.tokens, *self._readings.others(request.text, self._mirror.analyzers)]
        found = [rows_with_all(self._mirror, view, tokens, request.limit) for tokens in readings]
        return list(dict.fromkeys(id_ for ids in found for id_ in ids))[: request.limit]

    def _ready(self) -> sqlite3.Connection:
        if self._connection is None:
            # More BLAS threads than one spin against each other and against the embedder: a product
            # of 8 ms became 400 ms. For the whole process, since limits set and lifted by several
            # threads would undo one another.
            threadpool_limits(1, user_api="blas")
            self._connection = connect(self._path)
        return self._connection


def _grouped(requests: Sequence[R], key: Callable[[R], object]) -> list[list[R]]:
    groups: dict[object, list[R]] = {}
    for request in requests:
        groups.setdefault(key(request), []).append(request)
    return list(groups.values())
