"""Slots by a cron expression in a time zone, computed by cronsim. Knows no collection."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from cronsim import CronSim

_MARGIN = timedelta(hours=3)
"""Looking begins this long before: around a change of clocks a local hour comes twice, or not at all."""

_BACK = (_MARGIN, timedelta(days=2), timedelta(days=40), timedelta(days=400), timedelta(days=3700))


class CronSchedule:
    """A Schedule. Raises CronSimError for an expression that is none."""

    def __init__(self, expression: str, zone: ZoneInfo) -> None:
        CronSim(expression, datetime(2000, 1, 1, tzinfo=UTC))  # an expression that is none is told now
        self._expression = expression
        self._zone = zone

    def latest(self, at: datetime) -> datetime | None:
        """The last slot at or before the moment; rare slots (29 February) are found up to ten years back.

        Only ever walking forward gives the same slots from wherever the walk begins.
        """
        for back in _BACK:
            found = None
            for slot in self._from(at - back):
                if slot > at:
                    break
                found = slot
            if found is not None:
                return found
        return None

    def following(self, after: datetime) -> datetime | None:
        """The first slot after the moment."""
        return next((slot for slot in self._from(after - _MARGIN) if slot > after), None)

    def _from(self, start: datetime) -> Iterator[datetime]:
        for slot in CronSim(self._expression, start.astimezone(self._zone)):
            yield slot.astimezone(UTC)
