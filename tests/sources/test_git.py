"""A repository is read as it is at its branch, by nothing but its contents, and nothing of it is run."""

from __future__ import annotations

import asyncio
import base64
import os
import sys
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.sources.git import GitOptions, GitSource
from adapters.sources.git_command import GitLimits
from adapters.sources.git_remote import remote
from core.documents import Listing
from core.errors import ConfigError, ParseError, SourceError
from core.web.reach import reach
from tests.sources.repositories import git_host, repository

TOKEN = "ghp_0123456789abcdefSECRET"


def source(address: str, tmp_path: Path, secret: str = "", **options: Any) -> GitSource:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    allowed = reach(["127.0.0.1"])
    origin = remote(address, secret)
    return GitSource(origin, tmp_path / "copy", GitOptions(**options), allowed, environment=environment)


def names(listing: Listing) -> list[str]:
    return [entry.id for entry in listing.entries]


async def test_the_files_of_a_branch_are_listed_and_read(tmp_path: Path) -> None:
    docs = repository(tmp_path / "docs", {"README.md": "# Read me", "guide/install.md": "# Install", "logo.png": b"\0"})
    found = source(str(docs.path), tmp_path)
    listing = await found.list()
    assert names(listing) == ["README.md", "guide/install.md", "logo.png"]
    assert listing.complete
    assert await found.fetch(listing.entries[1]) == b"# Install"
    assert listing.entries[0].media_type == "text/markdown"


async def test_subfolder_include_and_exclude_choose(tmp_path: Path) -> None:
    docs = repository(tmp_path / "r", {"docs/a.md": "a", "docs/b.txt": "b", "docs/old/c.md": "c", "docs2/d.md": "d"})
    found = source(str(docs.path), tmp_path, subfolder="/docs/", include=("*.md",), exclude=("old/",))
    assert names(await found.list()) == ["a.md"]


async def test_only_what_changed_gets_another_fingerprint_and_what_is_gone_is_gone(tmp_path: Path) -> None:
    docs = repository(tmp_path / "r", {"a.md": "a", "b.md": "b", "c.md": "c"})
    found = source(str(docs.path), tmp_path)
    before = {entry.id: entry.fingerprint for entry in (await found.list()).entries}
    docs.commit({"b.md": "B", "c.md": None})
    after = {entry.id: entry.fingerprint for entry in (await found.list()).entries}
    assert set(after) == {"a.md", "b.md"}
    assert after["a.md"] == before["a.md"]
    assert after["b.md"] != before["b.md"]


async def test_a_branch_or_a_tag_can_be_named(tmp_path: Path) -> None:
    docs = repository(tmp_path / "r", {"a.md": "a"})
    docs.git("tag", "-a", "v1", "-m", "v1")
    docs.commit({"b.md": "b"})
    docs.git("checkout", "--quiet", "-b", "next/two")
    docs.commit({"c.md": "c"})
    docs.git("checkout", "--quiet", "main")
    assert names(await source(str(docs.path), tmp_path).list()) == ["a.md", "b.md"]
    assert names(await source(str(docs.path), tmp_path, branch="v1").list()) == ["a.md"]
    assert names(await source(str(docs.path), tmp_path, branch="next/two").list()) == ["a.md", "b.md", "c.md"]


async def test_history_that_was_written_anew_is_followed(tmp_path: Path) -> None:
    docs = repository(tmp_path / "r", {"a.md": "a", "b.md": "b"})
    found = source(str(docs.path), tmp_path)
    await found.list()
    docs.git("rm", "--quiet", "b.md")
    docs.git("commit", "--quiet", "--amend", "-m", "anew")
    assert names(await found.list()) == ["a.md"]


async def test_what_was_listed_can_be_read_although_the_branch_went_on(tmp_path: Path) -> None:
    docs = repository(tmp_path / "r", {"a.md": "old"})
    found = source(str(docs.path), tmp_path)
    first = (await found.list()).entries[0]
    docs.commit({"a.md": "new"})
    second = (await found.list()).entries[0]
    assert (await found.fetch(first), await found.fetch(second)) == (b"old", b"new")


