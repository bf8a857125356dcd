"""Sources that were laid out to do harm: nothing is read beyond its limit, nothing waits for ever, the rest goes in."""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
import time
import tracemalloc
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import TypeVar

import pytest

from adapters.sources.folder import FolderSource
from adapters.sources.git_command import GitLimits
from adapters.sources.jsonl import JsonLinesSource
from core.documents import Listing, SourceEntry
from core.errors import ParseError, SourceError
from tests.sources.repositories import repository
from tests.sources.site import Site, website
from tests.sources.test_git import source as git_source
from tests.sources.test_website import source as site_source

T = TypeVar("T")
MB = 2**20


async def in_time(work: Awaitable[T]) -> T:
    async with asyncio.timeout(20):
        return await work


async def refused(source: FolderSource, entry: SourceEntry) -> str:
    with pytest.raises(ParseError) as caught:
        await in_time(source.fetch(entry))
    assert caught.value.user_message("ko")
    return caught.value.reason


def names(listing: Listing) -> list[str]:
    return [entry.id for entry in listing.entries]


def sparse(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.truncate(size)


async def peak(work: Awaitable[object]) -> int:
    """The most memory in use for Python's own objects while it goes on."""
    tracemalloc.start()
    try:
        await work
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# --- a folder ---------------------------------------------------------------------------------------


async def test_a_file_of_2_gb_is_refused_without_being_read(tmp_path: Path) -> None:
    sparse(tmp_path / "huge.pdf", 2 * 2**30)
    (tmp_path / "a.md").write_text("fine")
    source = FolderSource(tmp_path)
    fine, huge = (await source.list()).entries
    used = await peak(refused(source, huge))
    assert used < MB
    assert await refused(source, huge) == "parse.too_large"
    assert await source.fetch(fine) == b"fine"


async def test_a_file_that_grows_while_it_is_read_is_read_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(b"line\n" * 100)
    source = FolderSource(tmp_path, max_bytes=MB)
    (entry,) = (await source.list()).entries
    stop = threading.Event()

    def grow() -> None:
        with path.open("ab") as file:
            while not stop.is_set() and file.tell() < 50 * MB:
                file.write(b"line\n" * 10_000)

    growing = threading.Thread(target=grow)
    growing.start()
    try:
        while path.stat().st_size < 3 * MB:
            assert await _size(source, entry) <= MB
    finally:
        stop.set()
        growing.join()
    assert await refused(source, entry) == "parse.too_large"


async def _size(source: FolderSource, entry: SourceEntry) -> int:
    try:
        return len(await in_time(source.fetch(entry)))
    except ParseError as error:
        return 0 if error.reason == "parse.too_large" else 2**40


async def test_a_pipe_that_takes_a_files_place_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("fine")
    source = FolderSource(tmp_path)
    (entry,) = (await source.list()).entries
    (tmp_path / "a.md").unlink()
    os.mkfifo(tmp_path / "a.md")
    assert await refused(source, entry) == "parse.unreadable"


async def test_devices_pipes_and_sockets_are_no_documents(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("fine")
    os.mkfifo(tmp_path / "pipe.md")
    for device in ("zero", "random", "tty", "stdin"):
        (tmp_path / f"{device}.md").symlink_to(f"/dev/{device}")
    server = await asyncio.start_unix_server(lambda _, writer: writer.close(), tmp_path / "s.md")
    async with server:
        listing = await in_time(FolderSource(tmp_path).list())
    assert names(listing) == ["a.md"]
    assert listing.complete


async def test_loops_of_links_end(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "a.md").write_text("fine")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "one.md").symlink_to(tmp_path / "two.md")
    (tmp_path / "two.md").symlink_to(tmp_path / "one.md")
    listing = await in_time(FolderSource(tmp_path).list())
    assert (names(listing), listing.complete) == (["a/a.md"], True)


async def test_folders_in_folders_without_end_are_no_error(tmp_path: Path) -> None:
    depth = 700  # two calls in calls for each would be too many for Python
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("deep.md", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    (tmp_path / "a.md").write_text("fine")
    source = FolderSource(tmp_path)
    listing = await in_time(source.list())
    assert names(listing) == ["a.md", "d/" * depth + "deep.md"]
    assert await source.fetch(listing.entries[1]) == b""


async def test_names_of_odd_bytes_are_told_and_keep_no_other_out(tmp_path: Path) -> None:
    root = os.fsencode(tmp_path)
    for name in (b"\xff\xfe.md", b"caf\xe9.md", b"\xb0\xa1\xb3\xaa.md"):  # CP949, as an old archive unpacks
        with open(root + b"/" + name, "wb") as file:  # noqa: PTH123 - a name that is no text
            file.write(b"odd")
    for name in ("line\nend.md", "tab\t.md", "\u202egnp.md", "'; rm -rf ~.md", "-r.md", "a" * 240 + ".md", "  .md"):
        (tmp_path / name).write_text("fine")
    source = FolderSource(tmp_path)
    listing = await source.list()
    assert len(listing.entries) == 7
    assert [problem.reason for problem in listing.problems] == ["parse.name"] * 3
    for entry in listing.entries:
        assert await source.fetch(entry) == b"fine"


# --- lines, repositories, sites ---------------------------------------------------------------------


async def test_a_pipe_or_a_device_is_no_file_of_lines(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    for path in (tmp_path / "pipe.jsonl", Path("/dev/zero"), Path("/dev/stdin"), Path("/proc/self/mem")):
        with pytest.raises(SourceError) as caught:
            await in_time(JsonLinesSource(path).list())
        assert caught.value.reason in ("error.jsonl_missing", "error.jsonl_empty")


async def test_an_endless_line_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b'{"id": "a", "text": "fine"}\n')
    with path.open("r+b") as file:
        file.truncate(200 * MB)
    source = JsonLinesSource(path, max_bytes=MB)
    assert await peak(source.list()) < 10 * MB
    listing = await source.list()
    assert (names(listing), listing.complete) == (["a"], False)


async def test_a_huge_file_of_a_repository_is_refused_without_being_read(tmp_path: Path) -> None:
    docs = repository(tmp_path / "r", {"a.md": "fine", "huge.md": b"\0" * 40 * MB})
    source = git_source(str(docs.path), tmp_path)
    fine, huge = (await source.list()).entries
    with pytest.raises(ParseError) as caught:
        await source.fetch(huge)
    assert caught.value.reason == "parse.too_large"
    assert await peak(_ignored(source.fetch(huge))) < MB
    assert await source.fetch(fine) == b"fine"


async def _ignored(work: Awaitable[object]) -> None:
    with pytest.raises(ParseError):
        await work


async def test_a_small_repository_that_lists_without_end_is_refused(tmp_path: Path) -> None:
    """Ten folders that are all the same one, ten deep: ten thousand million files in eleven objects."""
    docs = repository(tmp_path / "r", {"a.md": "the same file again and again"})
    below = docs.git("rev-parse", "HEAD:a.md")
    lines = "".join(f"100644 blob {below}\tf{number}.md\n" for number in range(10))
    for _ in range(9):
        made = _made(docs.path, lines)
        lines = "".join(f"040000 tree {made}\td{number}\n" for number in range(10))
    commit = docs.git("commit-tree", made, "-m", "bomb")
    docs.git("update-ref", "refs/heads/main", commit)
    source = git_source(str(docs.path), tmp_path, limits=GitLimits(seconds=60, printed=5 * MB))
    started = time.monotonic()
    with pytest.raises(SourceError) as caught:
        await source.list()
    assert caught.value.reason == "error.git_large"
    assert time.monotonic() - started < 30


def _made(path: Path, lines: str) -> str:
    done = subprocess.run(["git", "mktree"], cwd=path, input=lines, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with website() as made:
        yield made


async def test_a_site_that_is_large_all_in_all_removes_nothing_and_says_so(site: Site, tmp_path: Path) -> None:
    site.page("/", *(f"/{number}" for number in range(20)))
    for number in range(20):
        site.page(f"/{number}", text=f"{number} " * 50_000)
    listing = await site_source(site.url, tmp_path, {"at_once": 1}, bytes=500_000).list()
    assert 2 <= len(listing.entries) < 10
    assert not listing.complete
    assert [problem.reason for problem in listing.problems] == ["parse.note_size_limit"]
