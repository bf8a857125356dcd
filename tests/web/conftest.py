"""A web to search: Tavily over a server of our own, and the stand-in, by the same door."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from adapters.memory.web import MemoryWeb
from adapters.parsers.splitter import MarkdownSplitter
from adapters.tavily import TavilyOptions, TavilySearch
from core.ports import WebSearch
from core.web.domains import Domains, domains
from core.web.pages import Page, Reading
from tests.tavily_server.server import TavilyServer, result, serving

KEY = "tvly-secret-0123456789"
LISTED = domains(["example.com", "docs.example.org"], ["bad.example.com"])


def reading(which: Domains = LISTED, max_characters: int = 20_000) -> Reading:
    """How the tests read pages."""
    return Reading(which, MarkdownSplitter(), max_characters)


@pytest.fixture
def server() -> Iterator[TavilyServer]:
    """A Tavily on loopback."""
    with serving() as running:
        yield running


@asynccontextmanager
async def tavily(
    server: TavilyServer, *, which: Domains = LISTED, timeout: float = 5.0, max_characters: int = 20_000
) -> AsyncIterator[TavilySearch]:
    """The adapter over that server."""
    options = TavilyOptions(server.url, timeout, 5)
    async with TavilySearch(KEY, reading(which, max_characters), options) as opened:
        yield opened


@dataclass
class Web:
    """One implementation, and how to give it pages."""

    kind: str
    server: TavilyServer

    @asynccontextmanager
    async def over(self, pages: Sequence[Page], which: Domains = LISTED) -> AsyncIterator[WebSearch]:
        """A search over these pages, all of which hold the word that is searched for."""
        if self.kind == "memory":
            yield MemoryWeb(pages, reading(which))
            return
        self.server.will_find(*(as_result(page) for page in pages))
        async with tavily(self.server, which=which) as opened:
            yield opened


def as_result(page: Page) -> dict[str, object]:
    """A page as Tavily gives it."""
    return result(page.url, page.text, title=page.title, content=page.snippet, published_date=page.published)


@pytest.fixture(params=["memory", "tavily"])
def web(request: pytest.FixtureRequest, server: TavilyServer) -> Web:
    """Every implementation of WebSearch."""
    return Web(request.param, server)
