"""An index file that can't be used is one clear error, and stays as it is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from adapters.embedded.index import EmbeddedIndex
from core.errors import StoreError
from tests.index.values import ANALYZER, Index, passage, scope


async def _open(path: Path) -> StoreError:
    with pytest.raises(StoreError) as caught:
        async with EmbeddedIndex(path, ANALYZER):
            pass
    return caught.value


@pytest.mark.parametrize(
    "content", [b"this is no database at all, but a text file " * 40, b"SQLite format 3\x00" + b"\xff" * 5000]
)
async def test_a_corrupt_file_is_refused_with_path_and_remedy_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "index.sqlite"
    path.write_bytes(content)
    error = await _open(path)
    assert str(path) in error.user_message("en")
    assert "refdesk sync" in error.user_message("ko")
    assert path.read_bytes() == content


async def test_a_file_damaged_in_the_middle_is_an_error_not_a_wrong_answer(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    async with EmbeddedIndex(path, ANALYZER) as opened:
        many = [passage(f"text {n} about upgrades", f"{n}.md") for n in range(300)]
        await Index(opened.vectors, opened.lexical, opened.passages).put(*many)
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xaa" * (len(whole) - 8192))
    published = scope({p.document_id: "1" for p in many})
    with pytest.raises(StoreError) as caught:
        async with EmbeddedIndex(path, ANALYZER) as opened:
            await opened.lexical.search(published, "upgrades", 10)
    assert str(path) in caught.value.user_message("en")


async def test_a_database_of_something_else_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE invoices (number INTEGER)")
    other.close()
    error = await _open(path)
    assert "another kind" in error.user_message("en")
    found = sqlite3.connect(path)
    assert found.execute("SELECT name FROM sqlite_master").fetchall() == [("invoices",)]
    found.close()


async def test_an_index_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    async with EmbeddedIndex(path, ANALYZER):
        pass
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    assert (await _open(path)).reason == "error.store_newer"


async def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").mkdir()
    assert (await _open(tmp_path / "index.sqlite")).reason == "error.store_access"


async def test_what_was_stored_is_there_after_opening_again(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "index.sqlite"
    one = passage("kept for later")
    async with EmbeddedIndex(path, ANALYZER) as opened:
        await Index(opened.vectors, opened.lexical, opened.passages).put(one)
    async with EmbeddedIndex(path, ANALYZER) as opened:
        assert await Index(opened.vectors, opened.lexical, opened.passages).words(scope({"a.md": "1"}), "later") == [
            one.id
        ]


def test_making_an_index_touches_nothing(tmp_path: Path) -> None:
    EmbeddedIndex(tmp_path / "index.sqlite", ANALYZER)
    assert list(tmp_path.iterdir()) == []
