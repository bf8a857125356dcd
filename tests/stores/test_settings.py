"""What admins set from chat: it holds at once, in every process, and who said what stays on record."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Protocol

import pytest

from adapters.memory.settings import MemorySettings
from adapters.sql.database import Database, sqlite_url
from adapters.sql.settings import SqlSettings
from core.channels import Channel, Setting, Told
from core.ports import SettingsHistory, SettingsStore
from tests.stores.conftest import emptied
from tests.stores.values import NOW, MovingClock

OPS = "slack/T1/C1"
MODE = Setting(OPS, "mode", ("mention",), "slack/T1/U1", NOW)
SHOWN = Setting(OPS, "visibility", ("shown",), "slack/T1/U1", NOW, "handbook")
HINT = Setting(OPS, "hint", ("Über Löhne — 급여",), "slack/T1/U2", NOW, "handbook")


class Both(SettingsStore, SettingsHistory, Protocol):
    """Either implementation."""


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
async def settings(request: pytest.FixtureRequest, tmp_path: Path, empty_file: Path) -> AsyncIterator[Both]:
    """An empty store of each kind."""
    if request.param == "memory":
        yield MemorySettings()
    elif request.param == "sqlite":
        path = shutil.copy(empty_file, tmp_path / "refdesk.db")
        async with Database(sqlite_url(path), MovingClock()) as database:
            yield SqlSettings(database)
    else:
        async with emptied(request.getfixturevalue("postgres_url"), MovingClock()) as database:
            yield SqlSettings(database)


async def test_nothing_said_is_nothing_set(settings: Both) -> None:
    assert await settings.said() == Told()
    assert await settings.version() == 0


async def test_what_was_said_holds_with_a_new_version(settings: Both) -> None:
    for each in (MODE, SHOWN, HINT):
        before = await settings.version()
        await settings.put(each)
        assert await settings.version() > before
    said = await settings.said()
    assert said.version == await settings.version()
    assert said.channel(OPS) == Channel("mention", shown=frozenset({"handbook"}))
    assert said.hints == {"handbook": "Über Löhne — 급여"}
    assert said.channel("slack/T1/C2") == Channel()


async def test_what_was_said_last_holds_and_taken_back_is_gone(settings: Both) -> None:
    for each in (MODE, SHOWN, HINT, replace(SHOWN, value=("hidden",)), replace(MODE, value=())):
        await settings.put(each)
    assert (await settings.said()).channel(OPS) == Channel(hidden=frozenset({"handbook"}))
    await settings.put(replace(SHOWN, value=()))
    await settings.put(replace(HINT, value=(), channel="slack/T1/C9"))
    assert (await settings.said()).channel(OPS) == Channel()
    assert (await settings.said()).hints == {}


async def test_who_said_what_is_told_newest_first_for_one_channel_or_all(settings: Both) -> None:
    elsewhere = replace(MODE, channel="slack/T1/C2", at=NOW + timedelta(hours=1))
    for each in (MODE, elsewhere, HINT):
        await settings.put(each)
    assert list(await settings.changes(OPS, 10)) == [HINT, MODE]
    assert list(await settings.changes("", 2)) == [HINT, elsewhere]


async def test_another_process_sees_a_change_at_once(database: Database) -> None:
    here, there = SqlSettings(database), SqlSettings(database)
    seen = await there.version()
    await here.put(SHOWN)
    assert await there.version() > seen
    assert "handbook" in (await there.said()).channel(OPS).shown


async def test_a_value_of_another_version_hides_rather_than_shows(settings: Both) -> None:
    await settings.put(SHOWN)
    await settings.put(replace(SHOWN, value=("whatever",)))
    await settings.put(replace(MODE, value=("louder",)))
    assert (await settings.said()).channel(OPS) == Channel(hidden=frozenset({"handbook"}))
