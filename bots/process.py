"""What is set for the whole process; called by entry points alone, never by a library part."""

from __future__ import annotations

import gc
import sys

GARBAGE_AFTER = 50_000
"""New objects after which Python looks for cycles; its default is 700."""

TURN = 0.0005
"""Seconds for which a thread may keep the interpreter while others wait; its default is ten times as long."""


def tune() -> None:
    """Fewer looks for garbage, and shorter waits of the threads for one another."""
    # Start-up makes a million objects that all stay: looking through them again and again is a tenth of it.
    gc.set_threshold(GARBAGE_AFTER)
    # Encoder, products and SQLite work outside the interpreter and come back to it often. With the default each
    # return waits out the event loop's turn: a sixth of the questions a second at 16 at once.
    sys.setswitchinterval(TURN)
