"""What a script can tell the server to answer, the faults of real services included. Knows nothing of HTTP."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds until the first token and for each token after it; nothing is waited for by default."""

    first: float = 0.0
    token: float = 0.0


@dataclass(frozen=True, slots=True)
class Spoken:
    """What every answer of a model comes down to. After `stop_after` pieces `then` happens.

    `structured`: it stands in the tool call where a tool was asked for.
    """

    pieces: tuple[str, ...] = ()
    tokens: int | None = None
    pace: Pace | None = None
    field: str = "content"
    finish: str = "stop"
    structured: bool = False
    stop_after: int | None = None
    then: Hang | Cut | Broken | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """A text. `tokens` pieces of equal length when it is streamed, or the pieces as they are given in a tuple.

    Without either a piece has three characters, so that markers and links are cut apart as real tokens do.
    """

    text: str | tuple[str, ...]
    tokens: int | None = None
    pace: Pace | None = None

    @property
    def spoken(self) -> Spoken:
        if isinstance(self.text, tuple):
            return Spoken(self.text, self.tokens, self.pace)
        count = self.tokens or -(-len(self.text) // 3)
        edges = [round(i * len(self.text) / count) for i in range(count + 1)]
        return Spoken(tuple(self.text[a:b] for a, b in itertools.pairwise(edges)), self.tokens, self.pace)


@dataclass(frozen=True, slots=True)
class Value:
    """A structured value: as JSON, or as the arguments of the tool, whichever was asked for."""

    value: Mapping[str, Any]
    tokens: int | None = None
    pace: Pace | None = None

    @property
    def spoken(self) -> Spoken:
        text = json.dumps(self.value, ensure_ascii=False)
        return Spoken((text,), self.tokens or -(-len(text) // 4), self.pace, structured=True)


@dataclass(frozen=True, slots=True)
class Malformed:
    """This very text where a structure was asked for, in a tool call too; `finish` is its finish_reason."""

    text: str
    finish: str = "stop"

    @property
    def spoken(self) -> Spoken:
        return Spoken((self.text,), finish=self.finish, structured=True)


@dataclass(frozen=True, slots=True)
class Fail:
    """An HTTP error. `retry_after` is sent as it stands, seconds or a date."""

    status: int
    retry_after: str | float | None = None
    message: str = "the script failed this request"
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hang:
    """Nothing for so long, and then `text`; after `after_chunks` pieces of it if it is streamed."""

    seconds: float
    after_chunks: int = 0
    text: Say = Say("too late")

    @property
    def spoken(self) -> Spoken:
        return Spoken(self.text.spoken.pieces, stop_after=self.after_chunks, then=self)


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection breaks after so many pieces; an answer that isn't streamed breaks in the middle of its body."""

    after_chunks: int = 3
    text: Say = Say("This answer never comes to its end.")

    @property
    def spoken(self) -> Spoken:
        return Spoken(self.text.spoken.pieces, stop_after=self.after_chunks, then=self)


@dataclass(frozen=True, slots=True)
class Broken:
    """A stream that tells of an error of the server's own in the middle."""

    after_chunks: int = 3
    text: Say = Say("This answer never comes to its end.")
    message: str = "the engine died"

    @property
    def spoken(self) -> Spoken:
        return Spoken(self.text.spoken.pieces, stop_after=self.after_chunks, then=self)


@dataclass(frozen=True, slots=True)
class Refuse:
    """The model declines, in the field made for it."""

    text: str = "I'm sorry, I can't help with that."

    @property
    def spoken(self) -> Spoken:
        return Spoken((self.text,), field="refusal")


@dataclass(frozen=True, slots=True)
class Filtered:
    """The service's content filter ends the answer; what came before it is `text`."""

    text: str = ""

    @property
    def spoken(self) -> Spoken:
        return Spoken((self.text,), finish="content_filter")


@dataclass(frozen=True, slots=True)
class Empty:
    """A well-formed answer with nothing in it."""

    @property
    def spoken(self) -> Spoken:
        return Spoken()


Reply = Say | Value | Malformed | Fail | Hang | Cut | Broken | Refuse | Filtered | Empty
