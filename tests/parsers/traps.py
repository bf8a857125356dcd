"""Parsers that do what documents can make a parser do; named to a reading process by ``tests.parsers.traps:TRAPS``.

What a trap finds out about its process it gives back as the document's text.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from core.documents import Parsed, SourceEntry


def _told(**facts: object) -> Parsed:
    return Parsed("t", json.dumps(facts))


class Fine:
    """The process that read, and whether what was read before is still in it."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        return _told(pid=os.getpid(), nice=os.nice(0), data=data.decode())


class Endless:
    """Never gives the interpreter away."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        re.match(r"(a+)+$", "a" * 60 + "b")
        return _told()


class Patient:
    """Sleeps, as a parser that waits would."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        time.sleep(600)
        return _told()


class Greedy:
    """Takes memory until there is none."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        held = []
        while True:
            held.append(b"x" * 2**20 + bytes(len(held)))


class Hoarder:
    """Keeps memory for good, but within the limit."""

    held: bytes = b""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        Hoarder.held = b"x" * 2**20 * 200
        return _told(pid=os.getpid())


class Crashing:
    """Breaks the interpreter itself."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        ctypes.string_at(0)
        return _told()


class Leaving:
    """Ends the process as if all were well."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        os._exit(0)


class Printing:
    """Writes to what it believes to be the terminal."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        print("a" * 100_000, flush=True)
        os.write(1, b"\x00" * 100_000)
        sys.stderr.write("b" * 100_000)
        return _told()


class Forging:
    """Answers in the place of the process, with what nobody asked for."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        for descriptor in range(3, 30):
            with contextlib.suppress(OSError):
                os.write(descriptor, data)
        return _told()


class Long:
    """A text of as many letters as the document says."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        return Parsed("t", "가" * int(data))


def _refused(action: object) -> bool:
    assert callable(action)
    try:
        action()
    except OSError:
        return True
    return False


class Curious:
    """Looks around: what is in the environment, which files are open, what can be done."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        there = []
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                os.fstat(descriptor)
                there.append(descriptor)
        kinds = [socket.SOCK_STREAM for d in there if (os.fstat(d).st_mode & 0o170000) == 0o140000]
        return _told(
            environment=dict(os.environ),
            sockets=len(kinds),
            open=len(there),
            no_network=_refused(lambda: socket.create_connection(("127.0.0.1", int(data)), timeout=1)),
            no_programs=_refused(lambda: subprocess.run(["/bin/true"], check=False)),
            no_forks=_refused(os.fork),
            no_files=_refused(lambda: Path("/tmp/refdesk-trap").write_bytes(b"x" * 10)),
            folder_first=sys.path[0] in ("", "."),
        )


_BY_NAME: Mapping[str, type] = {
    "fine": Fine,
    "endless": Endless,
    "patient": Patient,
    "greedy": Greedy,
    "hoarder": Hoarder,
    "crash": Crashing,
    "leave": Leaving,
    "print": Printing,
    "forge": Forging,
    "long": Long,
    "curious": Curious,
}


class Trap:
    """The trap that the document is called after."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        parsed = _BY_NAME[PurePosixPath(entry.id).stem]().parse(data, entry)
        assert isinstance(parsed, Parsed)
        return parsed


TRAPS = {".pdf": Trap}
