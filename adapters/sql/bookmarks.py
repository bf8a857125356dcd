"""How far each workspace was heard: where whoever comes back begins to read. It only goes forward."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import select

from adapters.sql.database import Database
from adapters.sql.schema import bookmarks


class SqlBookmarks:
    """By platform and workspace."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, platform: str) -> Mapping[str, int]:
        """The last message of each workspace up to which all were heard."""
        query = select(bookmarks.c.workspace, bookmarks.c.message).where(bookmarks.c.platform == platform)
        async with self._database.begin() as connection:
            return {row.workspace: row.message for row in await connection.execute(query)}

    async def move(self, platform: str, messages: Mapping[str, int]) -> None:
        """Forward to these; one that another process has moved further stays there."""
        if not messages:
            return
        rows = [{"platform": platform, "workspace": place, "message": last} for place, last in sorted(messages.items())]
        statement = self._database.insert(bookmarks)
        further = statement.on_conflict_do_update(
            index_elements=[bookmarks.c.platform, bookmarks.c.workspace],
            set_={"message": statement.excluded.message},
            where=statement.excluded.message > bookmarks.c.message,
        )
        async with self._database.begin() as connection:
            await connection.execute(further, rows)
