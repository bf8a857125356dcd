"""How far each workspace was heard: written by several processes, and only ever forward."""

from __future__ import annotations

from adapters.sql.bookmarks import SqlBookmarks
from adapters.sql.database import Database

LATE = 1_444_000_000_000_000_000


async def test_bookmarks_go_forward_by_workspace_and_never_back(database: Database) -> None:
    first, second = SqlBookmarks(database), SqlBookmarks(database)
    await first.move("discord", {})
    assert await first.read("discord") == {}
    await first.move("discord", {"1": LATE, "2": 7, "dm": 3})
    await second.move("discord", {"1": LATE - 1, "2": 8})
    await second.move("other", {"1": 5})
    assert await first.read("discord") == {"1": LATE, "2": 8, "dm": 3}
