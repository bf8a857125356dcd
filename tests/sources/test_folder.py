"""A folder is listed fast, completely or says so, and never beyond its own walls."""

from __future__ import annotations

import os
import time
import unicodedata
from pathlib import Path

import pytest

from adapters.sources.folder import FolderSource
from core.documents import Listing
from core.errors import ParseError, SourceError

needs_limits = pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"text of {name}")


def names(listing: Listing) -> list[str]:
    return [entry.id for entry in listing.entries]


async def test_files_are_listed_in_order_with_what_a_sync_needs(tmp_path: Path) -> None:
    write(tmp_path, "b.md", "a/c.pdf", "a/d.html")
    listing = await FolderSource(tmp_path).list()
    assert names(listing) == ["a/c.pdf", "a/d.html", "b.md"]
    assert [entry.media_type for entry in listing.entries] == ["application/pdf", "text/html", "text/markdown"]
    assert listing.complete
    assert listing.problems == ()
    assert listing.entries[2].size == len("text of b.md")
    assert listing.entries[2].modified is not None
    assert listing.entries[2].modified.tzinfo is not None


async def test_a_fingerprint_changes_with_the_file_and_only_then(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    source = FolderSource(tmp_path)
    first, again = await source.list(), await source.list()
    assert first == again
    os.utime(tmp_path / "a.md", ns=(1, 1))
    assert (await source.list()).entries[0].fingerprint != first.entries[0].fingerprint


async def test_hidden_files_and_packages_are_left_out(tmp_path: Path) -> None:
    write(
        tmp_path,
        "a.md",
        ".git/config.md",
        ".hidden.md",
        "node_modules/x/README.md",
        "x/node_modules/y.md",
        "~$open.docx",
    )
    assert names(await FolderSource(tmp_path).list()) == ["a.md"]


async def test_include_and_exclude_work_like_gitignore(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "a.txt", "drafts/b.md", "x/drafts/c.md", "x/d.md", "정책/휴가.md")
    source = FolderSource(tmp_path, include=("*.md",), exclude=("drafts/", "!x/drafts/", "/x/d.md"))
    assert names(await source.list()) == ["a.md", "x/drafts/c.md", "정책/휴가.md"]
    assert names(await FolderSource(tmp_path, include=("정책/**",)).list()) == ["정책/휴가.md"]


async def test_decomposed_names_are_listed_composed_and_still_fetched(tmp_path: Path) -> None:
    write(tmp_path, unicodedata.normalize("NFD", "규정/휴가.md"))
    source = FolderSource(tmp_path)
    listing = await source.list()
    assert names(listing) == ["규정/휴가.md"]
    assert (await source.fetch(listing.entries[0])).startswith(b"text of")


async def test_links_lead_nowhere_outside_and_loops_end(tmp_path: Path) -> None:
    write(tmp_path, "outside/secret.md", "root/a.md", "root/sub/b.md")
    root = tmp_path / "root"
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "secret.md").symlink_to(tmp_path / "outside/secret.md")
    (root / "again").symlink_to(root)
    (root / "alias.md").symlink_to(root / "a.md")
    (root / "dead.md").symlink_to(root / "gone.md")
    source = FolderSource(root)
    listing = await source.list()
    assert names(listing) == ["a.md", "alias.md", "sub/b.md"]
    assert listing.complete
    swapped = listing.entries[0]
    (root / "a.md").unlink()
    (root / "a.md").symlink_to(tmp_path / "outside/secret.md")
    with pytest.raises(ParseError):
        await source.fetch(swapped)


async def test_a_pipe_is_not_a_document(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    assert names(await FolderSource(tmp_path).list()) == ["a.md"]


@needs_limits
async def test_a_folder_that_may_not_be_read_makes_the_listing_incomplete(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "closed/b.md")
    (tmp_path / "closed").chmod(0)
    try:
        listing = await FolderSource(tmp_path).list()
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert names(listing) == ["a.md"]
    assert not listing.complete
    assert [(problem.document, problem.reason) for problem in listing.problems] == [("closed", "parse.unreadable")]


@needs_limits
async def test_a_file_that_may_not_be_read_is_listed_and_refused_by_name_when_fetched(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "closed.md")
    (tmp_path / "closed.md").chmod(0)
    source = FolderSource(tmp_path)
    listing = await source.list()
    assert names(listing) == ["a.md", "closed.md"]  # not listed, it would count as deleted
    with pytest.raises(ParseError) as caught:
        await source.fetch(listing.entries[1])
    assert caught.value.reason == "parse.unreadable"


@needs_limits
async def test_a_root_that_may_not_be_read_says_so(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir(mode=0)
    with pytest.raises(SourceError) as caught:
        await FolderSource(tmp_path / "root").list()
    assert caught.value.reason == "error.folder_permission"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("gone", "error.folder_missing"), ("file.md", "error.folder_missing"), ("empty", "error.folder_empty"),
     ("nul\x00", "error.folder_missing"), ("loop", "error.folder_missing")],
)  # fmt: skip
async def test_a_root_that_is_no_folder_or_holds_nothing_says_so(tmp_path: Path, name: str, reason: str) -> None:
    write(tmp_path, "file.md")
    (tmp_path / "empty").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(SourceError) as caught:
        await FolderSource(tmp_path / name).list()
    assert caught.value.reason == reason
    assert str(tmp_path) in caught.value.user_message("en")
    assert caught.value.user_message("ko")


async def test_nothing_that_matches_is_an_empty_folder(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    with pytest.raises(SourceError) as caught:
        await FolderSource(tmp_path, include=("*.pdf",)).list()
    assert caught.value.reason == "error.folder_empty"
    assert "*.pdf" in caught.value.user_message("en")


async def test_a_file_over_the_limit_or_gone_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.md")
    source = FolderSource(tmp_path, max_bytes=5)
    first, second = (await source.list()).entries
    (tmp_path / "b.md").unlink()
    with pytest.raises(ParseError) as large:
        await source.fetch(first)
    with pytest.raises(ParseError) as gone:
        await source.fetch(second)
    assert (large.value.reason, gone.value.reason) == ("parse.too_large", "parse.gone")


async def test_ten_thousand_files_are_listed_in_no_time(tmp_path: Path) -> None:
    for folder in range(100):
        (tmp_path / f"{folder}").mkdir()
        for file in range(100):
            (tmp_path / f"{folder}" / f"{file}.md").touch()
    started = time.perf_counter()
    listing = await FolderSource(tmp_path).list()
    assert len(listing.entries) == 10_000
    assert time.perf_counter() - started < 5  # the aim is well under one; this only catches a collapse
