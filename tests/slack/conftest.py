"""What the tests of Slack share: pages that are indexed once. Those of a running town have one event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from adapters.local.hashing import HashingEmbedder
from bots.compose.embedding import Embedders
from core.retrieval.recent import RecentEmbedder
from tests.slack.town import Home, Town, built, opened_town

Opens = Callable[..., AbstractAsyncContextManager[Town]]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The pages' index."""
    embedder = RecentEmbedder(HashingEmbedder(64))
    return await built(tmp_path_factory.mktemp("home"), Embedders(embedder, embedder, embedder))


@pytest.fixture
def opens(home: Home, tmp_path: Path) -> Opens:
    """Opens a town as the test wants it."""

    def opened(rules: Any = None, **more: Any) -> AbstractAsyncContextManager[Town]:
        return opened_town(home, tmp_path, rules, **more)

    return opened


@pytest_asyncio.fixture(loop_scope="session")
async def town(opens: Opens) -> AsyncIterator[Town]:
    """A town of its own, in Socket Mode."""
    async with opens() as opened:
        yield opened
