"""Sources that were laid out to do harm: nothing is read beyond its limit, nothing waits for ever, the rest goes in."""

from __future__ import annotations

import asyncio
import gzip
import os
import subprocess
import threading
import time
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from adapters.sources.charsets import readable
from adapters.sources.folder import FolderSource
from adapters.sources.git_command import GitLimits
from adapters.sources.jsonl import JsonLinesSource
from adapters.sources.sitemap import sitemap
from adapters.sources.webpage import MOST, look
from core.documents import Listing, SourceEntry
from core.errors import ParseError, SourceError
from tests.sources.repositories import repository
from tests.sources.site import Reply, Site, website
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


def busy(work: Callable[[], T]) -> tuple[T, float]:
    """What comes of it, and the seconds this thread computed for it."""
    started = time.thread_time()
    return work(), time.thread_time() - started


PAGE = MB // 4
PAGES = {
    "attributes": "<a " + " ".join(f"a{number}=b" for number in range(PAGE // 8)) + ' href="/x">',
    "unclosed tags": "<a>" * (PAGE // 3),
    "links": "".join(f"<a href=/{number}>" for number in range(PAGE // 16)),
    "links to nowhere": "".join(f"<a href=x{number}:y>" for number in range(PAGE // 16)),
    "long links": "".join(f'<a href="/?{number}{"&a" * 900}">' for number in range(PAGE // 1820)),
    "tags without an end": "<a " * (PAGE // 3),
    "quotes without an end": """<a b="<a c='""" * (PAGE // 12),
    "blanks": ("<a b" + " " * 1000 + "=") * (PAGE // 1005),
    "comments": "<!--" * (PAGE // 4),
    "scripts": "<script>" * (PAGE // 8),
    "brackets": "<" * PAGE,
    "entities": ('<a href="' + "&amp;" * 100 + '">') * (PAGE // 510),
    "nothing but length": "<p>word</p>" * MB,
}


@pytest.mark.parametrize("kind", PAGES)
def test_a_hostile_page_takes_time_in_proportion_to_its_length(kind: str) -> None:
    data = PAGES[kind].encode()
    seen, seconds = busy(lambda: look(data, "https://site.example/"))
    assert seconds < 2
    assert len(seen.links) <= 5000


def test_no_encoding_that_a_page_claims_keeps_anybody_waiting() -> None:
    data = b"a-" + b"aaab" * (MB // 8) + b'<a href="/x">'
    for charset in ("punycode", "idna", "unicode_escape", "zlib", "undefined"):
        head = f'<meta charset="{charset}">'.encode()
        seen, seconds = busy(lambda name=charset, page=head + data: look(page, "https://site.example/", name))
        assert [at.url for at in seen.links] == ["https://site.example/x"]
        assert readable(data, charset) == data
        assert seconds < 1


SITEMAP = 2 * MB
SITEMAPS = {
    "attributes": "<urlset " + "a=b " * (SITEMAP // 4) + ">",
    "brackets": "<" * SITEMAP,
    "pages": "<urlset>" + "<url><loc>https://x.example/</loc></url>" * (SITEMAP // 40),
    "places without an end": "<urlset><url>" + "<loc>" * (SITEMAP // 5),
    "tags without an end": "<loc " * (SITEMAP // 5),
    "comments": "<urlset>" + "<!--" * (SITEMAP // 4),
    "blanks": "<urlset><url>" + ("<loc>" + " " * 1000) * (SITEMAP // 1005),
    "lines": "a\n" * (SITEMAP // 2),
    "depth": "<urlset>" + "<a>" * (SITEMAP // 3),
}


@pytest.mark.parametrize("kind", SITEMAPS)
def test_a_hostile_sitemap_takes_time_in_proportion_to_its_length(kind: str) -> None:
    data = SITEMAPS[kind].encode()

    def named() -> int:
        try:
            return len(sitemap(data).pages)
        except ValueError:
            return 0

    found, seconds = busy(named)
    assert seconds < 2
    assert found <= 1


async def test_a_hostile_page_and_sitemap_of_a_site_hold_nobody_up(site: Site, tmp_path: Path) -> None:
    site.text("/sitemap.xml", SITEMAPS["brackets"], "application/xml")
    site.text("/hostile", PAGES["attributes"], "text/html")
    site.page("/", "/hostile", "/fine")
    site.page("/fine")
    listing = await in_time(site_source(site.url, tmp_path).list())
    assert [name.partition("/")[2] for name in names(listing)] == ["", "fine", "hostile"]


def test_a_long_page_is_looked_at_as_far_as_anybody_goes_and_says_so() -> None:
    links = "".join(f'<a href="/{number}#part">{number}</a>' for number in range(100))
    short, long = links.encode(), (links + "<p>word</p>" * (MOST // 10)).encode()
    assert look(short, "https://site.example/").whole
    seen = look(long, "https://site.example/")
    assert (len(seen.links), seen.whole) == (100, False)


async def test_sitemaps_without_end_are_read_up_to_the_size_that_is_allowed(site: Site, tmp_path: Path) -> None:
    packed = gzip.compress(b"<sitemapindex>" + b" " * 4 * MB + b"</sitemapindex>")
    site.sitemap("/sitemap.xml", *(f"/{number}.xml" for number in range(50)), index=True)
    for number in range(50):
        site.replies[f"/{number}.xml"] = Reply(packed, kind="application/gzip")
    listing = await in_time(site_source(site.url, tmp_path, discover="sitemap", bytes=10 * MB).list())
    assert sum(path.endswith(".xml") for path, _ in site.asked) <= 5
    assert not listing.complete
    assert [problem.reason for problem in listing.problems] == ["parse.note_size_limit"]


async def test_an_index_that_names_sitemaps_without_end_is_not_followed_without_end(site: Site, tmp_path: Path) -> None:
    site.sitemap("/sitemap.xml", *(f"/{number}.xml" for number in range(2000)), index=True)
    site.sitemap("/0.xml", "/a")
    site.page("/a")
    listing = await in_time(site_source(site.url, tmp_path).list())
    assert len(site.asked) <= 510
    assert ([name.partition("/")[2] for name in names(listing)], listing.complete) == (["a"], False)
    assert [problem.reason for problem in listing.problems] == ["parse.note_sitemaps_limit"]
