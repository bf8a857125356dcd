"""The bytes of a server-sent stream to JSON events. Pure; the client's own reader costs several times as much."""

from __future__ import annotations

import json
from collections.abc import Iterator


class Events:
    """Takes bytes as they come, cut anywhere; gives whole events. `ended` is set by the mark of the end.

    `whole`: it is no stream but one answer, from a server that doesn't stream.
    """

    def __init__(self, *, whole: bool = False) -> None:
        self.ended = False
        self._whole = whole
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[object]:
        """The events that `data` completes; raises ValueError for one that is no JSON."""
        if self._whole:
            self._rest += data
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            yield from self._events(line)

    def rest(self) -> Iterator[object]:
        """The event in what is left at the end."""
        if self._whole:
            self.ended = True
            yield json.loads(self._rest)
        else:
            yield from self._events(self._rest)

    def _events(self, line: bytes) -> Iterator[object]:
        if self.ended or not line.startswith(b"data:"):
            return
        payload = line[5:].strip()
        if payload == b"[DONE]":
            self.ended = True
        elif payload:
            yield json.loads(payload)
