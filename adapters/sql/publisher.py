"""Making a sync visible in the database: all of it in one transaction, by one process at a time."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import bindparam, delete, insert, or_

from adapters.sql.catalog import read_documents
from adapters.sql.database import Database, Transaction
from adapters.sql.router_record import keep_router_record
from adapters.sql.schema import cards, collections, digests, documents, generations, problems, sync_locks
from core.documents import Card, DocumentRecord, Problem
from core.errors import Busy
from core.ports import Publication

_RECORD = [field.name for field in fields(DocumentRecord)]
_PROBLEM = [field.name for field in fields(Problem)]


class SqlPublisher:
    """Publishing, and the right to sync."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def publish(self, publication: Publication) -> None:
        """Documents, digest, problems, Cards and the new number. Raises Busy when another sync was faster."""
        async with self._database.begin() as connection:
            await self._advance(connection, publication)
            await self._replace_documents(connection, publication)
            await self._replace_reports(connection, publication)
            await keep_router_record(connection, self._database, publication)
            for card in sorted(publication.cards, key=lambda card: card.collection):  # one order: no deadlock
                await self._put_card(connection, card)

    async def lock(self, collection: str, owner: str, lease: timedelta) -> bool:
        """Take or prolong the right to sync; one statement."""
        now = self._database.clock.now()
        taken = self._database.insert(sync_locks).values(collection=collection, owner=owner, lease_until=now + lease)
        statement = taken.on_conflict_do_update(
            index_elements=[sync_locks.c.collection],
            set_={"owner": taken.excluded.owner, "lease_until": taken.excluded.lease_until},
            where=or_(sync_locks.c.owner == owner, sync_locks.c.lease_until <= now),
        ).returning(sync_locks.c.owner)
        async with self._database.begin() as connection:
            return (await connection.execute(statement)).scalar() == owner

    async def unlock(self, collection: str, owner: str) -> None:
        """Give the right back, if it is still ours."""
        mine = delete(sync_locks).where(sync_locks.c.collection == collection, sync_locks.c.owner == owner)
        async with self._database.begin() as connection:
            await connection.execute(mine)

    async def _advance(self, connection: Transaction, publication: Publication) -> None:
        """The new number, only upwards: the row that this writes also keeps other publishers waiting."""
        new = publication.generation
        row = self._database.insert(collections).values(name=new.collection, generation=new.number)
        upwards = row.on_conflict_do_update(
            index_elements=[collections.c.name],
            set_={"generation": row.excluded.generation},
            where=collections.c.generation < new.number,
        ).returning(collections.c.generation)
        if (await connection.execute(upwards)).scalar() is None:
            raise Busy(detail=f"generation {new.number} of {new.collection} was published by another sync")
        await connection.execute(
            insert(generations).values(
                collection=new.collection,
                number=new.number,
                embedding=new.embedding,
                card_version=new.card_version,
                documents=len(publication.documents),
                published_at=new.published_at,
            )
        )

    async def _replace_documents(self, connection: Transaction, publication: Publication) -> None:
        """Only what differs: a sync of one page must not rewrite ten thousand rows."""
        name = publication.generation.collection
        before = await read_documents(connection, name)
        after = {record.id: record for record in publication.documents}
        stale = [id_ for id_, record in before.items() if after.get(id_) != record]
        if stale:
            gone = delete(documents).where(documents.c.collection == name, documents.c.id == bindparam("stale_id"))
            await connection.execute(gone, [{"stale_id": id_} for id_ in stale])
        fresh = [_document_row(name, record) for id_, record in after.items() if before.get(id_) != record]
        if fresh:
            await connection.execute(insert(documents), fresh)

    async def _replace_reports(self, connection: Transaction, publication: Publication) -> None:
        name, digest = publication.generation.collection, publication.digest
        await connection.execute(delete(problems).where(problems.c.collection == name))
        rows = [
            {"collection": name, "position": place, **{column: getattr(problem, column) for column in _PROBLEM}}
            for place, problem in enumerate(publication.problems)
        ]
        if rows:
            await connection.execute(insert(problems), rows)
        row = self._database.insert(digests).values(
            collection=name, documents=digest.documents, terms=digest.terms, questions=digest.questions
        )
        await connection.execute(
            row.on_conflict_do_update(
                index_elements=[digests.c.collection],
                set_={column: getattr(row.excluded, column) for column in ("documents", "terms", "questions")},
            )
        )

    async def _put_card(self, connection: Transaction, card: Card) -> None:
        bare = replace(card, vectors=b"")  # as JSON they would be twice as long
        row = self._database.insert(cards).values(
            collection=card.collection, version=card.version, card=bare, vectors=card.vectors
        )
        changed = {name: getattr(row.excluded, name) for name in ("version", "card", "vectors")}
        await connection.execute(row.on_conflict_do_update(index_elements=[cards.c.collection], set_=changed))


def _document_row(collection: str, record: DocumentRecord) -> dict[str, Any]:
    return {"collection": collection, **{name: getattr(record, name) for name in _RECORD}}
