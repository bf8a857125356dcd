"""Putting other people's text into a prompt so that it stays data: fences that it can neither close nor forge.

A fence's tags carry a mark made from all that is fenced, so nobody who writes a text can know it; and in the
text itself whatever looks like one of our tags, or like a control token of a chat template, is broken up.
Pure; knows no step.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.indexing.text import normalise

NAMES = ("passage", "question", "conversation", "message", "draft", "sentences", "missing", "headings")
"""What a fence may be called."""

_TITLE = 160

# Letters that are read as the Latin ones: full-width forms and the Cyrillic twins.
_TWINS = {"a": "а", "c": "с", "e": "е", "i": "і", "o": "о", "p": "р", "s": "ѕ"}
_GAP = "[\\s\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff_*]*"


def _letter(letter: str) -> str:
    wide = chr(ord(letter) + 0xFEE0)
    return f"[{letter}{letter.upper()}{wide}{chr(ord(wide) - 0x20)}{_TWINS.get(letter, '')}]"


_WORDS = "|".join(_GAP.join(map(_letter, name)) for name in NAMES)
_TAG = re.compile(f"[<＜﹤‹〈⟨《](?={_GAP}[/\\\\／⁄∕]?{_GAP}(?:{_WORDS}))")

# Servers that render a chat template as text read these as the end of the user's turn.
_CONTROL = re.compile(
    r"(?P<head><|\[)(?=[|｜]|/?(?:s|bos|eos|unk|pad)>|(?:start|end)_of_|<SYS>>|/?INST\]"
    r"|</?SYS>>|/?(?:AVAILABLE_TOOLS|TOOL_CALLS|SYSTEM_PROMPT)\])",
    re.IGNORECASE,
)
# Tag characters and the like: read by models, seen by nobody.
_HIDDEN = re.compile("[\U000e0000-\U000e007f\ufff9-\ufffb\u2061-\u2064\u180e]")


def defused(text: str) -> str:
    """The text as it may stand inside a fence: nothing hidden, no tag of ours, no control token."""
    plain = _HIDDEN.sub("", normalise(text))
    return _CONTROL.sub(r"\g<head> ", _TAG.sub("&lt;", plain))


def on_one_line(text: str, limit: int = _TITLE) -> str:
    """Defused, without line breaks, of bounded length: an entry that can't pose as several."""
    line = " ".join(defused(text[: 4 * limit]).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class Fences:
    """The fences of one request."""

    mark: str

    @classmethod
    def around(cls, *texts: str) -> Fences:
        """Fences with a mark that depends on everything they will hold."""
        return cls(hashlib.sha256("\x1f".join(texts).encode("utf-8", "replace")).hexdigest()[:6])

    def block(self, name: str, body: str, attributes: Sequence[tuple[str, str]] = ()) -> str:
        """``<name-mark key="value">``, the body, and the closing tag, each on lines of their own."""
        told = "".join(f' {key}="{_attribute(value)}"' for key, value in attributes if value)
        return f"<{name}-{self.mark}{told}>\n{defused(body)}\n</{name}-{self.mark}>"


def _attribute(value: str) -> str:
    return on_one_line(value).replace('"', "'").replace("<", "‹").replace(">", "›")
