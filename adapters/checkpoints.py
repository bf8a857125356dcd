"""Where runs in flight are written down: LangGraph's SQLite saver, with our own values as what they were.

Not the history of a conversation: a run's checkpoints are deleted when its turn ends. The saver's own format
makes lists of tuples and asks which classes it may make; ours names the few that a state holds, and no others.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import StoreError
from core.rag.state import STORED

if TYPE_CHECKING:
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

_KINDS = {kind.__name__: kind for kind in STORED}
_TUPLE, _VALUE = "()", "value"


class _Values:
    """A serializer of plain values around which tuples and our own values keep their kind."""

    def __init__(self, plain: JsonPlusSerializer) -> None:
        self._plain = plain

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """The kind of encoding, and the bytes."""
        return self._plain.dumps_typed(_marked(obj))

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """What `dumps_typed` was given."""
        return _unmarked(self._plain.loads_typed(data))


def _marked(value: Any) -> Any:
    if type(value) is tuple:
        return {_TUPLE: [_marked(item) for item in value]}
    if type(value) is list:
        return [_marked(item) for item in value]
    if type(value) is dict:
        return {key: _marked(item) for key, item in value.items()}
    if type(value) in STORED:
        return {_VALUE: type(value).__name__} | {f.name: _marked(getattr(value, f.name)) for f in fields(value)}
    return value


def _unmarked(value: Any) -> Any:
    if type(value) is list:
        return [_unmarked(item) for item in value]
    if type(value) is not dict:
        return value
    if set(value) == {_TUPLE}:
        return tuple(_unmarked(item) for item in value[_TUPLE])
    plain = {key: _unmarked(item) for key, item in value.items()}
    kind = _KINDS.get(value.get(_VALUE, ""))
    return kind(**{name: item for name, item in plain.items() if name != _VALUE}) if kind else plain


@asynccontextmanager
async def sqlite_checkpoints(path: Path) -> AsyncIterator[AsyncSqliteSaver]:
    """An open saver on the file; raises StoreError when it can't be opened."""
    import sqlite3

    import aiosqlite
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    try:
        connection = await aiosqlite.connect(path, timeout=30)
    except (sqlite3.Error, OSError) as error:
        raise StoreError("error.store_access", path=str(path), what=str(error)) from error
    try:
        saver = AsyncSqliteSaver(connection, serde=_Values(JsonPlusSerializer()))
        try:
            await saver.setup()
            # A run that a crash of the whole machine takes from the file begins anew: that is what is at stake.
            await connection.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.Error as error:
            raise StoreError(path=str(path), what=str(error)) from error
        yield saver
    finally:
        await connection.close()
