"""What goes wrong between an app and Slack, as data: which call, what happens, how often."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Slow:
    """Answered after so many seconds; it is done only then."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Status:
    """An HTTP error without any JSON; nothing is done."""

    code: int = 500
    body: str = "upstream connect error"
    kind: str = "text/html"


@dataclass(frozen=True, slots=True)
class TooMany:
    """429 with Retry-After; nothing is done."""

    seconds: int = 1


@dataclass(frozen=True, slots=True)
class Refused:
    """Slack's own refusal; nothing is done."""

    error: str
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reset:
    """The connection breaks before anything is done."""


@dataclass(frozen=True, slots=True)
class ReplyLost:
    """It is done, and the connection breaks before the answer arrives."""


@dataclass(frozen=True, slots=True)
class DoneBut:
    """It is done, and answered as if it were not."""

    answer: Status | Refused


Fault = Slow | Status | TooMany | Refused | Reset | ReplyLost | DoneBut


@dataclass
class _Planned:
    method: str
    fault: Fault
    times: int | None
    when: Callable[[Mapping[str, Any]], bool]


@dataclass
class Faults:
    """The faults that are still to happen, in the order they were planned."""

    _planned: list[_Planned] = field(default_factory=list)

    def add(
        self,
        method: str,
        fault: Fault,
        times: int | None = 1,
        when: Callable[[Mapping[str, Any]], bool] = lambda _: True,
    ) -> None:
        """Let it happen to the next `times` calls of the method (``"*"``: any; None: until cleared)."""
        self._planned.append(_Planned(method, fault, times, when))

    def clear(self) -> None:
        self._planned.clear()

    def next(self, method: str, arguments: Mapping[str, Any]) -> Fault | None:
        """The fault that this call meets; it is used up."""
        for each in self._planned:
            if each.method in (method, "*") and each.when(arguments):
                if each.times is not None:
                    each.times -= 1
                    if each.times == 0:
                        self._planned.remove(each)
                return each.fault
        return None
