"""Who was told which warning: once, by however many processes, and again when it was gone meanwhile."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.memory.warnings_told import MemoryWarningsTold
from adapters.sql.database import Database, sqlite_url
from adapters.sql.warnings_told import SqlWarningsTold
from core.ports import WarningsTold
from tests.stores.conftest import emptied
from tests.stores.values import MovingClock


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
async def told(request: pytest.FixtureRequest, tmp_path: Path, empty_file: Path) -> AsyncIterator[WarningsTold]:
    """Every implementation, empty."""
    clock = MovingClock()
    if request.param == "memory":
        yield MemoryWarningsTold()
    elif request.param == "sqlite":
        async with Database(sqlite_url(shutil.copy(empty_file, tmp_path / "refdesk.db")), clock) as database:
            yield SqlWarningsTold(database)
    else:
        async with emptied(request.getfixturevalue("postgres_url"), clock) as database:
            yield SqlWarningsTold(database)


async def test_a_warning_is_new_to_each_person_once_while_it_stands(told: WarningsTold) -> None:
    assert await told.claim("ann", ("a", "b")) == {"a", "b"}
    assert await told.claim("ann", ("b", "c")) == {"c"}
    assert await told.claim("ben", ("b",)) == {"b"}
    assert await told.claim("ann", ()) == frozenset()
    assert await told.claim("ann", ("b",)) == {"b"}
    await told.release("ann", ("b", "x"))
    assert await told.claim("ann", ("b",)) == {"b"}


async def test_of_many_who_would_tell_one_does(told: WarningsTold) -> None:
    found = await asyncio.gather(*(told.claim("ann", ("a", "b")) for _ in range(5)))
    assert sorted(sign for signs in found for sign in signs) == ["a", "b"]
