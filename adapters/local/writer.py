"""The keyless writer: an answer made of the documents' own sentences, each with its footnote marker.

It quotes and never composes: what it adds are fixed sentences of `core.wording`. Knows nothing of how
the evidence was found, nor of how a platform shows a footnote.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from adapters.local.direct import direct_reply
from adapters.local.expected import parts
from adapters.local.selection import Asked, Candidate, Selection
from adapters.local.shortening import shortened
from core.documents import Passage, TimeSpan
from core.markers import as_words
from core.ports import Analyzer, Embedder, Evidence, WriteRequest
from core.presenting import listed
from core.rag.outcomes import spoken
from core.retrieval.politeness import plainly
from core.sentences import Unit, units
from core.wording import say

MOST = 3
"""Sentences quoted for one question; two carry the fact nearly as often as three, more hide it."""

_DANGLING = re.compile(
    r"(?:this|that|these|those|it|they|he|she|such|its|their|the (?:latter|former|same)|in (?:this|that) case"
    r"|otherwise|instead|however|but|also|then|so|therefore|for (?:this|that))\b"
    r"|(?:이는|이것|그것|이런|그런|이러한|그러한|이때|그때|[이그] (?:경우|때|기간|값|작업|뒤|후)"
    r"|그러나|하지만|또한|다만|단,|그래서|따라서|해당|이후|이를|이에|이와)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Line:
    """A quoted unit with the number of its evidence."""

    evidence: int
    place: int
    unit: Unit
    text: str


class ExtractiveWriter:
    """Implements `core.ports.Writer` without a language model."""

    def __init__(self, embedder: Embedder, analyzer: Analyzer) -> None:
        self._selection = Selection(embedder, analyzer)
        self._analyzer = analyzer

    async def write(self, request: WriteRequest) -> AsyncIterator[str]:
        """The answer in chunks of a word; on the direct route a short reply."""
        text = await self._quoted(request) if request.evidence else direct_reply(request)
        for chunk in re.findall(r"\s*\S+", text):
            yield chunk

    async def _quoted(self, request: WriteRequest) -> str:
        questions = _questions(request)
        usable = _of_period(request)
        evidence = [each for _, each in usable]
        picked = await self._selection.pick(questions, evidence, max(MOST, len(questions) + 1), request.unsupported)
        numbers = [number for number, _ in usable]
        tokens = frozenset(t for question in questions for t in self._analyzer.tokens(question.text))
        lines = self._lines(picked, evidence, numbers, tokens)
        frame = _frame(request, [request.evidence[line.evidence - 1].passage for line in lines])
        return "\n\n".join(part for part in (frame, _joined(lines)) if part)

    def _lines(
        self, picked: Sequence[Candidate], evidence: Sequence[Evidence], numbers: Sequence[int], asked: frozenset[str]
    ) -> list[_Line]:
        """The picks in reading order, the likeliest document first, with what they can't stand without."""
        order: dict[tuple[str, str], int] = {}
        for each in picked:
            order.setdefault(_document(evidence[each.evidence - 1].passage), len(order))
        places = {(each.evidence, place) for each in picked for place in _needed(each, evidence)}

        def reading(at: tuple[int, int]) -> tuple[int, int, int, int]:
            passage = evidence[at[0] - 1].passage
            return order[_document(passage)], passage.position, at[0], at[1]

        lines = []
        for number, place in sorted(places, key=reading):
            unit = units(evidence[number - 1].passage.text)[place]
            text = as_words(shortened(unit, lambda clause: len(asked.intersection(self._analyzer.tokens(clause)))))
            lines.append(_Line(numbers[number - 1], place, unit, text))
        return lines


