"""Sentences with a passage that supports them or does not, from edited summaries, Korean inference, real answers.

What the support check is fitted on and measured by. Three kinds: `en`, `ko`, and `foreign` (the sentence in
the other language, from documentation that exists in both).
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.documents import Passage
from core.evaluation.datasets import articles as corpus
from core.evaluation.datasets import conversations, inferences, readings, sections, summaries
from core.indexing.text import sentences
from core.sentences import units
from tests.retrieval.memory import passage

COMPANY = 5
"""Other passages that a real passage stands among."""


@dataclass(frozen=True, slots=True)
class Pair:
    """`case` is what is judged as a whole (a summary by its least supported sentence); groups are never torn apart."""

    part: str
    kind: str
    group: str
    case: str
    sentence: str
    passage: Passage
    supported: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Answered:
    """A sentence of a real answer, the passage that it rests on, and others on near-alike subjects."""

    group: str
    sentence: str
    right: Passage
    others: tuple[Passage, ...]


def edited(data: Path) -> Iterator[Pair]:
    """SummEdits: sentences of an inconsistent summary that stand in a consistent one are known to be right."""
    rows = summaries(data)
    right: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.consistent:
            right[row.document].update(sentences(row.summary))
    for row in rows:
        said = sentences(row.summary)
        changed = [s for s in said if row.consistent or s not in right[row.document]]
        group = re.sub(r"_(?:og|\d+)$", "", row.id)
        text = passage(row.document, document=group, collection=row.domain)
        for sentence in said:
            weight = 1 / len(changed) if sentence in changed else 0.0
            yield Pair("SummEdits", "en", group, row.id, sentence, text, row.consistent, weight)


def korean(data: Path) -> Iterator[Pair]:
    """KLUE-NLI as it is."""
    for place, row in enumerate(inferences(data)):
        text = passage(row.premise, document=row.premise[:40], language="ko")
        yield Pair("KLUE", "ko", row.premise, str(place), row.hypothesis, text, row.label == "entailment")


def korean_in_company(data: Path) -> Iterator[Pair]:
    """The same among other premises, as in a real passage; and against these alone, which support nothing."""
    rows = inferences(data)
    premises = sorted({row.premise for row in rows}, key=chance)
    places = {premise: place for place, premise in enumerate(premises)}
    for number, row in enumerate(rows):
        if number % 2:
            continue
        at = places[row.premise]
        near = [premises[(at + step) % len(premises)] for step in range(1, COMPANY)]
        mixed = sorted([*near, row.premise], key=lambda text: chance(text + row.hypothesis))
        whole = passage("\n\n".join(mixed), document=row.premise[:40], language="ko")
        yield Pair(
            "KLUE among others", "ko", row.premise, f"m{number}", row.hypothesis, whole, row.label == "entailment", 0.7
        )
        if row.label == "entailment":
            others = passage("\n\n".join(near), document=near[0][:40], language="ko")
            yield Pair("KLUE elsewhere", "ko", row.premise, f"o{number}", row.hypothesis, others, supported=False)


def answered(data: Path) -> Iterator[Answered]:
    """Answers people wrote from one passage (CLAPnq, MTRAG-UN), beside other passages on near-alike subjects."""
    read = [row for row in readings(data) if row.answerable and row.answer]
    texts = [passage(row.passage, document=row.id, title=row.title, collection="clapnq") for row in read]
    for row, right in zip(read, texts, strict=True):
        others = _nearest(right, texts)
        for sentence in sentences(row.answer):
            yield Answered(row.id, sentence, right, others)
    pool = {
        each.id: passage(each.text, document=each.id, title=each.title, collection=each.domain)
        for each in corpus(data, "mtrag")
    }
    for turn in conversations(data):
        known = [pool[gold] for gold in turn.gold if gold in pool]
        if len(known) != 1 or len(turn.gold) != 1 or turn.answerability != "ANSWERABLE":
            continue
        others = _nearest(known[0], [each for each in pool.values() if each.collection == known[0].collection])
        for sentence in sentences(turn.answer):
            yield Answered(turn.id, sentence, known[0], others)


def natural(data: Path) -> Iterator[Pair]:
    """Every sentence of a real answer with its passage, and with one of the others."""
    for number, row in enumerate(answered(data)):
        case = f"{row.group}/{number}"
        yield Pair("answers", "en", row.group, case, row.sentence, row.right, supported=True)
        if row.others:
            other = row.others[number % len(row.others)]
            yield Pair("answers elsewhere", "en", row.group, case + "x", row.sentence, other, supported=False)


def translated(data: Path) -> Iterator[Pair]:
    """Documentation in both languages: a sentence against its own section in the other one, and another there."""
    for name in ("fastapi", "helm"):
        both = {language: {s.id: s for s in sections(data, name, language)} for language in ("en", "ko")}
        ids = sorted(set(both["en"]) & set(both["ko"]), key=chance)[:260]
        for place, id in enumerate(ids):
            language, other = ("en", "ko") if place % 2 else ("ko", "en")
            chosen = [
                u.text for u in units(both[language][id].text) if u.kind == "sentence" and 40 <= len(u.text) <= 260
            ]
            if not chosen or both["ko"][id].text == both["en"][id].text:
                continue
            sentence = min(chosen, key=chance)
            wrong = ids[(place + 2) % len(ids)]
            for gold, right in ((id, True), (wrong, False)):
                section = both[other][gold]
                text = passage(section.text[:1500], document=section.document, language=other, title=section.title)
                yield Pair(f"{name} translated", "foreign", f"{name}/{id}", f"{id}/{right}", sentence, text, right)
            if re.search(r"\d", sentence):
                section = both[other][id]
                text = passage(section.text[:1500], document=section.document, language=other, title=section.title)
                changed = re.sub(r"\d", lambda m: str((int(m[0]) + 3) % 10), sentence)
                yield Pair("translated, number changed", "foreign", f"{name}/{id}", f"{id}/n", changed, text, False)


def _nearest(one: Passage, pool: Sequence[Passage]) -> tuple[Passage, ...]:
    """Those that share the most words with it: what retrieval would have brought beside it."""
    mine = _words(one.text)
    others = [each for each in pool if each.document_id != one.document_id and each.text != one.text]
    ranked = sorted(others, key=lambda each: -len(mine & _words(each.text)) / (len(_words(each.text)) + 40))
    return tuple(ranked[:COMPANY])


_SEEN: dict[str, frozenset[str]] = {}


def _words(text: str) -> frozenset[str]:
    if text not in _SEEN:
        _SEEN[text] = frozenset(word for word in re.findall(r"\w+", text.casefold()) if len(word) > 3)
    return _SEEN[text]


def chance(text: str) -> int:
    """A large number that only depends on the text: chance that can be repeated."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)
