"""What only a database can get wrong: broken files, old and new versions, restarts, cancelled work, odd text."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from adapters.clock import FixedClock, SystemClock
from adapters.sql.database import Database, sqlite_url
from adapters.sql.migrations import HEAD
from adapters.sql.schema import citations, sessions, turns
from core.documents import Readable
from core.errors import Busy, StoreError
from core.messages import Turn
from tests.stores.conftest import in_database
from tests.stores.values import KEY, LEASE, NOW, MovingClock, a_publication, a_turn, an_answer

HR = Readable(frozenset({"hr"}))


async def opened(path: Path) -> StoreError:
    """The error with which the file refuses to open."""
    with pytest.raises(StoreError) as caught:
        await Database(sqlite_url(path), SystemClock()).open()
    return caught.value


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to be read as one" * 20, b"%PDF-1.7 "])
async def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "refdesk.db"
    path.write_bytes(content)
    error = await opened(path)
    assert error.reason == "error.store"
    assert str(path) in error.user_message("ko")
    assert path.read_bytes() == content


async def test_a_damaged_database_is_named_and_left_alone(tmp_path: Path, empty_file: Path) -> None:
    path = tmp_path / "refdesk.db"
    content = bytearray(empty_file.read_bytes())
    content[100:] = b"\xff" * (len(content) - 100)
    path.write_bytes(content)
    error = await opened(path)
    assert error.reason == "error.store"
    assert path.read_bytes() == content


async def test_damage_that_shows_later_is_told_the_same_way(tmp_path: Path, empty_file: Path) -> None:
    path = tmp_path / "refdesk.db"
    path.write_bytes(empty_file.read_bytes())
    with sqlite3.connect(path) as plain:
        roots = plain.execute("SELECT rootpage FROM sqlite_master WHERE tbl_name IN ('sessions', 'turns')").fetchall()
        (size,) = plain.execute("PRAGMA page_size").fetchone()
    plain.close()
    content = bytearray(path.read_bytes())
    for (page,) in roots:
        content[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(content)
    async with Database(sqlite_url(path), MovingClock()) as database:
        stores = in_database(database, MovingClock())
        with pytest.raises(StoreError, match=r"error\.store "):
            await stores.record.find(key=KEY)


async def test_a_place_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path, tmp_path / "file" / "refdesk.db"):
        error = await opened(path)
        assert error.reason == "error.store_access"
        assert str(path) in error.user_message("en")


async def test_a_database_of_a_newer_refdesk_is_left_alone(tmp_path: Path, empty_file: Path) -> None:
    path = tmp_path / "refdesk.db"
    path.write_bytes(empty_file.read_bytes())
    with sqlite3.connect(path) as plain:
        plain.execute("UPDATE alembic_version SET version_num = '9999'")
    plain.close()
    error = await opened(path)
    assert error.reason == "error.store_newer"
    with sqlite3.connect(path) as plain:
        assert plain.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)
    plain.close()


async def test_a_server_that_is_not_there_is_named_without_its_password(tmp_path: Path) -> None:
    pytest.importorskip("asyncpg")
    url = f"postgresql://desk:secret@/refdesk?host={tmp_path}"
    with pytest.raises(StoreError) as caught:
        await Database(url, SystemClock()).open()
    assert "secret" not in caught.value.user_message("en") + str(caught.value)


def test_a_refused_file_lets_the_process_end(tmp_path: Path) -> None:
    path = tmp_path / "refdesk.db"
    path.write_bytes(b"x" * 5000)
    program = (
        "import asyncio, sys; from adapters.sql.database import Database; from adapters.clock import SystemClock\n"
        "asyncio.run(Database(sys.argv[1], SystemClock()).open())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, sqlite_url(path)], timeout=60, capture_output=True, check=False
    )
    assert b"StoreError" in ended.stderr


async def test_opening_a_database_that_is_up_to_date_does_not_load_alembic(tmp_path: Path, empty_file: Path) -> None:
    path = tmp_path / "refdesk.db"
    path.write_bytes(empty_file.read_bytes())
    program = (
        "import asyncio, sys; from adapters.sql.database import Database; from adapters.clock import SystemClock\n"
        "async def main():\n"
        "    async with Database(sys.argv[1], SystemClock()): print('alembic' in sys.modules)\n"
        "asyncio.run(main())"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, sqlite_url(path)], timeout=60, capture_output=True, check=True
    )
    assert ended.stdout.strip() == b"False"


async def test_the_database_waits_and_cascades_on_every_connection(tmp_path: Path, empty_file: Path) -> None:
    path = tmp_path / "refdesk.db"
    path.write_bytes(empty_file.read_bytes())
    async with Database(sqlite_url(path), MovingClock()) as database, database.begin() as one, database.begin() as two:
        for connection in (one, two):
            found = [
                (await connection.execute(text(f"PRAGMA {name}"))).scalar()
                for name in ("journal_mode", "foreign_keys", "busy_timeout")
            ]
            assert found == ["wal", 1, 5000]


async def test_a_folder_is_made_for_a_new_database(tmp_path: Path) -> None:
    path = tmp_path / "새 폴더" / "100% sure" / "refdesk.db"
    async with Database(sqlite_url(path), MovingClock()) as database, database.begin() as connection:
        assert (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar() == HEAD
    assert path.exists()


async def test_constructing_and_importing_touch_no_file(tmp_path: Path) -> None:
    Database(sqlite_url(tmp_path / "refdesk.db"), SystemClock())
    assert list(tmp_path.iterdir()) == []


async def test_a_closed_database_says_so(tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path / "refdesk.db"), SystemClock())
    with pytest.raises(StoreError):
        await in_database(database, MovingClock()).record.find(key=KEY)


async def answer_one(database: Database, identity: str) -> Turn:
    """A turn from message to stored answer."""
    stores = in_database(database, MovingClock())
    await stores.queue.accept(a_turn(identity))
    turn = await stores.queue.claim("p1", LEASE)
    assert turn is not None
    done = replace(turn, status="answered", answer=an_answer())
    assert await stores.record.finish(done)
    return done


async def test_a_restart_keeps_history_generations_and_turns_in_flight(database: Database, database_url: str) -> None:
    await answer_one(database, "m1")
    stores = in_database(database, MovingClock())
    await stores.publisher.publish(a_publication("hr", 1, {"a.md": "1"}))
    await stores.queue.accept(a_turn("m2"))
    await stores.queue.claim("killed", LEASE)
    await database.close()
    clock = MovingClock()
    clock.move(LEASE * 2)
    async with Database(database_url, clock) as again:
        after = in_database(again, clock)
        turn = await after.queue.claim("p2", LEASE)
        assert turn is not None
        assert (turn.identity, turn.attempts) == ("m2", 2)
        (past,) = await after.sessions.history(KEY, turn, 10)
        assert past.answer == "연차는 15일입니다."
        scope = await after.catalog.pin(HR)
        assert scope.holds("hr", "a.md", "1")


async def test_forgetting_leaves_no_row_behind(database: Database) -> None:
    await answer_one(database, "m1")
    assert await in_database(database, MovingClock()).sessions.forget(KEY) == 1
    async with database.begin() as connection:
        for table in (sessions, turns, citations):
            assert (await connection.execute(select(func.count()).select_from(table))).scalar() == 0


async def test_text_comes_back_to_the_letter_and_what_no_database_holds_is_dropped(database: Database) -> None:
    stores = in_database(database, MovingClock())
    await stores.queue.accept(a_turn("m1", question="한글과 한글 NFC e\u0301"))
    await stores.queue.accept(a_turn("m2", question="a\x00b\ud800c"))
    kept = await stores.record.find(turn_id="turn-m1")
    cleaned = await stores.record.find(turn_id="turn-m2")
    assert kept is not None
    assert cleaned is not None
    assert kept.question == "한글과 한글 NFC e\u0301"
    assert cleaned.question == "ab?c"


async def test_a_failed_publication_changes_nothing(database: Database) -> None:
    stores = in_database(database, MovingClock())
    await stores.publisher.publish(a_publication("hr", 1, {"a.md": "1"}))
    good = a_publication("hr", 2, {"b.md": "1"})
    broken = replace(good, documents=(*good.documents, *good.documents), cards=(None,))  # type: ignore[arg-type]
    with pytest.raises(Exception, match=r".*"):
        await stores.publisher.publish(broken)
    scope = await stores.catalog.pin(HR)
    assert scope.key == (("hr", 1),)
    assert scope.holds("hr", "a.md", "1")


async def test_pins_taken_while_another_process_publishes_are_never_mixed(
    database: Database, database_url: str
) -> None:
    """Each generation here has one document whose hash is its number: a torn read would show."""
    async with Database(database_url, MovingClock()) as second:
        writer, reader = in_database(second, MovingClock()), in_database(database, MovingClock())
        seen = set()

        async def publish() -> None:
            for number in range(1, 16):
                await writer.publisher.publish(a_publication("hr", number, {"a.md": str(number)}))

        writing = asyncio.create_task(publish())
        while not writing.done():
            for generation in (await reader.catalog.pin(HR)).generations:
                assert generation.documents == {"a.md": str(generation.number)}
                seen.add(generation.number)
        await writing
    assert seen


async def test_cancelled_work_leaves_the_database_usable(database: Database) -> None:
    stores = in_database(database, MovingClock())
    for n in range(30):
        task = asyncio.create_task(stores.queue.accept(a_turn(f"m{n}", replace(KEY, thread=str(n)))))
        await asyncio.sleep(0.0005 * n)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await stores.queue.accept(a_turn("last", replace(KEY, thread="last")))
    found = [await stores.queue.claim("p", LEASE) for _ in range(40)]
    identities = [turn.identity for turn in found if turn is not None]
    assert "last" in identities
    assert len(identities) == len(set(identities))


async def test_a_writer_that_holds_the_file_too_long_is_told_as_busy(tmp_path: Path, empty_file: Path) -> None:
    path = tmp_path / "refdesk.db"
    path.write_bytes(empty_file.read_bytes())
    async with Database(sqlite_url(path), MovingClock()) as database:
        async with database.begin() as connection:
            await connection.execute(text("PRAGMA busy_timeout=50"))
        blocker = sqlite3.connect(path)
        blocker.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy):
            await in_database(database, MovingClock()).queue.accept(a_turn("m1"))
        blocker.rollback()
        blocker.close()
        assert not (await in_database(database, MovingClock()).queue.accept(a_turn("m1"))).duplicate


async def test_a_naive_moment_is_refused(database: Database) -> None:
    naive = replace(a_turn("m1"), created_at=NOW.replace(tzinfo=None))
    with pytest.raises(Exception, match="aware"):
        await in_database(database, MovingClock()).queue.accept(naive)


def test_clocks_are_aware_and_in_utc() -> None:
    assert SystemClock().now().tzinfo is not None
    assert FixedClock(NOW).now() == NOW
    assert FixedClock(NOW.replace(tzinfo=None)).now() == NOW
