"""kill -9 at any moment of a sync that fetches from elsewhere: what it had begun to bring in hinders no other."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from tests.indexing.folder_desk import Place, contents, opened, sync
from tests.indexing.victims import AFTER, BEFORE, SEED, Victim, page
from tests.sources.repositories import git_host, repository
from tests.sources.site import website

MOMENTS = 4
BEGINNINGS = ("new", "old")
PAUSE = 0.004
PAD = 400_000
"""Bytes of the repository that are no document: its download is long enough to be killed in."""


Origin = tuple[str, Callable[[dict[str, int]], None]]


@asynccontextmanager
async def from_git(root: Path) -> AsyncIterator[Origin]:
    """A repository as a source, and what gives it other documents."""
    docs = repository(root / "www" / "docs", {})

    def change(names: dict[str, int]) -> None:
        for file in docs.path.glob("*.md"):
            file.unlink()
        docs.commit({"pad.bin": os.urandom(PAD), **{f"{name}.md": page(name, n) for name, n in names.items()}})

    async with git_host(root / "www") as host:
        host.drip = 0.02
        yield f"git:{host.url}/docs/.git", change


@asynccontextmanager
async def from_a_website(root: Path) -> AsyncIterator[Origin]:
    """A website likewise."""
    async with website() as site:

        def change(names: dict[str, int]) -> None:
            site.replies.clear()
            site.sitemap("/sitemap.xml", *(f"/{name}.md" for name in names))
            for name, edition in names.items():
                site.text(f"/{name}.md", page(name, edition), "text/markdown")

        yield f"website:{site.url}", change


@pytest.mark.parametrize("origin", [from_git, from_a_website])
async def test_after_a_kill_at_any_moment_the_next_sync_gives_what_a_fresh_build_gives(
    tmp_path: Path, processes: ForkServerContext, origin: Callable[[Path], AbstractAsyncContextManager[Origin]]
) -> None:
    chance = random.Random(SEED)
    async with origin(tmp_path) as (address, change):

        def place(name: str, copied: str) -> Place:
            shutil.copytree(tmp_path / copied, tmp_path / name)
            return Place(tmp_path, tmp_path / name, PAUSE, address)

        (tmp_path / "new").mkdir()
        async with opened(Place(tmp_path, tmp_path / "new")):
            pass
        change(BEFORE)
        await sync(place("old", "new"))
        change(AFTER)
        wanted = await _synced(place("fresh", "new"))
        lengths = {
            begun: await Victim(place(f"whole-{begun}", begun), processes).duration() for begun in ("new", "old")
        }

        async def one(number: int) -> int:
            begun = BEGINNINGS[number % 2]
            victim = Victim(place(f"moment-{number}", begun), processes)
            await victim.kill_after((number + chance.random()) / MOMENTS * lengths[begun])
            assert await _synced(victim.place) == wanted, (SEED, number)
            return victim.killed

        killed = await asyncio.gather(*map(one, range(MOMENTS)))
    assert sum(killed) >= 1, "the moments must lie within the syncs"


async def _synced(place: Place) -> dict[str, object]:
    job = await sync(replace(place, pause=0.0), "next")
    assert job.status == "done", job
    return await contents(place)


async def test_a_download_whose_sync_was_killed_ends_by_itself_and_is_begun_anew(
    tmp_path: Path, processes: ForkServerContext
) -> None:
    repository(tmp_path / "www" / "docs", {"pad.bin": os.urandom(PAD), "doc.md": page("doc", 0)})
    async with git_host(tmp_path / "www") as host:
        host.drip = 0.2
        (tmp_path / "data").mkdir()
        place = Place(tmp_path, tmp_path / "data", 0.0, f"git:{host.url}/docs/.git")
        downloading = tmp_path / "data" / "copy" / "shallow.lock"
        await Victim(place, processes).kill_when(downloading.exists)
        assert downloading.exists()
        host.drip = 0.0
        assert await _synced(place)
        assert not downloading.exists()
        assert host.broken_off == 1
