"""What is written: records in batches within the service's limits, vectors carried over, versions removed.

Every version of a document has records of its own, so that a write never changes what a reader has pinned.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from adapters.pinecone.bounded import each
from adapters.pinecone.found import Found
from adapters.pinecone.listings import Listings
from adapters.pinecone.names import (
    document_prefix,
    metadata,
    namespace,
    namespaces_of,
    passage_of,
    passage_prefix,
    record_id,
    version_prefix,
)
from core.documents import Passage
from core.errors import UpstreamError, UpstreamTimeout
from core.ports import IndexEntry, Vectors

if TYPE_CHECKING:
    from adapters.pinecone.service import Service
    from adapters.pinecone.space import Space

RECORDS = 100
BYTES = 2_000_000
FETCHED = 100
DELETED = 1000
_UPSERTS = 4
_DIGITS = 7
"""Decimals that are sent: float32 holds no more of a unit vector, and the requests are half as long."""
_NUMBER = 12
"""Bytes of a number with its comma."""
_PAUSES = (0.05, 2.0)


@dataclass
class Written:
    """The last write to a namespace by this process, and a record to see it by."""

    number: int | None = None
    record: tuple[str, Vectors] | None = None


@dataclass
class Writer:
    """Writes through one service; keeps what has to become visible yet, and what it has listed."""

    service: Service
    pending: dict[str, Written] = field(default_factory=dict)
    listings: Listings = field(default_factory=Listings)

    async def upsert(self, collection: str, embedding: str, entries: Sequence[IndexEntry]) -> None:
        """Entries with a vector as they are, those without with the vector that another version has."""
        name = namespace(collection, embedding)
        fresh = [(entry.passage, entry.vector) for entry in entries if entry.vector is not None]
        moved = [entry.passage for entry in entries if entry.vector is None]
        if fresh:
            await self._store(await self.service.made(name, len(fresh[0][1])), fresh)
        if moved:
            await self._move(name, moved)

    async def remove(self, collection: str, versions: Sequence[tuple[str, str]]) -> None:
        """Delete the records of these versions, whichever embedding they were made with."""
        self.listings.forget(namespaces_of(collection))
        for space in await self.service.spaces(namespaces_of(collection)):
            found = await each([version_prefix(*version) for version in versions], space.ids)
            ids = [id_ for some in found for id_ in some]
            for start in range(0, len(ids), DELETED):
                gone = ids[start : start + DELETED]
                self._note(space.name, await space.delete(gone), gone=gone)

    async def known(self, collection: str, embedding: str, passages: Iterable[str]) -> frozenset[str]:
        """Which of these passages have a vector of this embedding (``""``: of any)."""
        wanted = frozenset(passages)
        if embedding:
            one = await self.service.space(namespace(collection, embedding))
            spaces = [one] if one else []
        else:
            spaces = await self.service.spaces(namespaces_of(collection))
        documents = sorted({passage_prefix(id_) for id_ in wanted} - {""})
        found: set[str] = set()
        for space in spaces:
            found.update(map(passage_of, await self.listings.of(space, documents)))
        return wanted & found

    async def holds(self, collection: str) -> bool:
        """Whether any namespace of the collection exists. A sync begins so: others may have written since the last."""
        self.listings.forget(namespaces_of(collection))
        return bool(await self.service.spaces(namespaces_of(collection)))

    async def settle(self, collection: str, seconds: float) -> None:
        """Wait until a search sees everything that was written to the collection. Raises UpstreamTimeout."""
        prefix = namespaces_of(collection)
        for name in [name for name in self.pending if name.startswith(prefix)]:
            written = self.pending[name]
            space = await self.service.space(name)
            if space is not None:
                await _until_visible(space, written, seconds)
            if self.pending.get(name) is written:
                del self.pending[name]

    async def _store(self, space: Space, rows: Sequence[tuple[Passage, Vectors]]) -> None:
        directed = [(passage, vector) for passage, vector in rows if vector.any()]  # no direction, no likeness
        unique = {record_id(passage): (passage, vector) for passage, vector in directed}

        async def send(batch: list[dict[str, Any]]) -> None:
            number = await space.upsert(batch)
            self.listings.written(space.name, [record["_id"] for record in batch])
            self._note(space.name, number, (batch[-1]["_id"], np.asarray(batch[-1]["embedding"], np.float32)))

        await each(batches(unique.items()), send, _UPSERTS)

    async def _move(self, name: str, passages: Sequence[Passage]) -> None:
        """Passages of a new version that stand in another: their records are copied."""
        until, pause = time.monotonic() + self.service.options.visible, _PAUSES[0]
        waiting = {record_id(passage): passage for passage in passages}
        anew = False
        while waiting:
            waiting = await self._copied(await self.service.space(name), waiting, anew)
            if waiting and time.monotonic() > until:
                raise UpstreamError("error.index_lost", count=len(waiting))
            if waiting:  # written a moment ago, perhaps: reads come after writes
                await asyncio.sleep(pause)
                pause, anew = min(2 * pause, _PAUSES[1]), True

    async def _copied(self, space: Space | None, waiting: dict[str, Passage], anew: bool) -> dict[str, Passage]:
        """Copy what can be found; the rest."""
        if space is None:
            return waiting
        documents = sorted({document_prefix(passage.document_id) for passage in waiting.values()})
        listed = await self.listings.of(space, documents, anew=anew)
        source = {passage_of(id_): id_ for id_ in sorted(listed)}
        wanted = {id_: passage for id_, passage in waiting.items() if id_ not in listed}
        ids = sorted({source[passage.id] for passage in wanted.values() if passage.id in source})
        parts = [ids[start : start + FETCHED] for start in range(0, len(ids), FETCHED)]
        for part in parts:  # one at a time: they hold vectors
            vectors = await space.vectors(part)
            rows = [(p, vectors[source[p.id]]) for p in wanted.values() if source.get(p.id) in vectors]
            await self._store(space, rows)
            wanted = {id_: p for id_, p in wanted.items() if source.get(p.id) not in vectors}
        return wanted

    def _note(
        self, name: str, number: int | None, record: tuple[str, Vectors] | None = None, gone: Sequence[str] = ()
    ) -> None:
        before = self.pending.get(name, Written())
        numbers = [known for known in (number, before.number) if known is not None]
        kept = None if before.record is None or before.record[0] in gone else before.record
        self.pending[name] = Written(max(numbers, default=None), record or kept)


def batches(rows: Iterable[tuple[str, tuple[Passage, Vectors]]]) -> Iterator[list[dict[str, Any]]]:
    """Records in requests of at most RECORDS records and BYTES bytes; made one by one as they are taken."""
    batch: list[dict[str, Any]] = []
    size = 0
    for id_, (passage, vector) in rows:
        about = metadata(passage)
        own = len(vector) * _NUMBER + len(id_) + 2 * len(str(about).encode()) + 64
        if batch and (len(batch) == RECORDS or size + own > BYTES):
            yield batch
            batch, size = [], 0
        values = np.round(vector.astype(np.float64), _DIGITS).tolist()
        batch.append({"_id": id_, "embedding": values, **about})
        size += own
    if batch:
        yield batch


async def _seen(space: Space, vector: Vectors, only: Mapping[str, Any] | None) -> Found:
    """What a search sees; nothing while the service does not know the namespace yet."""
    try:
        return await space.search(vector.tolist(), RECORDS, only, patient=True)
    except UpstreamError as error:
        if error.reason != "error.index_gone":
            raise
        return Found([], 0)


async def _until_visible(space: Space, written: Written, seconds: float) -> None:
    """Searches tell up to which write the index has caught up; where they don't, the record itself must be found."""
    if written.record is None and written.number is None:
        return
    id_, vector = written.record or ("", np.ones(space.dimension, np.float32))
    only = {"version": {"$eq": id_.split(":")[1]}} if id_ else None
    until, pause = time.monotonic() + seconds, _PAUSES[0]
    while True:
        found = await _seen(space, vector, only)
        if written.number is not None and found.caught_up is not None:
            if found.caught_up >= written.number:
                return
        elif not id_ or any(record == id_ for record, _ in found.records):
            return
        if time.monotonic() > until:
            raise UpstreamTimeout("error.index_unsettled", seconds=f"{seconds:g}")
        await asyncio.sleep(pause)
        pause = min(2 * pause, _PAUSES[1])
