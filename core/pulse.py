"""How a platform's connection is doing: told by its adapter, read by whoever asks after the health of a process."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from core.errors import RefdeskError


@dataclass
class Pulse:
    """One connection. `heard_at` is when something last came in: from people, never an answer to a question of ours.

    `now` are seconds that only pass, as `time.monotonic`.
    """

    now: Callable[[], float] = time.monotonic
    connected: bool = False
    error: RefdeskError | None = None
    refusal: RefdeskError | None = None
    heard_at: float | None = None
    up_since: float | None = None
    down_since: float | None = None
    rebuilt: int = 0
    _began: float = field(init=False)

    def __post_init__(self) -> None:
        self._began = self.now()
        self.down_since = self._began

    @property
    def trouble(self) -> RefdeskError | None:
        """What is wrong: with the connection, or with our right to be there."""
        return self.refusal or self.error

    @property
    def silence(self) -> float:
        """Seconds since something came in, or since we began to listen."""
        return self.now() - (self._began if self.heard_at is None else self.heard_at)

    @property
    def down_for(self) -> float:
        """Seconds without a connection; 0 while there is one."""
        return 0.0 if self.down_since is None else self.now() - self.down_since

    @property
    def up_for(self) -> float:
        """Seconds with a connection; 0 while there is none."""
        return 0.0 if self.up_since is None else self.now() - self.up_since

    def heard(self) -> None:
        """Something came in."""
        self.heard_at = self.now()

    def up(self) -> None:
        """There is a connection."""
        self.up_since = self.up_since if self.connected else self.now()
        self.connected, self.error, self.down_since = True, None, None

    def down(self, error: RefdeskError) -> bool:
        """There is none, and why; whether that is news."""
        news = self.connected or self.error is None or self.error.reason != error.reason
        self.connected, self.error, self.up_since = False, error, None
        if self.down_since is None:
            self.down_since = self.now()
        return news

    def refused(self, error: RefdeskError) -> bool:
        """The platform does not let us work, connected or not; whether that is news."""
        news = self.refusal is None or self.refusal.reason != error.reason
        self.refusal = error
        return news

    def welcome(self) -> None:
        """It does."""
        self.refusal = None
