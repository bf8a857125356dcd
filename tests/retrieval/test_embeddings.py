"""Who embeds a question, and how lists of several embedders become one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.local.hashing import HashingEmbedder
from core.errors import ConfigError, UpstreamError
from core.ports import Embedder, Hit, Hits, Moments, Vectors
from core.retrieval.embeddings import Embeddings
from core.retrieval.merging import merged

CURRENT = HashingEmbedder(64)


class Opening:
    """Opens the embedder of 128 dimensions; counts."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self.asked: list[str] = []
        self._embedder = embedder or HashingEmbedder(128)

    async def __call__(self, name: str) -> Embedder:
        """Or raises."""
        self.asked.append(name)
        if name != self._embedder.name:
            raise ConfigError("error.embedding_unknown", embedding=name)
        return self._embedder


class Broken(HashingEmbedder):
    """Fails as told."""

    def __init__(self, error: Exception | None) -> None:
        super().__init__(128)
        self.error = error

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        """Or hangs."""
        if self.error is None:
            await asyncio.sleep(60)
            raise AssertionError("nobody waits so long")
        raise self.error


async def test_the_configured_embedder_is_asked_and_nobody_is_opened() -> None:
    opening = Opening()
    rows = await Embeddings(CURRENT, "hashing-64+lead1", opening).rows("hashing-64+lead1", ["one", "two"])
    assert rows is not None
    assert rows.shape == (2, 64)
    assert opening.asked == []


async def test_another_is_opened_once() -> None:
    opening = Opening()
    embeddings = Embeddings(CURRENT, CURRENT.name, opening)
    found = await asyncio.gather(*(embeddings.rows("hashing-128", ["one"]) for _ in range(5)))
    assert [rows.shape if rows is not None else None for rows in found] == [(1, 128)] * 5
    assert opening.asked == ["hashing-128"]
    assert await embeddings.why_not("hashing-128") is None


async def test_one_that_nobody_knows_is_not_tried_with_every_question() -> None:
    opening = Opening()
    embeddings = Embeddings(CURRENT, CURRENT.name, opening)
    assert [await embeddings.rows("gone", ["one"]) for _ in range(3)] == [None, None, None]
    assert opening.asked == ["gone"]
    why = await embeddings.why_not("gone")
    assert why is not None
    assert "gone" in why.user_message("en")


@pytest.mark.parametrize("error", [UpstreamError(), ValueError("a bug"), None])
async def test_one_that_fails_or_hangs_leaves_the_words(error: Exception | None) -> None:
    embeddings = Embeddings(CURRENT, CURRENT.name, Opening(Broken(error)), patience=0.05)
    assert await embeddings.rows("hashing-128", ["one"]) is None


async def test_the_configured_one_still_raises_what_it_raises() -> None:
    with pytest.raises(UpstreamError):
        await Embeddings(Broken(UpstreamError()), "hashing-128", Opening()).rows("hashing-128", ["one"])


def hits(collection: str, mean: float, deviation: float, scores: Sequence[float]) -> Hits:
    """A list whose passages are named by their place."""
    found = [Hit(f"{collection}:{n}", collection, f"{n}.md", "h", "en", score) for n, score in enumerate(scores)]
    return Hits(tuple(found), {"en": Moments(mean, deviation, 100)})


@settings(deadline=None)
@given(
    st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=8),
    st.floats(0.01, 0.5),
    st.floats(-0.5, 0.5),
)
def test_a_score_keeps_its_distance_from_the_mean_of_its_own_list(
    distances: list[float], deviation: float, mean: float
) -> None:
    one = hits("one", 0.3, 0.1, [0.3 + 0.1 * d for d in distances])
    two = hits("two", mean, deviation, [mean + deviation * d for d in distances])
    together = merged([one, two], 100)
    scale = together.moments["en"]
    found = {hit.passage_id: (hit.score - scale.mean) / scale.deviation for hit in together.hits}
    for place, distance in enumerate(distances):
        assert found[f"one:{place}"] == pytest.approx(distance, abs=1e-6)
        assert found[f"two:{place}"] == pytest.approx(distance, abs=1e-6)
    assert [hit.score for hit in together.hits] == sorted((hit.score for hit in together.hits), reverse=True)


def test_a_list_without_a_scale_is_put_on_the_others() -> None:
    single = hits("single", 0.9, 0.0, [0.9])
    wide = hits("wide", 0.2, 0.1, [0.5, 0.1])
    assert [hit.passage_id for hit in merged([single, wide], 10).hits] == ["wide:0", "single:0", "wide:1"]


def test_no_lists_make_an_empty_one() -> None:
    assert merged([], 5) == Hits(())
