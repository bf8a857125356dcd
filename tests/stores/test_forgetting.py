"""A collection that is deleted from the record leaves nothing there, and takes nothing of another's with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from adapters.sql.catalog import SqlCatalog, SqlDigests
from adapters.sql.database import Database, sqlite_url
from adapters.sql.forgetting import SqlForgetter
from adapters.sql.publisher import SqlPublisher
from adapters.sql.schema import metadata
from core.documents import Readable
from tests.stores.test_router_record import a_self_test, examined
from tests.stores.values import MovingClock

BOTH = Readable(frozenset({"hr", "ops"}))
OF_SYNCS = ("documents", "digests", "problems", "generations", "cards", "previous_cards", "self_tests")


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with Database(sqlite_url(tmp_path / "refdesk.db"), MovingClock()) as opened:
        publisher = SqlPublisher(opened)
        for number in (1, 2):
            await publisher.publish(examined("hr", number, a_self_test(number)))
            await publisher.publish(examined("ops", number, a_self_test(number)))
        yield opened


async def rows(database: Database, table: str, collection: str) -> int:
    wanted = metadata.tables[table]
    query = select(func.count()).select_from(wanted).where(wanted.c.collection == collection)
    async with database.begin() as connection:
        return int((await connection.execute(query)).scalar_one())


async def test_nothing_is_left_of_it_and_all_of_the_others(database: Database) -> None:
    before = {table: await rows(database, table, "ops") for table in OF_SYNCS}
    assert await SqlForgetter(database).names() == ["hr", "ops"]
    assert await SqlForgetter(database).forget("hr") == 1
    assert await SqlForgetter(database).names() == ["ops"]
    assert {table: await rows(database, table, "hr") for table in OF_SYNCS} == dict.fromkeys(OF_SYNCS, 0)
    assert {table: await rows(database, table, "ops") for table in OF_SYNCS} == before
    assert [each.collection for each in await SqlDigests(database).digests()] == ["ops"]
    assert await SqlForgetter(database).forget("hr") == 0


async def test_a_collection_that_begins_again_is_not_taken_for_what_it_was(database: Database) -> None:
    catalog = SqlCatalog(database)
    assert {each.number for each in (await catalog.pin(BOTH)).generations} == {2}
    await SqlForgetter(database).forget("hr")
    assert [each.collection for each in (await catalog.pin(BOTH)).generations] == ["ops"]
    for number in (1, 2):
        await SqlPublisher(database).publish(examined("hr", number, None))
    (again,) = (await catalog.pin(Readable(frozenset({"hr"})))).generations
    assert again.number == 2
