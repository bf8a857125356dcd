"""The process that reads documents: whatever one does to it, it does to nobody else.

Started by `adapters.parsers.process`, told one document after the other, ends when its owner does.
"""

from __future__ import annotations

import importlib
import os
import queue
import select
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from adapters.parsers.confined import confine, end_after, in_use, own_output
from adapters.parsers.frames import LENGTH, OUT_OF_MEMORY, entry_from, framed, parsed_to, refusal_to
from adapters.parsers.limits import MB, Limits
from adapters.parsers.registry import ParserRegistry
from core.errors import ParseError

_LOOK = 0.05
_OVERTIME = 2.0
_GROWN = 0.5  # of its memory limit: a process that holds as much makes room for a fresh one

Request = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Orders:
    """What a process is started with; `documents` is after how many it ends."""

    parsers: str
    bytes: int
    seconds: float
    memory: int
    documents: int


def orders_of(raw: Mapping[str, object]) -> Orders:
    """The orders as they stand on the command line."""
    return Orders(**raw)  # type: ignore[arg-type]


def main(orders: Orders) -> None:
    """Read documents until there are no more, or enough of them."""
    replies = own_output()
    confine(orders.memory)
    module, _, name = orders.parsers.partition(":")
    parsers = getattr(importlib.import_module(module), name)
    registry = ParserRegistry(Limits(orders.bytes, orders.seconds, orders.memory), parsers)
    inbox = _Inbox(orders.memory)
    threading.Thread(target=inbox.listen, name="refdesk-inbox", daemon=True).start()
    _send(replies, b"ready")
    for count in range(1, orders.documents + 1):
        request = inbox.requests.get()
        end_after(orders.seconds + _OVERTIME)
        reply, last = _reply(registry, request, orders.memory, enough=count == orders.documents)
        end_after(0)
        inbox.busy.clear()
        _send(replies, reply)
        del request, reply
        if last:
            break
    os._exit(0)  # nothing of ours needs an orderly end, and a library's threads could hold it up


def _reply(registry: ParserRegistry, request: Request, memory: int, *, enough: bool) -> tuple[bytes, bool]:
    """What is to be said of the document, and whether this process should read no more."""
    header, data = request
    try:
        parsed = registry.parse(data, entry_from(header, len(data)))
        last = enough or in_use() > _GROWN * memory
        return parsed_to(parsed, last=last), last
    except ParseError as refused:
        last = enough or refused.reason == "parse.memory" or in_use() > _GROWN * memory
        return refusal_to(refused, last=last), last
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


@dataclass
class _Inbox:
    """Requests as they come in; ends the process with its owner, and when it holds too much memory."""

    memory: int
    requests: queue.SimpleQueue[Request] = field(default_factory=queue.SimpleQueue)
    busy: threading.Event = field(default_factory=threading.Event)

    def listen(self) -> None:
        """Never returns."""
        while True:
            ready, _, _ = select.select([0], [], [], _LOOK if self.busy.is_set() else None)
            if self.busy.is_set() and in_use() > self.memory:
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
