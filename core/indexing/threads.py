"""A thread of a chat as a document: which threads are worth one, which come first, how one reads as Markdown.

The same for every platform. The sources bring posts with names instead of ids and Markdown instead of their
platform's marks; bots' posts are not among them. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from core.indexing.blocks import fenced
from core.indexing.text import normalise, one_line

LONGEST_TITLE = 90
LONG = 400
"""A post of so many characters is worth a document though nobody replied: an announcement, a how-to."""
SHORT = 16
"""A first line shorter than this ("Hi all,") is no title by itself."""
MARKS = frozenset({"white_check_mark", "heavy_check_mark", "ballot_box_with_check", "✅", "✔️", "✔", "☑️"})
"""Reactions that say: this is the answer."""

_ACCEPTING = re.compile(
    r"\b(?:that (?:worked|works|did it|fixed it|helped|solved it)|(?:it|this) (?:works|worked|is fixed) now|works now"
    r"|solved|resolved|fixed it|problem solved|thanks?|thank you|thx|ty|perfect|got it working)\b"
    r"|감사합니다|고맙습니다|감사해요|고마워요|해결됐|해결되었|해결했|해결 완료|잘 됩니다|잘 되네요|됐습니다|되네요",
    re.IGNORECASE,
)
_DENYING = re.compile(
    r"\b(?:not|n't|no|never|still|but|un)(?:\s|-)?\S{0,12}\s?(?:work|fix|solv|resolv|help)|\bin advance\b"
    r"|안 ?되|아직|미리",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*$")
_OPENS_A_BLOCK = re.compile(r" {0,3}(?:```|~~~|>|[-*+][ \t]|\d{1,9}[.)][ \t]|\|)")
_EMOJI = re.compile(r":[a-z][a-z0-9_+'-]*:")
_MARKUP = re.compile(r"\[(?P<label>[^\[\]]*)\]\([^()\s]*\)|\*\*|~~|`+")
_GREETED = re.compile(r"^(?:@\S+[ \t]*[,:]?[ \t]*)+")


class Standing(IntEnum):
    """How far a thread got."""

    OPEN = 0
    REPLIED = 1
    ACCEPTED = 2


@dataclass(frozen=True, slots=True)
class Post:
    """What one person wrote. `by` tells people apart, `name` is shown; `marked`: a reaction says it is the answer."""

    by: str
    name: str
    text: str
    written: datetime
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread as its readers see it now, oldest post first. `title` is what the platform calls it, if anything.

    `asker` is who began it, also when that post is gone or a bot's. `solved`: the platform itself says so.
    """

    posts: tuple[Post, ...]
    title: str = ""
    asker: str = ""
    solved: bool = False


def standing(thread: Thread) -> Standing:
    """Accepted: marked as such, or the asker says so after somebody else's reply. Replied: somebody else spoke."""
    asker = thread.asker or (thread.posts[0].by if thread.posts else "")
    if thread.solved or any(post.marked for post in thread.posts):
        return Standing.ACCEPTED
    replied = False
    for post in thread.posts:
        if post.by != asker:
            replied = True
        elif replied and _accepts(post.text):
            return Standing.ACCEPTED
    return Standing.REPLIED if replied else Standing.OPEN


def is_worth(thread: Thread) -> bool:
    """Whether a search should find it: people talked to each other, or one said a lot."""
    long = any(len(post.text) >= LONG for post in thread.posts)
    opened = bool(thread.title or (thread.posts and thread.posts[0].by == (thread.asker or thread.posts[0].by)))
    # Where the beginning is gone (deleted, or a bot's) one remark alone answers nothing.
    talked = len({post.by for post in thread.posts}) > 1 if opened else len(thread.posts) > 1
    return bool(thread.posts) and (long or talked or thread.solved)


def title_of(thread: Thread) -> str:
    """The platform's title, else the first line of what was asked, shortened at a word."""
    lines = [thread.title] if thread.title.strip() else _lines(thread.posts[0].text if thread.posts else "")
    title = ""
    for line in lines:
        title = f"{title} {line}".strip()
        if len(title) >= SHORT:
            break
    return _shortened(one_line(title))


def document(thread: Thread) -> bytes:
    """The thread as Markdown, its title and days above it; a post begins with its author's name."""
    days = [post.written.date() for post in thread.posts]
    head = ["---", f'title: "{title_of(thread)}"', f"updated: {max(days)}", f"date: {min(days)}", "---"]
    parts, day = [], days[0]
    for post in thread.posts:
        when, day = (f" ({post.written.date()})" if post.written.date() != day else ""), post.written.date()
        text = harmless(post.text)
        between = "\n\n" if _OPENS_A_BLOCK.match(text) else " "
        parts.append(f"**{one_line(post.name)}**{when}:{between}{text}")
    return "\n\n".join(["\n".join(head), *parts]).encode() + b"\n"


def harmless(text: str) -> str:
    """A post that stays within itself: no headings, no fence left open, no comment that swallows the next post."""
    lines = normalise(text).strip("\n").split("\n")
    code = fenced(lines)
    shown: list[str] = []
    for line, inside in zip(lines, code, strict=True):
        if inside:
            shown.append(line)
            continue
        if _UNDERLINE.match(line) and shown and shown[-1].strip():
            shown.append("")  # what stands above it would become a heading
        shown.append(_HEADING.sub(_emphasised, line).replace("<!--", "&lt;!--"))
    if code and code[-1] and _left_open(lines, code):
        shown.append(lines[code.index(code[-1])].strip()[:3])
    return "\n".join(shown)


def chosen(threads: Iterable[tuple[str, Standing, str]], most: int) -> list[str]:
    """The ids of the threads that go in when there are more than `most`: accepted first, then replied, then new."""
    ordered = sorted(threads, key=lambda each: (each[1], each[2], each[0]), reverse=True)
    return [id_ for id_, _, _ in ordered[:most]]


def _emphasised(heading: re.Match[str]) -> str:
    return f"**{heading[1]}**" if heading[1] else ""


def _accepts(text: str) -> bool:
    return bool(_ACCEPTING.search(text)) and not _DENYING.search(text)


def _left_open(lines: Sequence[str], code: Sequence[int]) -> bool:
    first = code.index(code[-1])
    return first == len(lines) - 1 or not re.match(r" {0,3}(?:`{3,}|~{3,})[ \t]*$", lines[-1])


def _lines(text: str) -> list[str]:
    """The lines of prose that may be a title: without code, quotes' marks, who is addressed, emoji names."""
    lines = normalise(text).split("\n")
    prose = [line for line, inside in zip(lines, fenced(lines), strict=True) if not inside]
    for candidates in (prose, lines):
        bare = [_MARKUP.sub(lambda found: found["label"] or "", _EMOJI.sub("", line)) for line in candidates]
        told = [_GREETED.sub("", line.strip(" \t>#*-•")).strip() for line in bare]
        if found := [line for line in told if any(map(str.isalnum, line))]:
            return found
    return []


def _shortened(title: str) -> str:
    if len(title) <= LONGEST_TITLE:
        return title
    cut = title[:LONGEST_TITLE].rpartition(" ")[0] or title[:LONGEST_TITLE]
    return f"{cut.rstrip(' ,;:–-')} …"
