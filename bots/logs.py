"""Where the log goes: a file in the data directory, so that a terminal shows answers and not tracebacks."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

LIMIT = 5 * 2**20


def log_to(path: Path) -> RotatingFileHandler:
    """Send the log to this file (two old ones are kept); the caller closes the handler and takes it off."""
    handler = RotatingFileHandler(path, maxBytes=LIMIT, backupCount=2, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    return handler
