"""The server's time: the real one, shifted as a test wants; ids and dates are made from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from simcord._clock import Clock


class WallClock(Clock):
    """Goes by itself; `advance` puts it forward, `at` lets things happen at another time."""

    def __init__(self) -> None:
        super().__init__()
        self._moment: datetime | None = None

    def now(self) -> datetime:
        """The server's time."""
        return self._moment or datetime.now(UTC) + timedelta(seconds=self.elapsed)

    @contextmanager
    def at(self, moment: datetime) -> Iterator[None]:
        """What is written inside this block was written then, a second apart."""
        before, self._moment = self._moment, moment
        try:
            yield
        finally:
            self._moment = before

    def tick(self, seconds: float = 1.0) -> None:
        """Let time pass inside `at`."""
        if self._moment is not None:
            self._moment += timedelta(seconds=seconds)
