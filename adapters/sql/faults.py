"""The database's errors become core's here: one table, one context manager. Knows no query."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from core.errors import Busy, RefdeskError, StoreError

_BROKEN = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_CLOSED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
_TAKEN = ("40001", "40P01", "55P03")  # PostgreSQL: serialisation failure, deadlock, lock not available


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Errors of the database at `place` as StoreError or Busy; a bug in a statement stays what it is."""
    try:
        yield
    except DBAPIError as exc:
        error = _translate(exc, place)
        if error is None:
            raise
        raise error from exc
    except PoolTimeout as exc:
        raise Busy(detail=str(exc)) from exc
    except OSError as exc:  # the server or the folder
        raise StoreError("error.store_access", path=place, what=_short(exc)) from exc


def _translate(exc: DBAPIError, place: str) -> RefdeskError | None:
    cause = exc.orig
    code = getattr(cause, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    if primary in _BROKEN:
        return StoreError("error.store", path=place, what=_short(cause))
    if primary in _BUSY or getattr(cause, "sqlstate", None) in _TAKEN:
        return Busy(detail=_short(cause))
    if isinstance(exc, OperationalError) or exc.connection_invalidated or primary in _CLOSED:
        return StoreError("error.store_access", path=place, what=_short(cause))
    return None


def _short(exc: BaseException | None) -> str:
    lines = str(exc).strip().splitlines()
    return lines[0][:200] if lines else type(exc).__name__
