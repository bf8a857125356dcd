"""What stands in one index file after the embedder or the analyzer was changed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from adapters.embedded.index import EmbeddedIndex
from adapters.embedded.mirror import Mirror
from adapters.embedded.schema import connect, transaction
from adapters.local.hashing import HashingEmbedder
from core.errors import ConfigError, StoreError
from core.ports import Analyzer, IndexEntry
from core.retrieval.analysis import BigramAnalyzer
from tests.index.values import EMBEDDER, Index, passage, scope


class Letters:
    """Another analyzer, that shares no token with bigrams."""

    name = "letters-1"

    def tokens(self, text: str) -> list[str]:
        """Whole words, marked."""
        return [f"={word}" for word in text.casefold().split()]


class Gone(Letters):
    """One that is not installed any more."""

    def tokens(self, text: str) -> list[str]:
        """As a missing package does."""
        raise ConfigError("error.morphemes_missing")


class Renamed(HashingEmbedder):
    """A model that was replaced under its name."""

    @property
    def name(self) -> str:
        """As the one before."""
        return EMBEDDER.name


def opened(path: Path, analyzer: Analyzer, *others: Analyzer) -> EmbeddedIndex:
    """The file, for `async with`."""
    return EmbeddedIndex(path, analyzer, others)


def of(index: EmbeddedIndex) -> Index:
    """Its ports."""
    return Index(index.vectors, index.lexical, index.passages)


async def test_a_model_that_was_replaced_under_its_name_is_refused_with_the_remedy(tmp_path: Path) -> None:
    async with opened(tmp_path / "i", BigramAnalyzer()) as index:
        await index.check(EMBEDDER)
        await of(index).put(passage("words"))
        await index.check(EMBEDDER)
        with pytest.raises(StoreError) as caught:
            await index.check(Renamed(128))
    told = caught.value.user_message("en")
    assert "64" in told
    assert "128" in told
    assert "refdesk sync" in told


async def test_the_memory_of_an_embedding_that_is_gone_is_given_back(tmp_path: Path) -> None:
    path, mirror = tmp_path / "i", Mirror()
    async with opened(path, BigramAnalyzer()) as index:
        await of(index).put(passage("words"))
        await index.vectors.upsert("docs", "wide", [IndexEntry(passage("words", version="2"), np.ones(96, np.float32))])
        connection = connect(path)
        with transaction(connection, "DEFERRED"):
            mirror.refresh(connection)
            mirror.load(connection, EMBEDDER.name)
            mirror.load(connection, "wide")
        assert set(mirror.blocks[0].matrices) == {EMBEDDER.name, "wide"}
        await of(index).drop("docs", ("a.md", "1"))
        with transaction(connection, "DEFERRED"):
            mirror.refresh(connection)
        connection.close()
    assert set(mirror.blocks[0].matrices) == set(mirror.has_vector) == {"wide"}


async def test_after_a_change_of_analyzer_passages_are_found_by_their_old_words_until_they_are_read_anew(
    tmp_path: Path,
) -> None:
    first, second = passage("parental leave"), passage("sick leave", "b.md")
    published = scope({"a.md": "1", "b.md": "1"})
    async with opened(tmp_path / "i", Letters()) as index:
        await of(index).put(first, second)
    async with opened(tmp_path / "i", BigramAnalyzer(), Letters()) as index:
        assert await index.read_by() == {"letters-1": 2}
        assert set(await of(index).words(published, "leave")) == {first.id, second.id}
        assert await index.passages.exact(published, ["parental leave"], 5) == [first.id]
        await index.lexical.upsert("docs", EMBEDDER.name, [IndexEntry(first, None)])
        assert await index.read_by() == {"letters-1": 1, "bigram-2": 1}
        assert set(await of(index).words(published, "leave")) == {first.id, second.id}
        await index.lexical.upsert("docs", EMBEDDER.name, [IndexEntry(second, None)])
        assert await index.read_by() == {"bigram-2": 2}
        found = await index.lexical.search(published, "leave", 5)
        assert len(found.hits) == 2
        assert set(found.weights) == set(BigramAnalyzer().tokens("leave"))


async def test_an_analyzer_that_is_not_installed_any_more_is_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(tmp_path / "i", Letters()) as index:
        await of(index).put(passage("parental leave"))
    async with opened(tmp_path / "i", BigramAnalyzer(), Gone()) as index:
        for _ in range(2):
            assert await of(index).words(scope({"a.md": "1"}), "leave") == []
        assert await of(index).meaning(scope({"a.md": "1"}), "parental leave") == [passage("parental leave").id]
    assert caplog.text.count("refdesk sync") == 1