def _questions(request: WriteRequest) -> list[Asked]:
    """The sub-questions of the plan, else the parts of the question that ask for something each."""
    if request.plan.steps == "multi" and request.plan.sub_questions:
        return [Asked(question, question) for question in map(plainly, request.plan.sub_questions[:4])]
    question, own = plainly(request.question), plainly(request.asked)
    asked = parts(own)
    if len(asked) > 1:
        return [Asked(f"{question} {part}", part) for part in asked[:3]]
    return [Asked(f"{question} {request.missing}".strip(), own)]


def _document(passage: Passage) -> tuple[str, str]:
    return passage.collection, passage.document_id


def _needed(picked: Candidate, evidence: Sequence[Evidence]) -> list[int]:
    """The pick's place, and the one before it when it begins with a word that points back."""
    every = units(evidence[picked.evidence - 1].passage.text)
    before = every[picked.place - 1] if picked.place else None
    points_back = picked.unit.kind == "sentence" and _DANGLING.match(picked.unit.text)
    if points_back and before and before.kind == "sentence" and len(before.text) <= 300:
        return [picked.place - 1, picked.place]
    return [picked.place]


def _of_period(request: WriteRequest) -> list[tuple[int, Evidence]]:
    """The evidence, by number, that can speak of the time asked about; all of it when none can."""
    every = list(enumerate(request.evidence, start=1))
    period = request.plan.period
    return [each for each in every if period and covers(each[1].passage, period)] or every


def covers(passage: Passage, period: TimeSpan) -> bool:
    """Whether the passage can speak of this time: by its period or date, or by a year in its headings."""
    if passage.period is not None:
        return passage.period.overlaps(period)
    if passage.date is not None and TimeSpan(passage.date, passage.date).overlaps(period):
        return True
    head = " ".join([passage.title, *passage.heading_path])
    years = {str(year) for year in range(period.start.year, min(period.end.year, period.start.year + 20) + 1)}
    return any(re.search(rf"(?<!\d){year}(?!\d)", head) for year in years) or passage.date is None


def _frame(request: WriteRequest, passages: Sequence[Passage]) -> str:
    """The sentence above the quotes: what they are when they are not simply the answer."""
    language, period = request.language, request.plan.period
    if not passages:
        where = listed(request.plan.collections, request.cards, language)
        return say("answer.not_found_at_all", language, collections=where)
    nearest = passages[0]
    if period is not None and not any(covers(passage, period) for passage in passages):
        return say(
            "answer.no_document_of",
            language,
            period=spoken(period),
            title=nearest.title,
            date=nearest.date.isoformat() if nearest.date else "?",
        )
    if request.verdict in ("ambiguous", "incorrect"):
        return say("answer.closest", language)
    if all(passage.language in ("ko", "en") and passage.language != language for passage in passages):
        return say("answer.as_written", language)
    return ""


def _joined(lines: Sequence[_Line]) -> str:
    """Prose runs on, list items and rows stand on lines of their own, fences in theirs."""
    text, last = "", None
    for line in lines:
        text += _between(last, line) if text else ""
        if line.unit.lead and (last is None or (last.unit.lead, last.evidence) != (line.unit.lead, line.evidence)):
            text += line.unit.lead if _ends_with_lead(last, line) is False else ""
            text += "\n" if text else ""
        text += _marked(line)
        last = line
    return text


def _ends_with_lead(last: _Line | None, line: _Line) -> bool:
    return last is not None and last.evidence == line.evidence and last.unit.text == line.unit.lead


def _between(last: _Line | None, line: _Line) -> str:
    if last is None or (
        last.unit.kind == "sentence" and line.unit.kind == "sentence" and last.evidence == line.evidence
    ):
        return " "
    return "\n" if last.unit.kind == line.unit.kind and line.unit.kind in ("item", "row") else "\n\n"


def _marked(line: _Line) -> str:
    marker = f"[{line.evidence}]"
    if line.unit.kind == "fence":
        return f"{line.text}\n{marker}"
    bullet = "- " if line.unit.kind in ("item", "row", "record") else ""
    return f"{bullet}{line.text} {marker}"
