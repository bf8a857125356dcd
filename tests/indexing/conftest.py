"""Processes that are there at once."""

from __future__ import annotations

import multiprocessing
from multiprocessing.context import ForkServerContext

import pytest


@pytest.fixture(scope="session")
def processes() -> ForkServerContext:
    """Where processes begin that have imported everything already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.indexing.folder_desk"])
    return context
