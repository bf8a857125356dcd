"""What the tests of the process share: the bundled handbook, indexed once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from filelock import FileLock

from bots import places
from bots.compose import opened
from bots.settings import Settings


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The record and the index after the first run of `refdesk demo`, to be copied; made once for all workers."""
    parallel = hasattr(request.config, "workerinput")
    common = tmp_path_factory.getbasetemp().parent if parallel else tmp_path_factory.getbasetemp()
    folder = common / "handbook-indexed"
    with FileLock(common / "handbook.lock"):
        if not folder.exists():
            made = tmp_path_factory.mktemp("handbook")
            asyncio.run(_synced(places.demo().model_copy(update={"data_dir": made / "data", "model_cache": None})))
            (made / "data").rename(folder)
    return folder


async def _synced(settings: Settings) -> None:
    async with opened(settings, quiet=True) as app:
        await app.prepare(refresh=True)
