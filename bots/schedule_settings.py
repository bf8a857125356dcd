"""When a collection is synced by itself, as refdesk.toml says it: an interval, or a cron expression in a time zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator

_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_LONGEST = timedelta(days=366)
_FIELDS = 5


def interval(text: str) -> timedelta:
    """``30m``, ``6h`` or ``1d``; raises ValueError that says how to write it."""
    found = re.fullmatch(r"([1-9][0-9]{0,6})([mhd])", text.strip())
    every = timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else timedelta(0)
    if not timedelta(0) < every <= _LONGEST:
        raise ValueError('write a number and m, h or d, for example "30m", "6h" or "1d" (at most 366d)')
    return every


def _every(text: str) -> str:
    if text:
        interval(text)
    return text


def _cron(text: str) -> str:
    """Five fields that some day meets."""
    if not text:
        return text
    from cronsim import CronSim, CronSimError

    try:
        if len(text.split()) != _FIELDS:
            raise CronSimError("five fields: minute, hour, day, month, weekday")
        next(CronSim(text, datetime.now(UTC)))
    except CronSimError as error:
        raise ValueError(f'not a cron expression like "0 3 * * *" ({error})') from error
    except StopIteration as error:
        raise ValueError("there is no such day") from error
    return text


def _zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ValueError, OSError, LookupError) as error:  # a path, a folder of zones, an unknown name
        raise ValueError('write it as "Asia/Seoul", "Europe/Berlin" or "UTC"') from error
    return text


Interval = Annotated[str, AfterValidator(_every)]
Cron = Annotated[str, AfterValidator(_cron)]
Zone = Annotated[str, AfterValidator(_zone)]
