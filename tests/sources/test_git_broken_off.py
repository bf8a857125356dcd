"""However a sync of a repository was ended, and whatever it left in our copy: the next one reads what is there."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.sources.git_command import GitLimits
from core.errors import SourceError
from tests.sources.repositories import Host, Repository, git_host, repository
from tests.sources.test_git import names, source

LARGE = 600_000
LIMIT = GitLimits(bytes=400_000)


@pytest.fixture
def docs(tmp_path: Path) -> Repository:
    return repository(tmp_path / "www" / "docs", {"a.md": "a", "large.bin": os.urandom(LARGE)})


@pytest.fixture
async def host(tmp_path: Path, docs: Repository) -> AsyncIterator[Host]:
    async with git_host(tmp_path / "www") as made:
        yield made


def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy"


def unfinished(tmp_path: Path) -> list[str]:
    """The names of what git was still writing or had locked."""
    return [path.name for path in copy(tmp_path).rglob("*") if path.name.endswith(".lock") or "tmp_" in path.name]


async def downloading(tmp_path: Path) -> None:
    """Until git holds its lock and has written something."""
    async with asyncio.timeout(30):
        while "shallow.lock" not in unfinished(tmp_path) or len(unfinished(tmp_path)) < 2:
            await asyncio.sleep(0.01)


async def test_one_that_is_cancelled_while_it_downloads_takes_its_locks_with_it(tmp_path: Path, host: Host) -> None:
    found = source(f"{host.url}/docs/.git", tmp_path)
    host.drip = 0.2
    listing = asyncio.create_task(found.list())
    await downloading(tmp_path)
    listing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listing
    assert not [name for name in unfinished(tmp_path) if name.endswith(".lock")]
    host.drip = 0
    assert names(await found.list()) == ["a.md", "large.bin"]
    assert unfinished(tmp_path) == []


async def test_one_that_ran_out_of_time_while_it_downloads_hinders_no_other(tmp_path: Path, host: Host) -> None:
    found = source(f"{host.url}/docs/.git", tmp_path, limits=GitLimits(seconds=1.5))
    await source(f"{host.url}/docs/.git", tmp_path, branch="main").list()
    Repository(tmp_path / "www" / "docs").commit({"b.bin": os.urandom(LARGE)})
    host.drip = 0.2
    with pytest.raises(SourceError) as slow:
        await found.list()
    assert slow.value.reason == "error.git_slow"
    host.drip = 0
    assert names(await found.list()) == ["a.md", "b.bin", "large.bin"]


async def test_a_git_that_still_works_on_the_copy_is_waited_for_within_the_limit(
    tmp_path: Path, docs: Repository
) -> None:
    found = source(str(docs.path), tmp_path)
    await found.list()
    with (copy(tmp_path) / "refdesk.alone").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(SourceError) as slow:
            await source(str(docs.path), tmp_path, limits=GitLimits(seconds=0.3)).list()
        assert slow.value.reason == "error.git_slow"
        waiting = asyncio.create_task(found.list())
        await asyncio.sleep(0.1)
        assert not waiting.done()
    assert names(await waiting) == ["a.md", "large.bin"]


async def test_a_download_that_was_cut_off_is_told_in_one_line_and_hinders_no_other(tmp_path: Path, host: Host) -> None:
    found = source(f"{host.url}/docs/.git", tmp_path)
    host.drip, host.cut = 0.01, 10
    with pytest.raises(SourceError) as cut:
        await found.list()
    assert cut.value.reason == "error.git_failed"
    assert not {"\r", "\n", "%"} & set(cut.value.user_message("en"))
    host.cut = None
    assert names(await found.list()) == ["a.md", "large.bin"]


@pytest.mark.parametrize("begun", [True, False])
async def test_locks_and_half_written_files_that_a_power_cut_left_are_cleared_away(
    tmp_path: Path, docs: Repository, begun: bool
) -> None:
    found = source(str(docs.path), tmp_path)
    if begun:
        await found.list()
        docs.commit({"b.md": "b"})
    left = ("shallow.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "refs/refdesk/head.lock", "shallow_x1")
    half = ("objects/pack/tmp_pack_x1", "objects/pack/.tmp-7-pack-x1.pack", "objects/a0/tmp_obj_x1", "gc.pid")
    for name in left + half:
        file = copy(tmp_path) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"half")
    assert names(await found.list()) == ["a.md", *(["b.md"] if begun else []), "large.bin"]
    assert [name for name in left + half if (copy(tmp_path) / name).exists()] == []


@pytest.mark.parametrize("gone", ["HEAD", "objects"])
async def test_half_of_a_copy_is_none(tmp_path: Path, docs: Repository, gone: str) -> None:
    found = source(str(docs.path), tmp_path)
    await found.list()
    (copy(tmp_path) / gone).rename(tmp_path / "gone")
    for pack in (copy(tmp_path) / "objects").rglob("*.pack"):
        pack.unlink()  # no fetch brings again what it believes to be there
    listing = await found.list()
    assert names(listing) == ["a.md", "large.bin"]
    assert await found.fetch(listing.entries[0]) == b"a"


async def test_a_repository_that_was_too_large_is_read_once_it_is_not(tmp_path: Path, docs: Repository) -> None:
    found = source(str(docs.path), tmp_path, limits=LIMIT)
    for _ in range(2):
        with pytest.raises(SourceError) as large:
            await found.list()
        assert large.value.reason == "error.git_large"
        assert sum(path.stat().st_size for path in copy(tmp_path).rglob("*") if path.is_file()) < 10_000
    docs.commit({"large.bin": None})
    assert names(await found.list()) == ["a.md"]
    docs.commit({"large.bin": os.urandom(LARGE)})
    with pytest.raises(SourceError):
        await found.list()
    docs.commit({"large.bin": None})
    assert names(await found.list()) == ["a.md"]


async def test_what_was_gathered_over_time_makes_no_repository_too_large(tmp_path: Path, docs: Repository) -> None:
    found = source(str(docs.path), tmp_path, limits=GitLimits(bytes=2 * LARGE))
    for _ in range(3):
        assert names(await found.list()) == ["a.md", "large.bin"]
        docs.commit({"large.bin": os.urandom(LARGE)})
