"""What the routing benchmarks ask and what they make Cards of: three public corpora, small talk, world questions.

A question is a heading of a section, or was typed by somebody who had the section before them. Strings that stand
in two places have no right answer and are left out. Knows no planner.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from core.catalog.cards import Cards
from core.catalog.holding import held_back
from core.catalog.phrases import folded
from core.catalog.terms import DigestBuilder
from core.documents import Card, Digest, DocumentRecord
from core.ports import Embedder

CORPORA = {"helm": ("en", "ko"), "fastapi": ("en", "ko"), "handbook18f": ("en",)}
SMALL_TALK_TEXT = (
    "greeting thank_you goodbye how_old_are_you what_can_i_ask_you fun_fact where_are_you_from what_is_your_name"
    " tell_joke are_you_a_bot who_made_you meaning_of_life yes no maybe"
)
SMALL_TALK = frozenset(SMALL_TALK_TEXT.split())
TODAY = date(2026, 11, 30)
EVERY = 3
"""Of small talk and world questions every third row is asked, so that they don't outweigh the questions; training
sees the others."""

T = TypeVar("T")

TYPED = Path(__file__).parent / "training"


@dataclass(frozen=True, slots=True)
class Case:
    """One message and where it belongs: one of some collections, `direct` or `web`; `corpus` is where it is from."""

    text: str
    right: tuple[str, ...]
    half: int = 0
    corpus: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One section of a corpus: where it stands, and its text without headings."""

    corpus: str
    language: str
    id: str
    document: str
    title: str
    heading: str
    level: int
    text: str

    @property
    def folder(self) -> str:
        """The folder of its document; empty at the top."""
        parent = str(PurePosixPath(self.document).parent)
        return "" if parent == "." else parent


Place = Callable[[str, str], str]
"""Corpus and document to the name of a collection."""


def by_corpus(corpus: str, document: str) -> str:
    """One collection for each corpus."""
    return corpus


def read_sections(data: Path) -> list[Section]:
    """All sections of the three corpora."""
    found = []
    for corpus, languages in CORPORA.items():
        for language in languages:
            for row in _rows(data / "corpora" / corpus / language / "sections.jsonl"):
                title, heading = row["doc_title"] or row["doc"], (row["heading"] or "").strip()
                found.append(
                    Section(corpus, language, row["_id"], row["doc"], title, heading, row["level"], row["text"])
                )
    return found


def headings(data: Path, sections: Sequence[Section], place: Place = by_corpus) -> list[Case]:
    """Headings as questions: each string once, none that stands in two collections or in both halves."""
    found: dict[str, dict[tuple[str, int], str]] = defaultdict(dict)
    for corpus in ("helm", "fastapi"):
        for row in _rows(data / "corpora" / corpus / "heading_queries.jsonl"):
            where = place(corpus, document_of(row["qid"])), half_of(row["qid"])
            for text in (row["en"], row["ko"]):
                if text:
                    found[text.strip()][where] = corpus
    for section in sections:
        if section.corpus == "handbook18f" and section.heading and section.level > 1:
            found[section.heading][place(section.corpus, section.document), half_of(section.id)] = "handbook18f"
    single = ((text, next(iter(places.items()))) for text, places in found.items() if len(places) == 1)
    return [Case(text, (collection,), half, corpus) for text, ((collection, half), corpus) in single]


def typed(place: Place = by_corpus) -> list[Case]:
    """Questions as colleagues type them, written for this project; those that no section answers name the corpus."""
    cases = []
    for path in sorted(TYPED.glob("*.jsonl")):
        for row in _rows(path):
            golds = sorted({place(row["corpus"], document_of(gold)) for gold in row["gold"]})
            if row["corpus"] in CORPORA and (golds or place is by_corpus):
                right = tuple(golds) or (row["corpus"],)
                cases.append(Case(row["question"], right, corpus=row["corpus"]))
    return cases


def small_talk(data: Path) -> list[Case]:
    """Korean chit-chat and the small-talk intents of an English assistant, a third of each."""
    return [Case(text, ("direct",)) for part in _small_talk(data) for text in part[::EVERY]]


def taught_small_talk(data: Path) -> list[Case]:
    """The other two thirds, for training."""
    return [Case(text, ("direct",)) for part in _small_talk(data) for text in _others(part)]


def world(data: Path, name: str = "web_en") -> list[Case]:
    """Questions about the world outside, which no team's documents answer, a third of them."""
    return [Case(row["question"], ("web",)) for row in _rows(data / "routing" / f"{name}.jsonl")[::EVERY]]


def taught_world(data: Path) -> list[Case]:
    """The other two thirds, for training."""
    return [Case(row["question"], ("web",)) for row in _others(_rows(data / "routing" / "web_en.jsonl"))]


