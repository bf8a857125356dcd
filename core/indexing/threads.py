"""A conversation in a thread as a document, and which threads become documents.

Knows no platform: messages come as who said what when, with the names already in the place of ids.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.indexing.blocks import fenced
from core.indexing.text import normalise, one_line

LONGEST_TITLE = 200
SHORT = 16
"""A first line shorter than this ("Hi all,") says nothing by itself, unless it asks."""
LATE = timedelta(days=30)

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)[ \t#]*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*")
_FENCE = re.compile(r"`{3,}|~{3,}")
_STARTS_A_BLOCK = re.compile(r" {0,3}(?:[`~]{3}|[-*+][ \t]|[>|#]|\d{1,9}[.)][ \t])")
_EMOJI = re.compile(r":[a-z][a-z0-9_+'-]*:")
_MARKUP = re.compile(r"\[(?P<label>[^\[\]]*)\]\([^()\s]*\)|\*\*|~~|`+")
_ADDRESSED = re.compile(r"^(?:@\S+[ \t]*[,:]?[ \t]*)+")
_MARKS = re.compile(r"[*`\[\]<>\\]")


@dataclass(frozen=True, slots=True)
class Said:
    """One message: its author's display name, when it was written, its words as Markdown."""

    author: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A thread: its title (may be empty), what was said in order, and what it is filed under."""

    title: str
    said: Sequence[Said]
    place: str = ""
    tags: Sequence[str] = ()

    def markdown(self) -> bytes:
        """The document, with the day of its last message as its own; empty when nobody said anything."""
        told = [each for each in self.said if each.text.strip()]
        if not told:
            return b""
        title = " ".join(one_line(self.title or _first_line(told[0].text)).split())[:LONGEST_TITLE]
        fields = {"title": title, "updated": f"{told[-1].at:%Y-%m-%d}", "date": f"{told[0].at:%Y-%m-%d}"}
        head = [f'{name}: "{value}"' for name, value in fields.items()]
        filed = " · ".join(filter(None, (self.place and f"#{_name(self.place)}", *map(_name, self.tags))))
        days = [_late(before, each) for before, each in itertools.pairwise([told[0], *told])]
        messages = list(map(_told, told, days))
        body = [filed, *messages] if filed else messages
        return "\n".join(["---", *head, "---", "", "\n\n".join(body), ""]).encode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Lead:
    """What a listing says of a thread before it is read: enough to choose and to see a change.

    `replies` are those after the first message, `seen` is whatever the platform counts up. `solved`: somebody
    marked it as answered.
    """

    id: str
    last: datetime
    replies: int
    seen: str = ""
    solved: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """At most `threads` of those whose last message is at most `days` old, the answered ones first."""

    days: int
    threads: int

    def since(self, now: datetime) -> datetime:
        """A thread that was silent since then is left out."""
        return now - timedelta(days=self.days)

    def of(self, leads: Iterable[Lead], now: datetime) -> tuple[list[Lead], int]:
        """Those chosen, and how many more there were that are young enough."""
        young = [lead for lead in leads if lead.last >= self.since(now)]
        young.sort(key=lambda lead: (lead.solved, lead.replies > 0, lead.last, lead.id), reverse=True)
        return young[: self.threads], max(0, len(young) - self.threads)


@dataclass(frozen=True, slots=True)
class Again:
    """When a thread in which nothing seems to have happened is read all the same.

    An edited message changes none of a thread's counts. So a thread is read once more each day as long as its last
    message is younger than `young` days, and each `days` days after that, no two threads on the same day.
    """

    young: int = 7
    days: int = 30

    def fingerprint(self, lead: Lead, now: datetime) -> str:
        """Of what the platform says of the thread, and of the day on which it is to be read again."""
        today = int(now.timestamp() // 86_400)
        every = 1 if now - lead.last < timedelta(days=self.young) else self.days
        turn = (today + sum(lead.id.encode()) % every) // every
        return f"{lead.seen}-{lead.replies}-{every}.{turn}"


def _late(before: Said, said: Said) -> str:
    """The day of a message that came long after the one before it: what was true then need not be now."""
    return f" ({said.at:%Y-%m-%d})" if said.at - before.at >= LATE else ""


def _told(said: Said, day: str) -> str:
    """A message under its author's name; what looks like a heading of the document is none."""
    lines = normalise(said.text).strip("\n").split("\n")
    code = fenced([*lines, ""])
    calm = [line if inside else _calm(line) for line, inside in zip(lines, code, strict=False)]
    if code[-1]:  # a fence left open would swallow what the next one says
        mark = _FENCE.search(lines[code.index(code[-1])])
        calm.append(mark[0] if mark else "```")
    gap = "\n\n" if _STARTS_A_BLOCK.match(lines[0]) else " "
    return f"**{_name(said.author)}{day}:**{gap}" + "\n".join(calm)


def _calm(line: str) -> str:
    if _UNDERLINE.fullmatch(line):
        return ""
    heading = _HEADING.fullmatch(line)
    line = f"**{heading[1]}**" if heading else line
    return line.replace("<!--", "&lt;!--")  # a comment would hide what stands up to the next -->


def _name(text: str) -> str:
    return " ".join(_MARKS.sub("", one_line(text)).split())


def _first_line(text: str) -> str:
    """What was asked, as far as the first line tells: not who is greeted, without markup and names of emoji."""
    lines = normalise(text).split("\n")
    prose = [line for line, inside in zip(lines, fenced(lines), strict=True) if not inside]
    told = [said for line in (*prose, *lines) if (said := _unmarked(line))] or [text.strip()]
    first = told[0]
    if len(first) < SHORT and "?" not in first and len(told) > 1:
        first = f"{first} {told[1]}"
    return first if len(first) <= 80 else first[:80].rsplit(" ", 1)[0] + " …"


def _unmarked(line: str) -> str:
    """The words of a line; empty where there are none."""
    words = _MARKUP.sub(lambda found: found["label"] or "", _EMOJI.sub("", line)).strip(" \t>#*-•")
    words = _ADDRESSED.sub("", words).strip()
    return words if any(map(str.isalnum, words)) else ""
