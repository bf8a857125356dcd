"""Remembering embedder: the same rows as the inner one, fewer texts sent to it, a bounded memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.local.hashing import HashingEmbedder
from core.ports import Vectors
from core.retrieval.recent import RecentEmbedder

INNER = HashingEmbedder(dimension=64)


class Listening:
    """The hashing embedder, with a list of what it was asked for."""

    name = INNER.name
    dimension = INNER.dimension

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        self.asked += [(kind, text) for text in texts]
        return await INNER.embed(texts, kind)


texts_asked = st.lists(st.lists(st.sampled_from(["a", "b b", "c", "배포", ""]), max_size=6), max_size=8)


@settings(deadline=None)
@given(texts_asked, st.integers(1, 3))
async def test_rows_are_the_inner_embedders_whatever_was_asked_before(calls: list[list[str]], size: int) -> None:
    recent = RecentEmbedder(INNER, size=size)
    for texts in calls:
        assert np.array_equal(await recent.embed(texts, "query"), await INNER.embed(texts, "query"))


async def test_a_text_seen_a_moment_ago_costs_nothing_and_a_question_is_no_passage() -> None:
    inner = Listening()
    recent = RecentEmbedder(inner)
    await recent.embed(["one", "two", "one"], "passage")
    await recent.embed(["two", "three"], "passage")
    await recent.embed(["one"], "query")
    assert inner.asked == [("passage", "one"), ("passage", "two"), ("passage", "three"), ("query", "one")]


async def test_what_was_used_last_is_kept_longest_and_huge_texts_are_not_kept() -> None:
    inner = Listening()
    recent = RecentEmbedder(inner, size=2)
    for text in ["one", "two", "one", "three", "one", "x" * 5000, "x" * 5000, "one"]:
        await recent.embed([text], "query")
    assert [text[:5] for _, text in inner.asked] == ["one", "two", "three", "xxxxx", "xxxxx"]
