"""Documents into the index: read, parse, split, embed what is new, store. Batch by batch.

Knows nothing of generations: it says which documents are stored in full, which failed, and what else is to
be said of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.documents import REMARK, DocumentRecord, Generation, Parsed, Passage, Problem, Scope, SourceEntry
from core.errors import ParseError, RefdeskError
from core.indexing.parts import SyncPorts, SyncSettings, SyncTarget
from core.indexing.passages import Origin, Prepared, link_of, prepare
from core.indexing.plan import EMPTY, FINAL, Recipe
from core.indexing.report import Progress
from core.ports import IndexEntry

TOO_LONG = "parse.note_passages_limit"

LONG = 4
"""Documents stored together that take more than so many steps are told passage by passage."""


@dataclass
class Intake:
    """`records` holds the documents of the next generation, `before` those of the current one.

    `remarks` are what was said of those; a document that stays as it is keeps its own.
    """

    ports: SyncPorts
    settings: SyncSettings
    target: SyncTarget
    recipe: Recipe
    progress: Progress
    before: Mapping[str, DocumentRecord]
    records: dict[str, DocumentRecord]
    remarks: Mapping[str, Sequence[Problem]]
    problems: list[Problem] = field(default_factory=list)
    embedded: int = 0
    done: int = 0

    async def take(self, entries: Sequence[SourceEntry]) -> None:
        """Read one batch of documents while the one before it is embedded."""
        entries = list(filter(self._admitted, entries))
        batches = list(_batches(entries, self.settings))
        self.progress("documents", 0, len(entries))
        ahead = self._ahead(batches, 0)
        try:
            for number in range(len(batches)):
                prepared = await ahead
                ahead = self._ahead(batches, number + 1)
                await self._store(prepared, len(entries))
        finally:
            ahead.cancel()
            await asyncio.gather(ahead, return_exceptions=True)

    def _ahead(self, batches: Sequence[Sequence[SourceEntry]], number: int) -> asyncio.Task[list[Prepared]]:
        return asyncio.create_task(self._read(batches[number] if number < len(batches) else ()))

    async def _read(self, entries: Sequence[SourceEntry]) -> list[Prepared]:
        slots = asyncio.Semaphore(self.settings.readers)

        async def one(entry: SourceEntry) -> Prepared | None:
            async with slots:
                found = await self._read_one(entry, self.before.get(entry.id))
                self.done += found is None
                return found

        return [found for found in await asyncio.gather(*map(one, entries)) if found is not None]

    def _admitted(self, entry: SourceEntry) -> bool:
        """Whether it is worth fetching. Asked at each sync, as it costs nothing: another format may be read by then."""
        try:
            if self.ports.admit is not None:
                self.ports.admit(entry)
        except ParseError as error:
            self._failed(self.before.get(entry.id), Problem(entry.id, error.reason, error.detail))
            return False
        return True

    async def _read_one(self, entry: SourceEntry, old: DocumentRecord | None) -> Prepared | None:
        """The document, or None when nothing of it has to be stored."""
        try:
            data = await self.target.source.fetch(entry)
            origin = self._origin(entry, data)
            if old is not None and old.hash == origin.hash and old.link == link_of(origin, ""):
                self.keep(replace(old, fingerprint=origin.fingerprint))
                return None
            parsed = await self.ports.read(data, entry)
            prepared, whole = await asyncio.to_thread(self._prepared, origin, parsed)
        except RefdeskError as error:
            reason = error.reason if error.reason.startswith("parse.") else "parse.unreadable"
            self._failed(old, Problem(entry.id, reason, error.detail, self._for_good(entry, reason)))
            return None
        except Exception as error:  # noqa: BLE001  # whatever one document does, the others go in
            self._failed(old, Problem(entry.id, "parse.broken", f"{type(error).__name__}: {error}"[:500]))
            return None
        if not prepared.passages:
            self._failed(old, Problem(entry.id, EMPTY, "", self._for_good(entry, EMPTY)))
            return None
        self.problems.extend(_remark(entry, note) for note in parsed.notes if note.startswith(REMARK))
        if not whole:
            self.problems.append(Problem(entry.id, TOO_LONG, str(self.settings.max_passages)))
        return prepared

    def _prepared(self, origin: Origin, parsed: Parsed) -> tuple[Prepared, bool]:
        """The document's passages as far as the limit, and whether that is all of it. Takes seconds for megabytes."""
        pieces, most = self.ports.splitter.split(parsed), self.settings.max_passages
        return prepare(origin, parsed, pieces[:most]), len(pieces) <= most

    def keep(self, record: DocumentRecord) -> None:
        """A document goes on as it was, with what was said of it."""
        self.records[record.id] = record
        self.problems.extend(self.remarks.get(record.id, ()))

    async def carry(self, generation: Generation) -> None:
        """Embed, from their stored texts, the documents that stay as they were made for another embedder.

        They could not be read or listed this time, and would be found by their words alone.
        """
        stayed = {id_: digest for id_, digest in generation.documents.items() if self._stayed(id_, digest)}
        size, done = self.settings.passages_at_once, 0
        total = sum(self.records[id_].passages for id_ in stayed)
        async for passages in self.ports.passages.read(Scope((replace(generation, documents=stayed),))):
            for start in range(0, len(passages), size):
                self.progress("passages", done + start, total)
                await self._upsert(passages[start : start + size], set())
            done += len(passages)

    def _stayed(self, id_: str, digest: str) -> bool:
        record = self.records.get(id_)
        return record is not None and record.hash == digest

    def _origin(self, entry: SourceEntry, data: bytes) -> Origin:
        collection, link = self.target.collection, self.target.link
        return Origin(collection, entry, self.recipe.content_hash(data, entry), self.recipe.fingerprint(entry), link)

    def _for_good(self, entry: SourceEntry, reason: str) -> str:
        """The fingerprint by which a refusal is known again; empty for one that may pass."""
        return self.recipe.fingerprint(entry) if reason in FINAL else ""

    def _failed(self, old: DocumentRecord | None, problem: Problem) -> None:
        """A document that can't be read keeps its old version; one that was emptied does not."""
        self.problems.append(problem)
        if old is not None and problem.reason != EMPTY:
            self.keep(old)

    async def _store(self, prepared: Sequence[Prepared], total: int) -> None:
        """Each document becomes part of the new generation only when all of its passages are stored."""
        waiting: list[Prepared] = []
        for document in prepared:
            waiting.append(document)
            if sum(len(d.passages) for d in waiting) >= self.settings.passages_at_once:
                await self._store_some(waiting, total)
                waiting = []
        if waiting:
            await self._store_some(waiting, total)

    async def _store_some(self, documents: Sequence[Prepared], total: int) -> None:
        passages = [passage for document in documents for passage in document.passages]
        retitled = {document.record.id for document in documents if self._retitled(document.record)}
        size = self.settings.passages_at_once
        for start in range(0, len(passages), size):
            if len(passages) > LONG * size:
                self.progress("passages", start, len(passages))
            await self._upsert(passages[start : start + size], retitled)
        self.records.update((document.record.id, document.record) for document in documents)
        self.done += len(documents)
        self.progress("documents", self.done, total)

    def _retitled(self, record: DocumentRecord) -> bool:
        old = self.before.get(record.id)
        return old is not None and old.title != record.title

    async def _upsert(self, passages: Sequence[Passage], retitled: set[str]) -> None:
        """Embed what has no vector yet, or has one that was made under another title; then store all."""
        name, embedder = self.target.collection, self.ports.embedder
        known = await self.ports.passages.known(name, [passage.id for passage in passages], embedder.name)
        fresh = [p for p in passages if p.id not in known or p.document_id in retitled]
        rows = await embedder.embed([passage.headed_text for passage in fresh], "passage")
        vectors = {passage.id: row for passage, row in zip(fresh, rows, strict=True)}
        entries = [IndexEntry(passage, vectors.get(passage.id)) for passage in passages]
        await self.ports.vectors.upsert(name, embedder.name, entries)
        await self.ports.lexical.upsert(name, embedder.name, entries)
        self.embedded += len(fresh)


def _batches(entries: Sequence[SourceEntry], settings: SyncSettings) -> Iterator[Sequence[SourceEntry]]:
    """The documents in order, as many together as both limits allow and at least one."""
    start = size = 0
    for place, entry in enumerate(entries):
        size += entry.size
        if place > start and (place - start == settings.documents_at_once or size > settings.bytes_at_once):
            yield entries[start:place]
            start, size = place, entry.size
    if entries:
        yield entries[start:]


def _remark(entry: SourceEntry, note: str) -> Problem:
    """A parser's note: its key, a blank, its detail."""
    reason, _, detail = note.partition(" ")
    return Problem(entry.id, reason, detail)
