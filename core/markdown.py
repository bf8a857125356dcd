"""Long Markdown into messages that each render by themselves, and Markdown to plain text. Pure.

Platforms cap a message's length; a cut may not break a fence, a link, a footnote marker, a table row or
a character that people see as one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_FENCE = re.compile(r"^([ \t>]*)(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_TOKEN = re.compile(
    r"!?\[[^\[\]\n]*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]*\])?(?:[ \t]?\[\d{1,3}\])*"
    r"|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)"
    r"|<[^<>\s][^<>\n]*>|[a-z][a-z0-9+.-]*://\S+|\*\*\S[^*\n]*\*\*",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。？！…][\"'”’)\]]*(?:[ \t]*\[\d{1,3}\])*[ \t]+")
_ZERO_WIDTH_JOINER = "\u200d"


def split(text: str, limit: int) -> list[str]:
    """`text` in parts of at most `limit` characters; a fence that is cut is closed and opened again.

    Cuts at blank lines, else at lines, else after sentences, else between words, and only then inside a
    word, but never inside a grapheme that fits. Raises ValueError for a limit below 1.
    """
    if limit < 1:
        raise ValueError(limit)
    parts: list[str] = []
    fence = ""
    while text.strip():
        text = text if fence else text.lstrip("\n")
        part, text, fence = _take(text, limit, fence)
        if part.strip():
            parts.append(part)
    return parts


def plain(text: str) -> str:
    """Markdown without its marks, for notifications and terminals; footnote markers stay."""
    lines = [line for line in text.splitlines() if not _FENCE.match(line)]
    body = "\n".join(re.sub(r"^\s{0,3}(?:#{1,6}\s+|>\s?)", "", line) for line in lines)
    body = re.sub(r"!?\[([^\[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)", r"\1", body)
    body = re.sub(r"<((?:https?|mailto):[^<>\s]+)>", r"\1", body)
    body = re.sub(r"(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1", r"\2", body)
    body = re.sub(r"(?<![\w*])([*_])(?=\S)([^*_\n]+?)(?<=\S)\1(?![\w*])", r"\2", body)
    return re.sub(r"(?<!`)(`+)(?!`)([^\n]*?)(?<!`)\1(?!`)", lambda m: m[2].strip(), body).strip()


def breakable(text: str, at: int) -> bool:
    """Whether a cut before ``text[at]`` leaves every grapheme whole."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if before + after == "\r\n" or _ZERO_WIDTH_JOINER in (before, after):
        return False
    if unicodedata.category(after) in ("Mn", "Me", "Mc") or _extends(after):
        return False
    if _is_flag(after) and _is_flag(before):
        run = 0
        while run < at and _is_flag(text[at - 1 - run]):
            run += 1
        return run % 2 == 0
    return not (_is_jamo(before) and "\u1160" <= after <= "\u11ff")


def _extends(character: str) -> bool:
    code = ord(character)
    return 0xFE00 <= code <= 0xFE0F or 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F


def _is_flag(character: str) -> bool:
    return 0x1F1E6 <= ord(character) <= 0x1F1FF


def _is_jamo(character: str) -> bool:
    return "\u1100" <= character <= "\u11ff"


def _take(text: str, limit: int, fence: str) -> tuple[str, str, str]:
    """One part, what is left, and the fence that is still open (its opening line)."""
    head = f"{fence}\n" if fence else ""
    if len(head) + len(text) <= limit:
        return head + text.rstrip(), "", ""
    room = limit - len(head)
    cut = _cut(text, room, fence)
    still = _open_fence(text[:cut], fence)
    if still:
        tail = "\n" + _mark(still)
        cut = _cut(text, room - len(tail), fence)
        still = _open_fence(text[:cut], fence)
        if not still:
            tail = ""
        if room - len(tail) < 1 or not cut:
            return _hard(text, limit)
        return head + text[:cut].rstrip("\n") + tail, text[cut:].removeprefix("\n"), _reopened(still, limit)
    return head + text[:cut].rstrip(), text[cut:], ""


def _hard(text: str, limit: int) -> tuple[str, str, str]:
    """Room for no fence: cut as plain text."""
    cut = _grapheme_cut(text, limit)
    return text[:cut], text[cut:], ""


def _open_fence(text: str, fence: str) -> str:
    """The opening line of the fence that is open at the end of `text`, empty when none is."""
    for line in text.splitlines():
        match = _FENCE.match(line)
        if match is None:
            continue
        if not fence:
            fence = line.strip()
        elif not match[3] and match[2].startswith(_mark(fence)):
            fence = ""
    return fence


def _mark(fence: str) -> str:
    match = re.search(r"`{3,}|~{3,}", fence)
    return match.group() if match else "```"


def _reopened(fence: str, limit: int) -> str:
    """The opening line to repeat: mark and language, without further words."""
    mark = _mark(fence)
    language = (fence.partition(mark)[2].split() or [""])[0]
    return mark + language if 2 * len(mark) + len(language) + 2 < limit // 2 else mark


def _cut(text: str, room: int, fence: str) -> int:
    """Where to cut so that at most `room` characters come first; 0 when there is no room."""
    if room < 1:
        return 0
    if len(text) <= room:
        return len(text)
    window = text[: room + 1]
    for candidate in _candidates(window, room, fence):
        if 0 < candidate <= room and _whole(text, candidate, room):
            return candidate
    return _grapheme_cut(text, room)


def _candidates(window: str, room: int, fence: str) -> Iterator[int]:
    """Places to cut, best first."""
    blank = window.rfind("\n\n", room // 3, room)
    if blank > 0 and not fence and not _open_fence(window[:blank], ""):
        yield blank + 1
    line = window.rfind("\n", 1, room)
    while line > 0:
        if not _FENCE.match(window[:line].rpartition("\n")[2]) or _open_fence(window[:line], fence) == "":
            yield line + 1
        line = window.rfind("\n", 1, line)
        if line < room // 4:
            break
    yield from reversed([end.end() for end in _SENTENCE_END.finditer(window, room // 3, room)])
    yield from reversed([space.end() for space in re.finditer(r"[ \t]+", window[:room])])
    yield from reversed([token.start() for token in _TOKEN.finditer(window) if token.start() > 0])


def _whole(text: str, at: int, room: int) -> bool:
    """No link, marker, code span or grapheme that would fit into one part is cut at `at`."""
    line_start = text.rfind("\n", 0, at) + 1
    line_end = text.find("\n", at)
    line = text[line_start : len(text) if line_end < 0 else line_end]
    inside = at - line_start
    for token in _TOKEN.finditer(line[: inside + room]):
        if token.start() < inside < token.end() and token.end() - token.start() <= room:
            return False
    if line.lstrip().startswith("|") and inside > 0 and len(line) <= room:
        return False
    return breakable(text, at)


def _grapheme_cut(text: str, room: int) -> int:
    for at in range(room, max(0, room - 64), -1):
        if breakable(text, at):
            return at
    return room
