"""Where the log goes: a file in the data directory, so that a terminal shows answers and not tracebacks.

A process that serves shows no answers, so it logs to its error stream too, where containers and services look.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path

from core.errors import RefdeskError

LIMIT = 5 * 2**20
FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"
OURS = ("bots.", "core.", "adapters.")

log = logging.getLogger(__name__)


class LogFile(RotatingFileHandler):
    """A log that can't be written (a full disk, no permission) is no reason to fill the screen."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Say nothing."""


@contextmanager
def told_and_logged() -> Iterator[None]:
    """Every error goes to the log; one that nobody foresaw becomes a RefdeskError, whose id leads to it."""
    try:
        yield
    except RefdeskError as error:
        log.warning("%s %s", error.id, error)
        raise
    except Exception as bug:
        shown = RefdeskError(detail=f"{type(bug).__name__}: {bug}"[:500])
        log.exception("%s", shown.id)
        raise shown from bug


def log_to(path: Path) -> RotatingFileHandler:
    """Send the log to this file (two old ones are kept); the caller closes the handler and takes it off."""
    handler = LogFile(path, maxBytes=LIMIT, backupCount=2, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter(FORMAT))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    return handler


@contextmanager
def logged_here() -> Iterator[None]:
    """Meanwhile the log goes to the error stream too; of libraries only warnings."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(FORMAT))
    handler.addFilter(lambda record: record.levelno >= logging.WARNING or record.name.startswith(OURS))
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
