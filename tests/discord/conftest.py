"""A Discord for each test, and the real client pointed at it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.local.hashing import HashingEmbedder
from bots.compose.embedding import Embedders
from core.retrieval.recent import RecentEmbedder
from tests.discord.ground import Ground
from tests.discord.ground import opened as opened_ground
from tests.discord.town import Town, opened_town
from tests.discord_server.server import DiscordServer, pointed
from tests.slack.town import Home, built


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A server; what a test asked of it that it can't answer fails the test."""
    async with DiscordServer() as made:
        with pointed(made):
            yield made
    assert made.rest.unknown == []


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def home(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Home]:
    """The pages' index."""
    embedder = RecentEmbedder(HashingEmbedder(64))
    yield await built(tmp_path_factory.mktemp("home"), Embedders(embedder, embedder, embedder))


@pytest.fixture
async def town(home: Home, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Town]:
    """A town of its own; with other settings when a test says so."""
    async with opened_town(home, tmp_path, **getattr(request, "param", {})) as opened:
        yield opened


@pytest.fixture
async def ground(server: DiscordServer) -> AsyncIterator[Ground]:
    """One question."""
    async with opened_ground(server) as made:
        yield made
