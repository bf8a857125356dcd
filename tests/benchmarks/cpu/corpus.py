"""What is asked about: ten thousand seeded passages in the embedded index, published in the record. Knows no desk."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from adapters.clock import SystemClock
from adapters.embedded.index import EmbeddedIndex
from adapters.local.use import USEEmbedder
from adapters.sql.database import Database, sqlite_url
from adapters.sql.publisher import SqlPublisher
from bots.places import HANDBOOK
from core.catalog.cards import Cards
from core.catalog.terms import DigestBuilder
from core.documents import DocumentRecord, Generation, Passage, passage_id
from core.ports import IndexEntry, Publication, Vectors
from core.retrieval.analysis import BigramAnalyzer
from core.retrieval.recent import RecentEmbedder
from tests.benchmarks.desks import Ground
from tests.benchmarks.scale import DIMENSION

PASSAGES = 10_000
COLLECTIONS = ("guides", "policies", "runbooks")
_PER_DOCUMENT = 10
_SENTENCES, _SENTENCE = 4, 15
"""Of a passage; words of a sentence."""

_WORD = re.compile(r"[A-Za-z]{2,}|[가-힣]{2,}")


class Texts:
    """Seeded texts of the words of the bundled handbook, the frequent ones often (Zipf's law).

    Real words: an encoder takes an invented one to pieces, which costs several times as much.
    """

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        words = Counter(
            word for page in sorted(HANDBOOK.rglob("*.md")) for word in _WORD.findall(page.read_text("utf-8"))
        )
        self._words = {
            "en": [word for word, _ in words.most_common() if word.isascii()],
            "ko": [word for word, _ in words.most_common() if not word.isascii()],
        }

    def text(self, language: str, words: int) -> str:
        """So many words."""
        vocabulary = self._words[language]
        ranks = 1 / np.arange(1, len(vocabulary) + 1)
        return " ".join(vocabulary[n] for n in self._random.choice(len(vocabulary), words, p=ranks / ranks.sum()))


class TimedEncoder(USEEmbedder):
    """The default embedder; `seconds` of processor time have gone into it."""

    seconds = 0.0

    def _encode(self, parts: Sequence[tuple[str, ...]]) -> list[Vectors]:
        begun = time.thread_time()
        try:
            return super()._encode(parts)
        finally:
            self.seconds += time.thread_time() - begun


@asynccontextmanager
async def ground(folder: Path, encoder: USEEmbedder) -> AsyncIterator[Ground]:
    """The corpus, opened as a desk's ground; it is written when the folder is empty."""
    analyzer, fresh = BigramAnalyzer(), not (folder / "index.sqlite").exists()
    async with (
        Database(sqlite_url(folder / "record.sqlite"), SystemClock()) as database,
        EmbeddedIndex(folder / "index.sqlite", analyzer) as index,
    ):
        await encoder.warm()
        found = Ground(database, index, RecentEmbedder(encoder), analyzer, COLLECTIONS, folder)
        if fresh:
            for number, name in enumerate(COLLECTIONS):
                await _written(found, name, range(number, PASSAGES // _PER_DOCUMENT, len(COLLECTIONS)))
        yield found


async def _written(ground: Ground, collection: str, numbers: range) -> None:
    texts, digest, records = Texts(numbers.start), DigestBuilder(collection), []
    for start in range(0, len(numbers), 50):
        some = numbers[start : start + 50]
        passages = [passage for number in some for passage in _document(collection, number, texts)]
        vectors = _vectors(some[0], len(passages))
        entries = [IndexEntry(passage, row) for passage, row in zip(passages, vectors, strict=True)]
        await ground.index.vectors.upsert(collection, USEEmbedder.name, entries)
        await ground.index.lexical.upsert(collection, USEEmbedder.name, entries)
        for first in passages[::_PER_DOCUMENT]:
            digest.add(first.document_id, first.text)
            records.append(DocumentRecord(first.document_id, "1", "1", first.title, first.language, _PER_DOCUMENT))
    built = digest.build()
    (card,) = await Cards(ground.embedder).make({collection: records}, [built], {}, {})
    documents = {record.id: record.hash for record in records}
    generation = Generation(collection, 1, USEEmbedder.name, documents, card.version, datetime.now(UTC))
    await SqlPublisher(ground.database).publish(Publication(generation, tuple(records), built, (card,)))


def _document(collection: str, number: int, texts: Texts) -> list[Passage]:
    document, language = f"folder/{number:06}.md", "ko" if number % 2 else "en"
    passages = []
    for position in range(_PER_DOCUMENT):
        text = " ".join(f"{texts.text(language, _SENTENCE)}." for _ in range(_SENTENCES))
        key = passage_id(collection, document, (), text, position)
        passages.append(Passage(key, collection, document, "1", f"Page {number}", (), text, position, language))
    return passages


def _vectors(seed: int, count: int) -> Vectors:
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSION), dtype=np.float32)
    found: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


def questions(count: int, seed: int) -> list[str]:
    """Different questions of eight words each."""
    texts = Texts(seed)
    return [texts.text("ko" if number % 2 else "en", 8) + "?" for number in range(count)]
