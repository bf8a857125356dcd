"""Workspaces that installed the app: found, sealed, forgotten; each with its own token."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.oauth.installation_store.sqlalchemy import AsyncSQLAlchemyInstallationStore
from slack_sdk.oauth.state_store.sqlalchemy import AsyncSQLAlchemyOAuthStateStore
from sqlalchemy import MetaData, text

from adapters.slack.installations import KEPT_FOR, Installations, SealedStore, States
from adapters.slack.sealing import Seal, fits
from adapters.slack.web import SlackRefused
from adapters.sql.database import Database, sqlite_url
from adapters.sql.schema import metadata
from tests.stores.values import MovingClock

KEY = "k" * 32
TOKEN = "xoxb-" + "0123456789-" * 8


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with Database(sqlite_url(tmp_path / "refdesk.db"), MovingClock()) as opened:
        yield opened


def store(database: Database, keys: str = KEY) -> SealedStore:
    return SealedStore("1.2", database.engine, Seal(keys), database.alone)


def installation(team: str, token: str = TOKEN, enterprise: str | None = None) -> Installation:
    return Installation(
        app_id="A1",
        enterprise_id=enterprise,
        team_id=team,
        user_id="U1",
        bot_token=token,
        bot_id="B1",
        bot_user_id="UB",
    )


async def dump(database: Database) -> str:
    """Everything that the tables of installations hold."""
    async with database.engine.connect() as connection:
        rows = [*(await connection.execute(text("SELECT * FROM slack_bots"))).all()]
        return str([*rows, *(await connection.execute(text("SELECT * FROM slack_installations"))).all()])


async def test_a_token_is_found_by_its_workspace_and_never_stored_in_clear(database: Database) -> None:
    kept = store(database)
    await kept.async_save(installation("T1"))
    await kept.async_save(installation("T2", TOKEN + "2", enterprise="E1"))
    teams = Installations(kept, {"*"})
    assert await teams.token("T1") == TOKEN
    assert await teams.token("T2") == TOKEN + "2"
    assert "xoxb" not in await dump(database)
    found = await kept.async_find_installation(enterprise_id=None, team_id="T1")
    assert found is not None
    assert found.bot_token == TOKEN


async def test_the_latest_installation_counts(database: Database) -> None:
    kept = store(database)
    older = installation("T1", "xoxb-old")
    older.installed_at -= 100
    await kept.async_save(older)
    await kept.async_save(installation("T1", "xoxb-new"))
    assert await Installations(kept, {"T1"}).token("T1") == "xoxb-new"


async def test_who_we_are_somewhere_is_known_without_asking_slack(database: Database) -> None:
    kept = store(database)
    await kept.async_save(installation("T1"))
    us = await Installations(kept, {"T1"}).us(None, "T1")
    assert us is not None
    assert (us.bot_id, us.bot_user_id, us.bot_token) == ("B1", "UB", TOKEN)


async def test_an_unknown_workspace_and_one_that_is_not_allowed_have_no_token(database: Database) -> None:
    kept = store(database)
    await kept.async_save(installation("T1"))
    teams = Installations(kept, {"T2"})
    for team in ("T1", "T2"):
        assert await teams.us(None, team) is None
        with pytest.raises(SlackRefused, match="not_installed"):
            await teams.token(team)


async def test_after_an_uninstall_nothing_is_left(database: Database) -> None:
    kept = store(database)
    await kept.async_save(installation("T1", enterprise="E1"))
    await kept.async_save(installation("T2"))
    teams = Installations(kept, {"*"})
    assert await teams.token("T1")
    await teams.gone("T1")
    with pytest.raises(SlackRefused):
        await teams.token("T1")
    assert "'T1'" not in await dump(database)
    assert await teams.token("T2")


async def test_an_uninstall_that_another_process_heard_of_is_seen_within_a_minute(database: Database) -> None:
    now = [0.0]
    await store(database).async_save(installation("T1"))
    here = Installations(store(database), {"*"}, now=lambda: now[0])
    assert await here.token("T1")
    await Installations(store(database), {"*"}).gone("T1")
    now[0] += KEPT_FOR + 1
    with pytest.raises(SlackRefused):
        await here.token("T1")


async def test_another_key_is_told_and_a_new_one_may_stand_before_the_old(database: Database) -> None:
    await store(database).async_save(installation("T1"))
    with pytest.raises(SlackRefused) as told:
        await Installations(store(database, "z" * 32), {"*"}).token("T1")
    assert "REFDESK_SECRET_KEY" in told.value.user_message("en")
    assert told.value.signed_out
    assert await Installations(store(database, f"{'z' * 32}, {KEY}"), {"*"}).token("T1") == TOKEN


async def test_a_state_works_once_and_old_ones_are_swept_out(database: Database) -> None:
    states = States(database.engine, database.alone)
    state = await states.async_issue()
    assert await states.async_consume(state)
    assert not await states.async_consume(state)
    assert not await states.async_consume("made up")
    await States(database.engine, database.alone, expiration_seconds=-5).async_issue()
    await states.async_issue()
    async with database.engine.connect() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM slack_oauth_states"))).scalar() == 1


def test_short_keys_are_no_keys() -> None:
    assert fits(KEY)
    assert fits(f"{KEY},{KEY}")
    assert not fits("")
    assert not fits("secret")
    assert not fits(f"{KEY},secret")


def test_the_tables_are_those_that_slack_sdk_writes_to() -> None:
    theirs = MetaData()
    AsyncSQLAlchemyInstallationStore.build_bots_table(theirs, "slack_bots")
    AsyncSQLAlchemyInstallationStore.build_installations_table(theirs, "slack_installations")
    AsyncSQLAlchemyOAuthStateStore.build_oauth_states_table(theirs, "slack_oauth_states")
    for name, table in theirs.tables.items():
        ours = metadata.tables[name]
        assert {(each.name, each.nullable) for each in ours.c} == {(each.name, each.nullable) for each in table.c}
        assert {index.name for index in ours.indexes} == {index.name for index in table.indexes}
