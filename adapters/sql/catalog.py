"""Collections, their documents, Cards and statistics in the database: reading what is published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import and_, select

from adapters.sql.database import Database, Transaction
from adapters.sql.schema import cards, collections, digests, documents, generations, problems
from core.documents import Card, Digest, DocumentRecord, Generation, Problem, Readable, Scope

RECORD_COLUMNS = [column for column in documents.columns if column.name != "collection"]


class SqlCatalog:
    """What is published, for those who may read it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._generations: dict[str, Generation] = {}

    async def pin(self, readable: Readable) -> Scope:
        """The current generations. Their documents, tens of thousands perhaps, are read once for each generation."""
        query = (
            select(collections.c.name, collections.c.generation, cards.c.version)
            .outerjoin(cards, cards.c.collection == collections.c.name)
            .where(collections.c.name.in_(readable.collections))
            .order_by(collections.c.name)
        )
        async with self._database.begin() as connection:
            pinned, rows = [], (await connection.execute(query)).all()
            for gone in readable.collections - {row.name for row in rows}:
                self._generations.pop(gone, None)  # a collection that was forgotten begins again with number 1
            for row in rows:
                known = self._generations.get(row.name)
                if known is None or known.number != row.generation:
                    known = self._generations[row.name] = await _read_generation(connection, row.name)
                # a Card is also rewritten by the syncs of other collections, without a new generation
                pinned.append(replace(known, card_version=row.version or known.card_version))
            return Scope(tuple(pinned))

    async def cards(self, readable: Readable) -> Sequence[Card]:
        """The Cards of the readable collections, by name."""
        query = select(cards).where(cards.c.collection.in_(readable.collections)).order_by(cards.c.collection)
        async with self._database.begin() as connection:
            return [replace(row.card, vectors=bytes(row.vectors)) for row in await connection.execute(query)]

    async def documents(self, collection: str) -> Mapping[str, DocumentRecord]:
        """The documents of the current generation by id."""
        async with self._database.begin() as connection:
            return await read_documents(connection, collection)


class SqlDigests:
    """The term statistics and the problems of the last sync."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def digests(self) -> Sequence[Digest]:
        """One for each published collection, by name."""
        async with self._database.begin() as connection:
            rows = await connection.execute(select(digests).order_by(digests.c.collection))
            return [Digest(row.collection, row.documents, row.terms, row.questions or ()) for row in rows]

    async def problems(self, collection: str) -> Sequence[Problem]:
        """The documents that the last sync could not read, in its order."""
        query = select(problems).where(problems.c.collection == collection).order_by(problems.c.position)
        async with self._database.begin() as connection:
            found = await connection.execute(query)
            return [Problem(row.document, row.reason, row.detail, row.fingerprint) for row in found]


async def read_documents(connection: Transaction, collection: str) -> dict[str, DocumentRecord]:
    """The published documents by id, in the order of their ids."""
    query = select(*RECORD_COLUMNS).where(documents.c.collection == collection).order_by(documents.c.id)
    names = [column.name for column in RECORD_COLUMNS]
    rows = await connection.execute(query)
    return {row.id: DocumentRecord(**dict(zip(names, row, strict=True))) for row in rows}


async def _read_generation(connection: Transaction, name: str) -> Generation:
    """Number and documents in one statement: a sync that publishes meanwhile can't mix the two."""
    query = (
        select(generations, documents.c.id, documents.c.hash)
        .join(
            collections,
            and_(collections.c.name == generations.c.collection, collections.c.generation == generations.c.number),
        )
        .outerjoin(documents, documents.c.collection == generations.c.collection)
        .where(generations.c.collection == name)
    )
    rows = (await connection.execute(query)).all()
    first = rows[0]
    return Generation(
        collection=name,
        number=first.number,
        embedding=first.embedding,
        documents={row.id: row.hash for row in rows if row.id is not None},
        card_version=first.card_version,
        published_at=first.published_at,
    )
