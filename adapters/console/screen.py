"""The two streams of a terminal or a pipe, and what happens when one of them ends. Knows nothing of answers."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import unicodedata
from dataclasses import dataclass, field
from typing import TextIO


@dataclass
class Screen:
    """Where a console writes: answers to `out`, passing remarks to `err`.

    Whoever reads may go away at any time (``| head -1``): from then on that stream is silent. `lost` says
    why an answer could not be written where somebody still wants it, on a full disk for example.
    """

    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)
    lost: OSError | None = None

    @property
    def live(self) -> bool:
        """Whether a line can be overwritten: both ends are terminals."""
        return self.out.isatty() and self.err.isatty()

    def write(self, text: str) -> None:
        """Part of an answer."""
        self._put(self.out, text)

    def remark(self, text: str) -> None:
        """Something in passing."""
        self._put(self.err, text)

    def _put(self, stream: TextIO, text: str) -> None:
        try:
            stream.write(text)
            stream.flush()
        except OSError as error:
            _silence(stream)
            if not isinstance(error, BrokenPipeError) and stream is self.out:
                self.lost = error


def _silence(stream: TextIO) -> None:
    """What is still in the buffer goes nowhere, else the interpreter would complain at its end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def columns() -> int:
    """How wide the terminal is."""
    return shutil.get_terminal_size().columns


def fitting(text: str, width: int) -> str:
    """The text within one line of a terminal, where Korean takes two cells a letter."""
    cells = 0
    for index, char in enumerate(text):
        cells += 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if cells >= width:
            return text[:index]
    return text
