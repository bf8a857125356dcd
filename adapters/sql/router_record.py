"""What the syncs did to the router, in the database: self-tests, and each Card as it was before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import delete, insert, select

from adapters.sql.database import Database, Transaction
from adapters.sql.schema import cards, previous_cards, self_tests
from core.catalog.tested import KEPT, SelfTest
from core.documents import Card, Readable
from core.ports import Publication


class SqlRouterRecord:
    """Reading it; it is written with each publication."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tests(self, limit: int) -> Sequence[SelfTest]:
        """The latest self-tests, newest first."""
        query = select(self_tests.c.test).order_by(self_tests.c.sequence.desc()).limit(limit)
        async with self._database.begin() as connection:
            return list((await connection.execute(query)).scalars())

    async def before(self, readable: Readable) -> Mapping[str, Card]:
        """Each readable collection's Card before its own last sync, without vectors."""
        query = select(previous_cards).where(previous_cards.c.collection.in_(readable.collections))
        async with self._database.begin() as connection:
            return {row.collection: row.card for row in await connection.execute(query)}


async def keep_router_record(connection: Transaction, database: Database, publication: Publication) -> None:
    """Keep the Card that this publication is about to replace, and its self-test. Before the Cards are written."""
    name = publication.generation.collection
    # Other collections' syncs rewrite this Card too, by contrast; what its own last sync did must stay visible.
    current = select(cards.c.collection, cards.c.version, cards.c.card).where(cards.c.collection == name)
    found = (await connection.execute(current)).one_or_none()
    if found is not None:
        row = database.insert(previous_cards).values(collection=name, version=found.version, card=found.card)
        changed = {"version": row.excluded.version, "card": row.excluded.card}
        await connection.execute(row.on_conflict_do_update(index_elements=["collection"], set_=changed))
    if publication.self_test is not None:
        await _keep_test(connection, publication, publication.self_test)


async def _keep_test(connection: Transaction, publication: Publication, test: SelfTest) -> None:
    name, number = publication.generation.collection, publication.generation.number
    row = {"collection": name, "generation": number, "at": test.at, "test": test}
    await connection.execute(insert(self_tests).values(row))
    own = self_tests.c.collection == name
    kept = select(self_tests.c.sequence).where(own).order_by(self_tests.c.sequence.desc()).limit(KEPT)
    await connection.execute(delete(self_tests).where(own, self_tests.c.sequence.not_in(kept)))
