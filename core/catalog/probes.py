"""The questions of the router's self-test, made of headings that the Cards have not seen; pure and always the same.

Never made of sentences of the documents, whose words would give the collection away. Headings that several
collections share have no right answer and are not asked.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Literal

from core.catalog.faq import asks
from core.catalog.holding import MOST, says_something
from core.catalog.phrases import distinct, folded
from core.catalog.samples import OUTSIDE_SAMPLES, TALK_SAMPLES, Samples
from core.catalog.tested import OUTSIDE, TALK, Kind, Probe
from core.documents import Card
from core.retrieval.language import question_language

# Most are asked as they stand: words around a heading make a planner's vector of them look like one another's.
_FORMS: Mapping[str, tuple[str, ...]] = {
    "en": ("{}", "{}", "{}", "{}", "how does {} work?", "tell me about {}"),
    "ko": ("{}", "{}", "{}", "{}", "{} 방법이 뭐야?", "{}에 대해 알려 줘"),
}


def probes(cards: Sequence[Card], most: int = MOST) -> tuple[Probe, ...]:
    """All questions about these Cards: of the headings that each holds back, small talk, and out of scope."""
    known = {card.collection: (*card.titles, *card.headings, *card.examples) for card in cards}
    held = {card.collection: card.held for card in cards}
    languages = {card.collection: usual_language(card.languages) for card in cards}
    asked = collection_probes(held, known, languages)
    return (*interleaved(asked, most), *sampled(most))


def collection_probes(
    headings: Mapping[str, Sequence[str]],
    known: Mapping[str, Iterable[str]] | None = None,
    languages: Mapping[str, Literal["ko", "en"]] | None = None,
) -> dict[str, tuple[Probe, ...]]:
    """One question for each telling heading that is of one collection alone; `known` are further phrases of each.

    `languages` says in which language to ask where a heading itself doesn't.
    """
    phrases = {name: {*map(folded, own), *map(folded, (known or {}).get(name, ()))} for name, own in headings.items()}
    shared = Counter(chain.from_iterable(phrases.values()))
    return {
        name: tuple(
            _probe(name, heading, (languages or {}).get(name, "en"))
            for heading in distinct(own)
            if says_something(heading) and shared[folded(heading)] == 1
        )
        for name, own in headings.items()
    }


def interleaved(asked: Mapping[str, Sequence[Probe]], most: int = MOST) -> list[Probe]:
    """At most so many of each, in turn: whoever has to stop early has asked about all of them."""
    turns = zip_longest(*(asked[name][:most] for name in sorted(asked)))
    return [probe for turn in turns for probe in turn if probe is not None]


def sampled(most: int = MOST) -> tuple[Probe, ...]:
    """Small talk and questions out of scope in turn, at most so many of each, English and Korean."""
    kinds: tuple[tuple[Kind, str, Samples], ...] = (
        ("talk", TALK, TALK_SAMPLES),
        ("outside", OUTSIDE, OUTSIDE_SAMPLES),
    )
    rows = [
        [Probe(text, kind, right, language) for language, text in _evenly(samples, most)]
        for kind, right, samples in kinds
    ]
    return tuple(probe for turn in zip_longest(*rows) for probe in turn if probe is not None)


def _evenly(samples: Samples, most: int) -> Samples:
    """From all parts of the list, whose halves are in two languages."""
    step = max(1.0, len(samples) / most)
    return tuple(samples[int(place * step)] for place in range(min(len(samples), most)))


def usual_language(languages: Mapping[str, int]) -> Literal["ko", "en"]:
    """The language of most documents."""
    return "ko" if languages.get("ko", 0) > sum(languages.values()) / 2 else "en"


def _probe(collection: str, heading: str, usual: Literal["ko", "en"]) -> Probe:
    language: Literal["ko", "en"] = "ko" if question_language(heading) == "ko" else usual
    forms = _FORMS[language]
    form = "{}" if asks(heading) else forms[_lot(heading) % len(forms)]
    return Probe(form.format(heading), "collection", collection, language, heading)


def _lot(heading: str) -> int:
    return hashlib.blake2b(folded(heading).encode(), digest_size=1).digest()[0]
