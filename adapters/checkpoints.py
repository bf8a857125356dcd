"""Where runs in flight are written down: a saver for LangGraph on one SQLite file, our own values as what they were.

Not the history of a conversation: a run's checkpoints are deleted when its turn ends, and only the latest is kept
until then. LangGraph's own SQLite saver does the same with a thread's turn for every statement; here what all runs
want written at one moment is one transaction. The plain format makes lists of tuples and asks which classes it may
make; ours names the few that a state holds, and no others.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from core.batching import Batcher
from core.errors import StoreError
from core.rag.state import STORED

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

log = logging.getLogger(__name__)

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
    named = value.get(_VALUE)
    kind = _KINDS.get(named) if isinstance(named, str) else None
    return kind(**{name: item for name, item in plain.items() if name != _VALUE}) if kind else plain


Work = Callable[[sqlite3.Connection], Any]

_TABLES = """
CREATE TABLE IF NOT EXISTS checkpoints (
    thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL, checkpoint_id TEXT NOT NULL, parent_checkpoint_id TEXT,
    type TEXT, checkpoint BLOB, metadata BLOB, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id));
CREATE TABLE IF NOT EXISTS writes (
    thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL, checkpoint_id TEXT NOT NULL, task_id TEXT NOT NULL,
    task_path TEXT NOT NULL DEFAULT '', idx INTEGER NOT NULL, channel TEXT NOT NULL, type TEXT, value BLOB,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx));
"""
_LATEST = """SELECT checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata FROM checkpoints
    WHERE thread_id = ? AND checkpoint_ns = ? ORDER BY checkpoint_id DESC LIMIT 1"""
_PENDING = """SELECT task_id, channel, type, value FROM writes
    WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? ORDER BY task_path, task_id, idx"""
_PUT = "INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)"
_WRITE = """INSERT OR REPLACE INTO writes
    (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_OLDER = (
    "DELETE FROM checkpoints WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id < ?",
    "DELETE FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id < ?",
)
_ALL = ("DELETE FROM checkpoints WHERE thread_id = ?", "DELETE FROM writes WHERE thread_id = ?")


class RunsFile(BaseCheckpointSaver[int]):
    """The latest checkpoint of each run. Made by `sqlite_checkpoints`. Reading and forgetting raise StoreError."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        super().__init__(serde=_Values(JsonPlusSerializer()))
        self._path = path
        self._connection = connection
        self._batches: Batcher[Work, Any] = Batcher("runs", self._transaction, limit=256, wait=0.001)

    async def close(self) -> None:
        """End the thread and close the file."""
        await self._batches.close()
        self._connection.close()

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The latest checkpoint of a run with what its step has written since.

        None for one that can't be read, as after an update: the run begins anew and writes over it.
        """
        thread, namespace = _place(config)

        def read(connection: sqlite3.Connection) -> Any:
            latest = connection.execute(_LATEST, (thread, namespace)).fetchone()
            if latest is None:
                return None
            return latest, connection.execute(_PENDING, (thread, namespace, latest[0])).fetchall()

        found = await self._batches.submit(read)
        if found is None:
            return None
        (key, parent, kind, blob, metadata), pending = found
        try:
            return CheckpointTuple(
                _config(thread, namespace, key),
                self.serde.loads_typed((kind, blob)),
                json.loads(metadata),
                _config(thread, namespace, parent) if parent else None,
                [(task, channel, self.serde.loads_typed((kind, value))) for task, channel, kind, value in pending],
            )
        except (TypeError, ValueError, KeyError) as error:
            log.warning("what another version wrote down of %s can't be read: %s", thread, type(error).__name__)
            return None

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: Any
    ) -> RunnableConfig:
        """Keep this one; those before it are not needed any more."""
        thread, namespace = _place(config)
        about = json.dumps(get_checkpoint_metadata(config, metadata), ensure_ascii=False).encode("utf-8", "replace")
        key, parent = checkpoint["id"], config["configurable"].get("checkpoint_id")
        row = (thread, namespace, key, parent, *self.serde.dumps_typed(checkpoint), about)

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(_PUT, row)
            for statement in _OLDER:
                connection.execute(statement, (thread, namespace, key))

        await self._noted(write, thread)
        return _config(thread, namespace, key)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """What one task of the step under way has written; a branch beside it may still be at work."""
        thread, namespace = _place(config)
        task = (thread, namespace, config["configurable"]["checkpoint_id"], task_id, task_path)
        rows = [
            (*task, WRITES_IDX_MAP.get(channel, number), channel, *self.serde.dumps_typed(value))
            for number, (channel, value) in enumerate(writes)
        ]
        await self._noted(lambda connection: connection.executemany(_WRITE, rows).close(), thread)

    async def _noted(self, work: Work, thread: str) -> None:
        """Write; a run that can't be written down goes on, it only can't be taken up again."""
        try:
            await self._batches.submit(work)
        except StoreError as error:
            log.warning("%s can't be written down: %s", thread, error)

    async def adelete_thread(self, thread_id: str) -> None:
        """Forget a run."""

        def delete(connection: sqlite3.Connection) -> None:
            for statement in _ALL:
                connection.execute(statement, (thread_id,))

        await self._batches.submit(delete)

    def _transaction(self, works: Sequence[Work]) -> list[Any]:
        try:
            with self._connection:
                return [work(self._connection) for work in works]
        except sqlite3.Error as error:
            raise StoreError("error.store_access", path=str(self._path), what=str(error)) from error


def _place(config: RunnableConfig) -> tuple[str, str]:
    place = config["configurable"]
    return str(place["thread_id"]), str(place.get("checkpoint_ns", ""))


def _config(thread: str, namespace: str, key: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread, "checkpoint_ns": namespace, "checkpoint_id": key}}


@asynccontextmanager
async def sqlite_checkpoints(path: Path) -> AsyncIterator[RunsFile]:
    """An open saver on the file; raises StoreError when it can't be opened."""
    saver = RunsFile(path, await asyncio.to_thread(_opened, path))
    try:
        yield saver
    finally:
        await saver.close()


def _opened(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, timeout=30, check_same_thread=False)
    except (sqlite3.Error, OSError) as error:
        raise StoreError("error.store_access", path=str(path), what=str(error)) from error
    try:
        # A run that a crash of the whole machine takes from the file begins anew: that is what is at stake.
        connection.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; {_TABLES}")
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(path=str(path), what=str(error)) from error
    return connection
