"""The window of a session's history that fits into a run. Pure; knows no store and no model."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from core.access_answers import rests_on, worded_from
from core.citations import without_markers
from core.documents import Readable
from core.messages import Exchange, Turn

_SENTENCE_END = re.compile(r"[.!?。！？…]+[\"'”’)\]]*(?=\s)|\n")
_ELLIPSIS = "…"
_JOINERS = "\u200d\ufe0e\ufe0f\u20e3"


def exchange(turn: Turn) -> Exchange | None:
    """What later turns may know of this one; None unless it was answered."""
    answer = turn.answer
    if turn.status != "answered" or answer is None:
        return None
    plan = answer.plan
    return Exchange(
        question=turn.question,
        standalone=plan.question if plan else turn.question,
        answer=without_markers(answer.text),
        route=plan.route if plan else "collections",
        titles=tuple(dict.fromkeys(c.title for c in answer.citations)),
        collections=tuple(sorted(rests_on(answer))),
        planned_with=tuple(sorted(worded_from(answer))),
        asked_at=turn.created_at,
    )


def window(exchanges: Sequence[Exchange], turns: int, characters: int) -> tuple[Exchange, ...]:
    """The newest `turns` exchanges that fit into `characters`, oldest first.

    The newest is always there, shortened if it must be; an older one is there whole or not at all, and
    never without those after it.
    """
    if not exchanges or turns < 1:
        return ()
    newest = _fitted(exchanges[-1], characters)
    kept, left = [newest], characters - _size(newest)
    for older in reversed(exchanges[max(0, len(exchanges) - turns) : -1]):
        left -= _size(older)
        if left < 0:
            break
        kept.append(older)
    return tuple(reversed(kept))


def since_pause(exchanges: Sequence[Exchange], now: datetime, pause: timedelta) -> tuple[Exchange, ...]:
    """Those after the last silence longer than `pause`: in a direct message it begins a new subject."""
    later, kept = now, list[Exchange]()
    for past in reversed(exchanges):
        if past.asked_at is None or later - past.asked_at > pause:
            break
        kept.append(past)
        later = past.asked_at
    return tuple(reversed(kept))


def readable_only(exchanges: Sequence[Exchange], readable: Readable) -> tuple[Exchange, ...]:
    """Those that rest on nothing else than what may be read now: access may have changed since.

    A question that was worded with more than that counts as it was asked.
    """
    here = readable.collections
    kept = (past for past in exchanges if here.issuperset(past.collections))
    return tuple(past if here.issuperset(past.planned_with) else _as_asked(past) for past in kept)


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters: cut after a sentence, else between words, else between graphemes."""
    if len(text) <= limit:
        return text
    room = limit - len(_ELLIPSIS)
    if room <= 0:
        return _ELLIPSIS[: max(limit, 0)]
    sentences = [match.end() for match in _SENTENCE_END.finditer(text, 0, room + 1) if match.end() <= room]
    if sentences and sentences[-1] >= room // 2:
        return text[: sentences[-1]].rstrip() + _ELLIPSIS
    space = max(text.rfind(" ", 0, room + 1), text.rfind("\n", 0, room + 1))
    cut = space if space >= room // 2 else _grapheme_boundary(text, room)
    return text[:cut].rstrip() + _ELLIPSIS


def _as_asked(past: Exchange) -> Exchange:
    return replace(past, standalone=past.question)


def _fitted(newest: Exchange, characters: int) -> Exchange:
    """The newest exchange within the limit: its answer gives way first, its questions only when they are long."""
    if _size(newest) <= characters:
        return newest
    asked = shortened(newest.question, characters // 4)
    standalone = asked if newest.standalone == newest.question else shortened(newest.standalone, characters // 4)
    fitted = replace(newest, question=asked, standalone=standalone, answer="")
    return replace(fitted, answer=shortened(newest.answer, characters - _size(fitted)))


def _size(past: Exchange) -> int:
    rewritten = 0 if past.standalone == past.question else len(past.standalone)
    return len(past.question) + rewritten + len(past.answer)


def _grapheme_boundary(text: str, at: int) -> int:
    """The nearest place at or before `at` that does not tear what people see as one character."""
    while at > 0 and _joined(text[at - 1], text[at]):
        at -= 1
    if at > 0 and _regional(text[at - 1]) and _regional(text[at]):
        run = at
        while run > 0 and _regional(text[run - 1]):
            run -= 1
        at -= (at - run) % 2  # flags are pairs, counted from where the run of them starts
    return at


def _joined(before: str, after: str) -> bool:
    return (
        unicodedata.category(after).startswith("M")
        or after in _JOINERS
        or before == "\u200d"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or "\U000e0020" <= after <= "\U000e007f"
        or "\u1160" <= after <= "\u11ff"  # Hangul vowels and finals written apart
        or (before == "\r" and after == "\n")
    )


def _regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
