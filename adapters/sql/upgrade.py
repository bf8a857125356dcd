"""Alembic, told where our migrations are and on which connection to run them. Imported only when needed."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

from core.errors import StoreError


def upgrade(connection: Connection, place: str) -> None:
    """All migrations that the database has not seen. Raises StoreError when it has seen more than we know."""
    try:
        command.upgrade(alembic_config(connection), "head")
    except CommandError as exc:
        raise StoreError("error.store_newer", path=place, detail=str(exc)) from exc


def alembic_config(connection: Connection) -> Config:
    """Alembic's configuration for the migrations of this package on an open connection."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