def _small_talk(data: Path) -> tuple[list[str], list[str]]:
    korean = [row["q"] for row in _rows(data / "routing" / "chitchat_ko.jsonl")]
    clinc = _rows(data / "routing" / "clinc150_small.jsonl")
    return korean, [row["text"] for row in clinc if row["intent"] in SMALL_TALK]


def _others(rows: Sequence[T]) -> list[T]:
    return [row for place, row in enumerate(rows) if place % EVERY]


def of_other_teams(data: Path) -> list[Case]:
    """Questions asked of other organisations' documents, as asked in a conversation and as written out."""
    rows = [row for row in _rows(data / "mtrag" / "mtrag_queries.jsonl") if row["domain"] != "clapnq"]  # Wikipedia
    texts = dict.fromkeys(text for row in rows for text in (row["last_turn"], row["rewrite"]) if text)
    return [Case(text, ()) for text in texts]


async def make_cards(
    embedder: Embedder,
    sections: Sequence[Section],
    place: Place = by_corpus,
    without: frozenset[str] = frozenset(),
    previous: Sequence[Card] = (),
) -> list[Card]:
    """Cards as a sync makes them, from these sections, with no heading that is in `without`."""
    records, digests = described(sections, place, without)
    return await Cards(embedder).make(records, digests, {}, {}, previous)


def described(
    sections: Sequence[Section], place: Place = by_corpus, without: frozenset[str] = frozenset()
) -> tuple[dict[str, list[DocumentRecord]], list[Digest]]:
    """What a sync makes Cards of: the records of each collection's documents, and the statistics of its texts."""
    documents: dict[tuple[str, str, str], list[Section]] = defaultdict(list)
    for section in sections:
        documents[section.corpus, section.language, section.document].append(section)
    records: dict[str, list[DocumentRecord]] = defaultdict(list)
    texts: dict[str, dict[str, list[Section]]] = defaultdict(dict)
    for (corpus, language, document), own in documents.items():
        collection, id_ = place(corpus, document), f"{corpus}/{language}/{document}"
        found = tuple(s.heading for s in own if s.heading and s.heading not in without)
        records[collection].append(DocumentRecord(id_, "", "", own[0].title, language, len(own), headings=found))
        texts[collection][id_] = own
    return dict(records), [_statistics(name, records[name], texts[name], without) for name in sorted(records)]


def _statistics(
    name: str, records: Sequence[DocumentRecord], texts: Mapping[str, Sequence[Section]], without: frozenset[str]
) -> Digest:
    """As a sync counts: nothing below a heading that is held back for the self-test."""
    builder, held = DigestBuilder(name), frozenset(map(folded, held_back(records)))
    for id_, own in texts.items():
        seen = [section for section in own if held.isdisjoint((folded(section.title), folded(section.heading)))]
        headings = [section.heading for section in seen if section.heading not in without]
        if seen:
            builder.add(id_, "\n".join([seen[0].title, *headings, *(section.text for section in seen)]))
    return builder.build()


def thirty(sections: Sequence[Section], count: int = 30) -> Place:
    """The corpora split by folder, in `count` collections.

    Each folder is a collection, with its documents in both languages, until there are too many: then the smallest
    is merged into the nearest folder above it that is still one, or, where there is none, into the smallest other
    of its corpus. No folder is divided.
    """
    sizes = Counter((section.corpus, section.folder) for section in sections)
    home = {key: key for key in sizes}
    while len(sizes) > count:
        smallest = min(sizes, key=lambda key: (sizes[key], key))
        target = _parent(smallest, sizes)
        sizes[target] += sizes.pop(smallest)
        home = {key: target if at == smallest else at for key, at in home.items()}
    names = {key: "-".join((at[0], *at[1].split("/"))).rstrip("-") for key, at in home.items()}

    def place(corpus: str, document: str) -> str:
        parent = str(PurePosixPath(document).parent)
        return names[corpus, "" if parent == "." else parent]

    return place


def _parent(key: tuple[str, str], sizes: Mapping[tuple[str, str], int]) -> tuple[str, str]:
    corpus, folder = key
    above = folder
    while above:
        above = above.rpartition("/")[0]
        if above and (corpus, above) in sizes:
            return corpus, above
    others = (other for other in sizes if other[0] == corpus and other != key)
    return min(others, key=lambda other: (sizes[other], other))


def document_of(section: str) -> str:
    """The document of a section's id."""
    return section.partition("#")[0]


def half_of(section: str) -> int:
    """0 or 1, the same for a section in both languages."""
    return hashlib.blake2b(section.encode(), digest_size=1).digest()[0] & 1


def lot(text: str, count: int) -> int:
    """A number below `count`, the same for the same text."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big") % count


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