async def test_nothing_of_the_repository_is_run_or_followed(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    docs = repository(
        tmp_path / "r",
        {
            "a.md": "a",
            ".gitattributes": "*.md filter=evil",
            ".gitmodules": f'[submodule "s"]\n\tpath = s\n\turl = ext::touch {ran}\n',
            ".gitconfig": f'[filter "evil"]\n\tsmudge = touch {ran}\n',
        },
    )
    (docs.path / "link.md").symlink_to("/etc/passwd")
    docs.commit({})
    docs.git("update-index", "--add", "--cacheinfo", f"160000,{docs.git('rev-parse', 'HEAD')},s")
    docs.git("commit", "--quiet", "-m", "submodule")
    hook = tmp_path / "copy" / "hooks" / "reference-transaction"
    found = source(str(docs.path), tmp_path)
    await found.list()
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    docs.commit({"b.md": "b"})
    assert names(await found.list()) == ["a.md", "b.md"]
    assert not ran.exists()


@pytest.mark.skipif(sys.platform == "darwin", reason="its disks hold only names that are text")
async def test_names_in_any_form_and_doubtful_ones(tmp_path: Path) -> None:
    docs = repository(tmp_path / "r", {unicodedata.normalize("NFD", "규정/휴가.md"): "휴가", "a b#c?.md": "x"})
    with (docs.path / os.fsdecode(b"bad\xff.md")).open("w") as file:
        file.write("x")
    docs.commit({})
    found = source(str(docs.path), tmp_path)
    listing = await found.list()
    assert names(listing) == ["a b#c?.md", "규정/휴가.md"]
    assert await found.fetch(listing.entries[1]) == "휴가".encode()
    assert [problem.reason for problem in listing.problems] == ["parse.name"]


async def test_a_large_file_and_one_in_lfs_are_refused_by_name(tmp_path: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    docs = repository(tmp_path / "r", {"big.md": "x" * 4000, "kept.pdf": pointer})
    found = source(str(docs.path), tmp_path, max_bytes=1000)
    big, kept = (await found.list()).entries
    with pytest.raises(ParseError) as large:
        await found.fetch(big)
    with pytest.raises(ParseError) as lfs:
        await found.fetch(kept)
    assert (large.value.reason, lfs.value.reason) == ("parse.too_large", "parse.lfs")


async def test_a_copy_that_was_damaged_is_made_anew(tmp_path: Path) -> None:
    docs = repository(tmp_path / "r", {"a.md": "a"})
    found = source(str(docs.path), tmp_path)
    await found.list()
    for pack in (tmp_path / "copy" / "objects").rglob("*"):
        if pack.is_file():
            pack.chmod(0o600)
            pack.write_bytes(b"broken")
    docs.commit({"b.md": "b"})
    listing = await found.list()
    assert names(listing) == ["a.md", "b.md"]
    assert await found.fetch(listing.entries[0]) == b"a"


@pytest.mark.parametrize("options", [{"branch": "nowhere"}, {"subfolder": "nowhere"}, {"include": ("*.pdf",)}])
async def test_what_is_not_there_is_told_with_the_address(tmp_path: Path, options: dict[str, Any]) -> None:
    docs = repository(tmp_path / "r", {"a.md": "a"})
    with pytest.raises(SourceError) as caught:
        await source(str(docs.path), tmp_path, **options).list()
    assert str(docs.path) in caught.value.user_message("en")
    assert caught.value.user_message("ko")


async def test_a_repository_that_is_none_or_empty_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError) as none:
        await source(str(tmp_path / "empty"), tmp_path).list()
    assert none.value.reason == "error.git_failed"


async def test_without_git_there_is_one_clear_sentence(tmp_path: Path) -> None:
    found = replace(source(str(tmp_path), tmp_path), environment={"PATH": str(tmp_path)})
    with pytest.raises(ConfigError) as caught:
        await found.list()
    assert "git" in caught.value.user_message("en")
    assert caught.value.reason == "error.git_missing"


async def test_over_http_a_token_signs_in_and_is_told_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    repository(tmp_path / "www" / "team" / "docs.git", {"a.md": "a"})
    async with git_host(tmp_path / "www") as host:
        host.authorization = "Basic " + base64.b64encode(f"oauth2:{TOKEN}".encode()).decode()
        address = host.url.replace("http://", f"http://{TOKEN}@") + "/team/docs.git/.git"
        found = source(address, tmp_path)
        assert names(await found.list()) == ["a.md"]
        host.authorization = "Basic other"
        with pytest.raises(SourceError) as caught:
            await found.list()
    told = [caught.value.user_message("en"), str(caught.value), repr(found), repr(caught.value.fields), caplog.text]
    assert not any(TOKEN in text for text in told)
    assert not any(TOKEN.encode() in path.read_bytes() for path in (tmp_path / "copy").rglob("*") if path.is_file())


async def test_a_no_change_sync_brings_nothing_in(tmp_path: Path) -> None:
    repository(tmp_path / "www" / "docs", {"a.md": "a"})
    async with git_host(tmp_path / "www") as host:
        found = source(f"{host.url}/docs/.git", tmp_path)
        await found.list()
        asked = len(host.asked)
        await found.list()
        assert len(host.asked) - asked <= 2


@pytest.mark.parametrize("address", ["10.1.2.3", "169.254.169.254", "127.0.0.1", "::1", "fd00::1", "::ffff:10.0.0.1"])
async def test_a_host_inside_is_not_reached_unless_it_is_named(tmp_path: Path, address: str) -> None:
    async def inside(host: str, port: int) -> Sequence[str]:
        return (address,)

    async with git_host(tmp_path) as host:
        for name in ("git.example.com", "127.0.0.1"):
            url = host.url.replace("127.0.0.1", name) + "/docs.git"
            found = replace(source(url, tmp_path), resolve=inside, reach=reach(["git.internal"]))
            with pytest.raises(SourceError) as caught:
                await found.list()
            assert caught.value.reason == "error.source_private"
            assert name in caught.value.user_message("en")
        assert host.asked == []


async def test_the_connection_goes_to_the_address_that_was_looked_at(tmp_path: Path) -> None:
    """The name is known to nobody but the resolver, so that only a held address can lead there."""
    repository(tmp_path / "www" / "docs", {"a.md": "a"})

    async def here(host: str, port: int) -> Sequence[str]:
        return ("127.0.0.1",)

    async with git_host(tmp_path / "www") as host:
        url = host.url.replace("127.0.0.1", "git.internal") + "/docs/.git"
        found = replace(source(url, tmp_path), resolve=here, reach=reach(["git.internal"]))
        assert names(await found.list()) == ["a.md"]


async def test_a_redirect_is_not_followed(tmp_path: Path) -> None:
    repository(tmp_path / "www" / "docs", {"a.md": "a"})
    async with git_host(tmp_path / "www") as inside, git_host(tmp_path / "www") as outside:
        outside.redirect = inside.url
        with pytest.raises(SourceError):
            await source(f"{outside.url}/docs/.git", tmp_path).list()
        assert inside.asked == []


async def test_a_slow_host_and_a_huge_repository_end_at_their_limits(tmp_path: Path) -> None:
    repository(tmp_path / "www" / "docs", {"a.bin": os.urandom(3_000_000)})
    async with git_host(tmp_path / "www") as host:
        host.pause = 60
        started = time.monotonic()
        with pytest.raises(SourceError) as slow:
            await source(f"{host.url}/docs/.git", tmp_path, limits=GitLimits(seconds=1)).list()
        assert time.monotonic() - started < 10
        host.pause = 0
        with pytest.raises(SourceError) as large:
            await source(f"{host.url}/docs/.git", tmp_path / "b", limits=GitLimits(bytes=100)).list()
    assert (slow.value.reason, large.value.reason) == ("error.git_slow", "error.git_large")


async def test_a_sync_that_is_broken_off_leaves_no_process_and_the_next_goes_on(tmp_path: Path) -> None:
    repository(tmp_path / "www" / "docs", {"a.md": "a"})
    async with git_host(tmp_path / "www") as host:
        found = source(f"{host.url}/docs/.git", tmp_path)
        host.pause = 60
        listing = asyncio.create_task(found.list())
        while not host.asked:
            await asyncio.sleep(0.02)
        listing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await listing
        host.pause = 0
        assert names(await found.list()) == ["a.md"]


async def test_a_repository_of_this_machine_is_linked_by_the_name_of_its_own_origin(tmp_path: Path) -> None:
    docs = repository(tmp_path / "docs", {"a.md": "# A"})
    link = "https://code.example/{repository}/{commit}/{path}"
    with pytest.raises(SourceError) as refused:
        await source(str(docs.path), tmp_path, link=link).list()
    assert refused.value.reason == "error.git_repository"
    assert "{repository} in `link`" in refused.value.user_message("en")
    config = next(path for path in (docs.path / ".git" / "config", docs.path / "config") if path.is_file())
    with config.open("a", encoding="utf-8") as file:
        file.write('[remote "origin"]\n\turl = git@code.example:acme/docs.git\n')
    for address in (str(docs.path), f"file://{docs.path}"):
        (entry,) = (await source(address, tmp_path, link=link).list()).entries
        assert entry.link is not None
        assert entry.link.startswith("https://code.example/acme/docs/")
    (bare,) = (await source(str(docs.path), tmp_path, link="https://code.example/docs/{path}").list()).entries
    assert bare.link == "https://code.example/docs/a.md"
