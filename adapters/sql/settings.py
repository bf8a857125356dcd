"""What admins set from chat, in the database: one table that is only added to, the history and what holds in one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, insert, select

from adapters.sql.database import Database
from adapters.sql.schema import channel_settings
from core.channels import Setting, Told, told

_SAID = [column for column in channel_settings.columns if column.name != "sequence"]


class SqlSettings:
    """Reading what holds, adding to it, and who said what."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def version(self) -> int:
        """How far the table goes."""
        async with self._database.begin() as connection:
            return int((await connection.execute(select(func.max(channel_settings.c.sequence)))).scalar() or 0)

    async def said(self) -> Told:
        """Everything that holds now. The version is of the rows read, so that a change meanwhile is seen next time."""
        query = select(channel_settings).order_by(channel_settings.c.sequence)
        async with self._database.begin() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return told(rows[-1]["sequence"] if rows else 0, [_setting(row) for row in rows])

    async def put(self, setting: Setting) -> None:
        """Add one."""
        row = {column.name: getattr(setting, column.name) for column in _SAID}
        async with self._database.begin() as connection:
            await connection.execute(insert(channel_settings).values(row))

    async def changes(self, channel: str, limit: int) -> Sequence[Setting]:
        """The latest, newest first."""
        query = select(channel_settings).order_by(channel_settings.c.sequence.desc()).limit(limit)
        if channel:
            query = query.where(channel_settings.c.channel == channel)
        async with self._database.begin() as connection:
            return [_setting(row) for row in (await connection.execute(query)).mappings()]


def _setting(row: Any) -> Setting:
    return Setting(**{column.name: row[column.name] for column in _SAID})
