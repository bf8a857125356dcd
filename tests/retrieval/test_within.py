"""An index that gives more than the scope allows leaks nothing: what comes back is held against the scope again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from adapters.local.hashing import HashingEmbedder
from core.documents import Generation, Passage, Scope
from core.ports import Hits, Vectors
from core.retrieval.analysis import BigramAnalyzer
from core.retrieval.search import Retriever
from tests.retrieval.memory import MemoryIndex, Words, passage, scope_of

ANALYZER = BigramAnalyzer()
EMBEDDER = HashingEmbedder(64)
QUESTION = "What does the XK-4012 bonus mean for salaries?"

OPEN = passage("The XK-4012 bonus is explained in the handbook.", document="bonus.md", collection="handbook")
SECRET = passage("The XK-4012 bonus of Ann is 900.", document="bonus.md", collection="salaries")
OLD = replace(OPEN, id="handbook:0:old", document_hash="before", text="The XK-4012 bonus was 500 before.")
EVERYTHING = scope_of([OPEN, SECRET])
HANDBOOK = EVERYTHING.narrowed(["handbook"])


class Leaky(MemoryIndex):
    """Searches and gives everything it holds, whatever the scope."""

    async def search(self, scope: Scope, vectors: Vectors, limit: int) -> Sequence[Hits]:
        return await super().search(EVERYTHING, vectors, limit)

    async def get(self, scope: Scope, ids: Sequence[str]) -> Mapping[str, Passage]:
        found = await super().get(EVERYTHING, ids)
        # what was asked for, what was not, and another text under an id that was
        return {**found, SECRET.id: SECRET, OLD.id: OLD, "handbook:0:lie": SECRET}

    async def exact(self, scope: Scope, terms: Sequence[str], limit: int) -> Sequence[str]:
        return await super().exact(EVERYTHING, terms, limit)

    def words(self) -> Words:
        return LeakyWords(self)


class LeakyWords(Words):
    """The same of the lexical list."""

    async def search(self, scope: Scope, query: str, limit: int) -> Hits:
        return await super().search(EVERYTHING, query, limit)


@pytest.fixture
async def leaky() -> Retriever:
    rows = [OPEN, SECRET, OLD]
    index = Leaky(rows, await EMBEDDER.embed([each.headed_text for each in rows], "passage"), ANALYZER)
    return Retriever(index, index.words(), index, EMBEDDER, ANALYZER)


async def test_only_what_the_scope_pins_comes_back(leaky: Retriever, caplog: pytest.LogCaptureFixture) -> None:
    found = await leaky.retrieve(HANDBOOK, [QUESTION, "Ann's bonus"], 6)
    assert [each.passage for each in found] == [OPEN]
    assert "outside the scope" in caplog.text
    assert "900" not in caplog.text


async def test_with_the_right_to_read_it_it_is_found(leaky: Retriever) -> None:
    found = await leaky.retrieve(EVERYTHING, [QUESTION, "Ann's bonus"], 6)
    assert {each.passage.id for each in found} == {OPEN.id, SECRET.id}


async def test_a_version_that_is_not_pinned_counts_as_outside(leaky: Retriever) -> None:
    pinned = HANDBOOK.generations[0]
    before = Scope((Generation("handbook", 1, "test", {"bonus.md": "before"}, "1", pinned.published_at),))
    assert [each.passage for each in await leaky.retrieve(before, [QUESTION], 6)] == [OLD]
