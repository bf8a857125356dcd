"""What time it is: the system's clock, or one moment for a run (`--now`). Knows nothing of who asks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime


class SystemClock:
    """The time of this machine, in UTC."""

    def now(self) -> datetime:
        """The current time, aware, UTC."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class FixedClock:
    """A run that believes it is always `at`.

    Meant for dates in questions and answers. Leases need time that passes: give the stores a
    SystemClock, or a turn claimed under `--now` would stay claimed for years.
    """

    at: datetime

    def now(self) -> datetime:
        """The moment it was made with, in UTC; a moment without a zone is read as UTC."""
        return self.at.replace(tzinfo=UTC) if self.at.tzinfo is None else self.at.astimezone(UTC)
