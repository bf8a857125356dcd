"""What the scenarios share: an index that is built once, and a web on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scenarios import library
from tests.scenarios.asking import Setting
from tests.tavily_server.server import TavilyServer, serving


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library's index."""
    return library.build(tmp_path_factory.mktemp("library") / "index.db")


@pytest.fixture
def setting(index: Path) -> Setting:
    """The default policy over the library, without a web."""
    return Setting(index)


@pytest.fixture
def web() -> Iterator[TavilyServer]:
    """A web in which one page answers everything."""
    with serving() as running:
        yield running
