"""The end of a process that was told to end: its own in a moment, whatever hangs then."""

from __future__ import annotations

import logging
import os
import sys
import threading

log = logging.getLogger(__name__)


def ends_within(seconds: float) -> None:
    """From now on: what is not done by then is left as it is recorded. Not of the event loop, which may hang itself."""
    timer = threading.Timer(seconds, _ended, (seconds,))
    timer.daemon = True
    timer.start()


def _ended(seconds: float) -> None:
    log.error("not ended in %.0f s: what is recorded is taken up by the next process", seconds)
    sys.stderr.flush()
    os._exit(1)
