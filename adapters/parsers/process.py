"""One process that reads documents, seen from outside: started, asked, ended. Knows no formats."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from adapters.parsers.frames import LENGTH, OUT_OF_MEMORY, entry_to, framed, reply_from
from adapters.parsers.limits import MB, Limits, Room
from core.documents import Parsed, SourceEntry
from core.errors import ParseError

_START = 60.0
_PATIENCE = 2.0

# Isolated (-I): neither the environment nor the folder it is started in says where modules come from.
_PROGRAM = (
    "import json, sys; path, orders = map(json.loads, sys.argv[1:]); sys.path[:] = path;"
    " from adapters.parsers.child import main, orders_of; main(orders_of(orders))"
)


class ReaderGone(Exception):
    """The process has ended."""


@dataclass
class ReaderProcess:
    """A running process. `usable` turns False when it may not be asked again; `end` is always due."""

    process: asyncio.subprocess.Process
    limits: Limits
    usable: bool = True

    @classmethod
    async def started(cls, limits: Limits, room: Room) -> Self:
        """A process that is ready; raises ParseError `parse.no_reader`."""
        orders = {**asdict(limits), "parsers": room.parsers, "documents": room.documents}
        try:
            found = cls(await _spawned(orders, room.environment), limits)
        except (OSError, ValueError) as error:
            raise ParseError("parse.no_reader", detail=str(error)) from error
        try:
            async with asyncio.timeout(_START):
                await found._frame(64)
        except (ReaderGone, ValueError, TimeoutError) as error:
            await found.end()
            raise ParseError("parse.no_reader", detail=f"exit {found.process.returncode}") from error
        except BaseException:
            await found.end()
            raise
        return found

    async def ask(self, data: bytes, entry: SourceEntry) -> Parsed:
        """The document as text; raises ParseError. Broken off in the middle, the process is of no more use."""
        usable, self.usable = self.usable, False
        assert usable
        try:
            async with asyncio.timeout(self.limits.seconds):
                found, last = reply_from(await self._exchange(data, entry))
        except TimeoutError as error:
            raise ParseError("parse.timeout", detail=f"{self.limits.seconds:g} s") from error
        except ReaderGone as error:
            raise await self._lost() from error
        except ValueError as error:
            raise ParseError("parse.crashed", detail=str(error)) from error
        self.usable = not last
        if isinstance(found, ParseError):
            raise found
        return found

    async def end(self) -> None:
        """End it, if it has not ended by itself, and leave nothing open."""
        with contextlib.suppress(ProcessLookupError):
            if self.process.returncode is None:
                self.process.kill()
        await asyncio.shield(self._buried())

    async def _buried(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        while await self.process.stdout.read(MB):
            pass  # what it still had to say; its pipe closes with it
        await self.process.wait()

    async def _exchange(self, data: bytes, entry: SourceEntry) -> bytes:
        stdin = self.process.stdin
        assert stdin is not None
        try:
            stdin.write(framed(entry_to(entry)))
            stdin.write(framed(data))
            await stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise ReaderGone("it takes no more documents") from error
        # A text has no more letters than the file had bytes allowed; a letter has up to four bytes here.
        return await self._frame(6 * self.limits.bytes + MB)

    async def _frame(self, most: int) -> bytes:
        stdout = self.process.stdout
        assert stdout is not None
        try:
            (length,) = LENGTH.unpack(await stdout.readexactly(LENGTH.size))
            if length > most:
                raise ValueError("a reply beyond all measure")
            return await stdout.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionResetError) as error:
            raise ReaderGone("it ended") from error

    async def _lost(self) -> ParseError:
        """Why there is no reply, as far as the way it ended tells."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await self.process.wait()
        code = self.process.returncode
        if code in (OUT_OF_MEMORY, -signal.SIGKILL):  # the latter: the system's own way to save itself
            limit = str(max(1, self.limits.memory // MB))
            return ParseError("parse.memory", detail=limit, limit_mb=limit)
        if code == -signal.SIGALRM:
            return ParseError("parse.timeout", detail=f"{self.limits.seconds:g} s")
        return ParseError("parse.crashed", detail=f"exit {code}")


async def _spawned(orders: Mapping[str, object], environment: Mapping[str, str]) -> asyncio.subprocess.Process:
    """The process: no environment but this, no open files but its pipes, deaf to what the terminal sends."""
    path = json.dumps([entry for entry in sys.path if Path(entry).is_absolute()])
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-I", "-B", "-X", "utf8", "-c", _PROGRAM, path, json.dumps(orders)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={"LC_ALL": "C.UTF-8", **environment},
        start_new_session=True,
    )
