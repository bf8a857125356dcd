"""A Discord for each test, and the real client pointed at it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.discord_server.server import DiscordServer, pointed


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A server; what a test asked of it that it can't answer fails the test."""
    async with DiscordServer() as made:
        with pointed(made):
            yield made
    assert made.rest.unknown == []
