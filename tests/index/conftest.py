"""Every implementation of the index ports, by the same door."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.embedded.index import EmbeddedIndex
from tests.index.values import ANALYZER, Index


@pytest.fixture(params=["embedded"])
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Index]:
    """An empty index."""
    assert request.param == "embedded"
    async with EmbeddedIndex(tmp_path / "index.sqlite", ANALYZER) as opened:
        yield Index(opened.vectors, opened.lexical, opened.passages)
