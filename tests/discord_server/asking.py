"""A request to the REST API as the server keeps it, and what an answer has at hand."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from simcord.backend import Backend

if TYPE_CHECKING:
    from tests.discord_server.rest import Rest


@dataclass
class Call:
    """A request: `path` without the version in front, `at` by the loop's clock, `status` once it is answered."""

    method: str
    path: str
    params: dict[str, str]
    json: Any
    at: float
    status: int = 0


@dataclass
class Upload:
    """A file that came with a message, in the form that simcord reads."""

    filename: str
    data: bytes
    description: str | None = None
    fp: io.BytesIO = field(init=False)

    def __post_init__(self) -> None:
        self.fp = io.BytesIO(self.data)


@dataclass(frozen=True, slots=True)
class Asked:
    """A call, and the server it was made to."""

    rest: Rest
    call: Call
    uploads: list[Upload]

    @property
    def backend(self) -> Backend:
        """simcord's world."""
        return self.rest.backend

    def by_simcord(self) -> Any:
        """Leave the answer to simcord."""
        return self.rest.by_simcord(self.call, self.uploads)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered by us: `path` has a `*` for each part that `answer` is given.

    An answer of NotImplemented leaves it to the next, at last to simcord.
    """

    method: str
    path: str
    answer: Callable[..., Any]

    def parts(self, call: Call) -> list[str] | None:
        """What stands for the stars; None when another request is meant."""
        wanted, given = self.path.split("/"), call.path.split("/")
        if self.method != call.method or len(wanted) != len(given):
            return None
        if any(want not in ("*", part) for want, part in zip(wanted, given, strict=True)):
            return None
        return [part for want, part in zip(wanted, given, strict=True) if want == "*"]
