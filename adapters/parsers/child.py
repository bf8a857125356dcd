"""The process that reads documents: whatever one does to it, it does to nobody else.

Started by `adapters.parsers.process`, told one document after the other, ends when its owner does. Has no
secrets, opens no connections, starts no processes and writes no files.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import queue
import resource
import select
import signal
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from adapters.parsers.frames import LENGTH, OUT_OF_MEMORY, entry_from, framed, parsed_to, refusal_to
from adapters.parsers.limits import MB, Limits
from adapters.parsers.registry import ParserRegistry
from core.documents import Parsed
from core.errors import ParseError

_LOOK = 0.05
_OVERTIME = 5.0
_GROWN = 0.5  # of its memory limit: a process that holds as much makes room for a fresh one
_FORBIDDEN = (
    "socket.",
    "subprocess.",
    "os.system",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.spawn",
    "ctypes.dlopen",
)


@dataclass(frozen=True, slots=True)
class Orders:
    """What a process is started with; `documents` is after how many it ends."""

    parsers: str
    bytes: int
    seconds: float
    memory: int
    documents: int


def main(orders: Orders) -> None:
    """Read documents until there are no more, or enough of them."""
    replies = _own_output()
    _confine(orders)
    module, _, name = orders.parsers.partition(":")
    parsers = getattr(importlib.import_module(module), name)
    registry = ParserRegistry(Limits(orders.bytes, orders.seconds, orders.memory), parsers)
    inbox = _Inbox(orders.memory)
    threading.Thread(target=inbox.listen, name="refdesk-inbox", daemon=True).start()
    _send(replies, b"ready")
    for count in range(1, orders.documents + 1):
        header, data = inbox.requests.get()
        last = _serve(replies, registry, orders, header, data) or count == orders.documents
        del data
        inbox.busy.clear()
        if last:
            break
    os._exit(0)  # nothing of ours needs an orderly end, and a library's threads could hold it up


def _serve(replies: int, registry: ParserRegistry, orders: Orders, header: bytes, data: bytes) -> bool:
    """Answer one request; True when this process should read no more."""
    # The kernel ends what goes on for too long, even when its owner is gone and the interpreter never comes free.
    signal.setitimer(signal.ITIMER_REAL, orders.seconds + _OVERTIME)
    try:
        found = _read(registry, orders, header, data)
        grown = _resident() > _GROWN * orders.memory
        if isinstance(found, Parsed):
            reply, last = parsed_to(found, last=grown), grown
        else:
            last = grown or found.reason == "parse.memory"
            reply = refusal_to(found, last=last)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    signal.setitimer(signal.ITIMER_REAL, 0)
    _send(replies, reply)
    return last


def _read(registry: ParserRegistry, orders: Orders, header: bytes, data: bytes) -> Parsed | ParseError:
    try:
        return registry.parse(data, entry_from(header, len(data)))
    except ParseError as refused:
        return refused


@dataclass
class _Inbox:
    """Requests as they come in; ends the process with its owner, and when it holds too much memory."""

    memory: int
    requests: queue.SimpleQueue[tuple[bytes, bytes]] = field(default_factory=queue.SimpleQueue)
    busy: threading.Event = field(default_factory=threading.Event)

    def listen(self) -> None:
        """Never returns."""
        while True:
            ready, _, _ = select.select([0], [], [], _LOOK if self.busy.is_set() else None)
            if self.busy.is_set() and _resident() > self.memory:
                os._exit(OUT_OF_MEMORY)
            if ready:
                request = _frame(), _frame()
                self.busy.set()
                self.requests.put(request)


def _frame() -> bytes:
    (length,) = LENGTH.unpack(_exactly(LENGTH.size))
    return _exactly(length)


def _exactly(length: int) -> bytes:
    data = bytearray()
    while len(data) < length:
        more = os.read(0, min(length - len(data), MB))
        if not more:
            os._exit(0)  # our owner is gone
        data += more
    return bytes(data)


def _send(replies: int, payload: bytes) -> None:
    view = memoryview(framed(payload))
    while view:
        view = view[os.write(replies, view) :]


def _own_output() -> int:
    """Where replies go; what a library prints goes nowhere."""
    replies = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return replies


def _confine(orders: Orders) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is our owner's to handle
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        os.nice(10)  # answers go first
    for name, most in {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": 0, "RLIMIT_DATA": orders.memory}.items():
        _limit(name, most)
    sys.addaudithook(_refuse)


def _limit(name: str, most: int) -> None:
    """Both limits, so that nothing in here can lift them again. macOS knows some that it does not keep to."""
    with contextlib.suppress(AttributeError, ValueError, OSError):
        resource.setrlimit(getattr(resource, name), (most, most))


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    """Reading a document needs no network and no other program."""
    if event.startswith(_FORBIDDEN):
        raise PermissionError(f"{event} while a document is read")


def _resident() -> int:
    """Bytes of memory in use; where the system doesn't say, the most there ever were."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def orders_of(raw: Mapping[str, object]) -> Orders:
    """The orders as they stand on the command line."""
    return Orders(**raw)  # type: ignore[arg-type]
