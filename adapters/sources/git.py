"""A git repository as a source of documents: a copy of one commit, never checked out.

Contents are read from git's own objects, so that no hook, filter, submodule or link of the repository comes to
life here. A document's fingerprint is the name of its contents: nothing changes but what changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import shutil
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from adapters.sources.choosing import DEFAULT_EXCLUDE, is_text, matcher, media_type
from adapters.sources.files import too_large
from adapters.sources.git_command import Git, GitLimits
from adapters.sources.git_remote import Remote, file_link, pattern_of, remote
from adapters.sources.resolving import Resolve, admitted, system_resolve
from core.documents import Listing, Problem, SourceEntry
from core.errors import ConfigError, ParseError, SourceError
from core.web.reach import Reach

_REF = "refs/refdesk/head"
_FILE, _PROGRAM = "100644", "100755"
_LFS = b"version https://git-lfs.github.com/spec/"
_NAMED = ("", "refs/tags/", "refs/heads/")  # in git's own order
_OLDEST = (2, 37)  # the first that can be told which address to connect to
_PACKS = 12
"""So many packs are kept side by side before they are made one."""


@dataclass(frozen=True, slots=True)
class GitOptions:
    """What of the repository is wanted. `branch` may be a tag; empty: what the host calls its head.

    `link` is a pattern over {repository}, {commit}, {path} (in the repository) for web hosts that nobody knows.
    """

    branch: str = ""
    subfolder: str = ""
    include: tuple[str, ...] = ("**/*",)
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    link: str = ""
    max_bytes: int = 25 * 2**20
    limits: GitLimits = field(default_factory=GitLimits)


@dataclass(frozen=True, slots=True)
class GitSource:
    """The files of a branch below `subfolder`; the copy is kept in `folder` between syncs.

    `environment` is what of this process git may see; nothing else is passed on.
    """

    origin: Remote
    folder: Path
    options: GitOptions = field(default_factory=GitOptions)
    reach: Reach = field(default_factory=Reach)
    resolve: Resolve = system_resolve
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)

    async def list(self) -> Listing:
        """The documents of the branch as it is now; raises SourceError `error.git_…`, ConfigError without git."""
        commit = await self._fetched()
        found = _Found(self, commit, await self._named())
        for line in (await self._tree(commit)).split(b"\0"):
            found.take(line)
        if not found.entries and not found.problems:
            place = self.options.subfolder or "/"
            raise SourceError("error.git_empty", source=self.origin.shown, place=place)
        return Listing(tuple(sorted(found.entries.values(), key=lambda e: e.id)), True, tuple(found.problems))

    async def fetch(self, entry: SourceEntry) -> bytes:
        """The file as it was listed; raises ParseError `parse.gone`, `parse.too_large` or `parse.lfs`."""
        if entry.size > self.options.max_bytes:
            raise too_large(self.options.max_bytes)
        data = await self._git.blob(entry.fingerprint.partition("-")[0])
        if data.startswith(_LFS) and len(data) < 1024:
            raise ParseError("parse.lfs")
        return data

    @property
    def _git(self) -> Git:
        return Git(self.folder, self.origin, self.options.limits, self.environment)

    @property
    def _below(self) -> str:
        below = PurePosixPath(self.options.subfolder.strip("/"))
        return "" if str(below) == "." else unicodedata.normalize("NFC", f"{below}/")

    async def _tree(self, commit: str) -> bytes:
        """The files below the subfolder, in whichever normal form it was committed."""
        for form in ("NFC", "NFD"):
            below = ("--", unicodedata.normalize(form, self._below)) if self._below else ()
            tree = await self._git.run("ls-tree", "-r", "-z", "-l", "--full-tree", commit, *below)
            if tree or self._below.isascii():
                break
        return tree

    async def _named(self) -> Remote:
        """Whose name `link` is filled with: a repository of this machine has that of its own origin.

        Raises SourceError when there is none.
        """
        if "{repository}" not in self.options.link or self.origin.repository:
            return self.origin
        place = Path(self.origin.url.removeprefix("file://"))
        for file in (place / ".git" / "config", place / "config"):
            if not await asyncio.to_thread(file.is_file):
                continue
            with contextlib.suppress(SourceError, ValueError):  # it has no origin, or one that is no address
                told = await self._git.run("config", "--file", str(file), "--get", "remote.origin.url")
                if (named := remote(told.decode("utf-8", "replace"))).repository:
                    return named
        raise SourceError("error.git_repository", source=self.origin.shown)

    async def _fetched(self) -> str:
        """The commit that the branch is at, with all its files here. A copy that is damaged is made anew, once."""
        settings = await self._way_there()
        fresh = await self._prepared()
        try:
            await self._fetch(settings)
        except SourceError as error:
            if fresh or error.reason != "error.git_failed" or not await self._is_damaged():
                raise
            await asyncio.to_thread(shutil.rmtree, self.folder, True)
            await self._prepared()
            await self._fetch(settings)
        commit = (await self._git.run("rev-parse", "--verify", f"{_REF}^{{commit}}")).decode().strip()
        await self._tidied()
        await self._git.check_size()
        return commit

    async def _fetch(self, settings: Mapping[str, str]) -> None:
        wanted = self.options.branch or "HEAD"
        if await self._is_here(wanted, settings):
            return
        how = ("--quiet", "--force", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
        await self._git.fetch(*how, "--", self.origin.url, f"+{wanted}:{_REF}", settings=settings)

    async def _is_here(self, wanted: str, settings: Mapping[str, str]) -> bool:
        """Whether the host still has at this name what is here. A commit's own name is no name of the host's."""
        listed = await self._git.run("ls-remote", "--quiet", "--", self.origin.url, wanted, settings=settings)
        at = {name: state for state, _, name in (line.partition("\t") for line in listed.decode().split("\n"))}
        state = next((at[place + wanted] for place in _NAMED if place + wanted in at), "")
        try:
            here = (await self._git.run("rev-parse", "--verify", "--quiet", _REF)).decode().strip()
            return here == state and await self._is_whole()
        except SourceError:
            return False

    async def _is_whole(self) -> bool:
        return bool(await self._git.run("cat-file", "-t", f"{_REF}^{{tree}}"))

    async def _prepared(self) -> bool:
        """Whether the copy had to be begun."""
        if await asyncio.to_thread((self.folder / "HEAD").is_file):
            return False
        await asyncio.to_thread(self.folder.mkdir, parents=True, exist_ok=True, mode=0o700)
        if await self._git.version() < _OLDEST:
            raise ConfigError("error.git_old", version=".".join(map(str, _OLDEST)))
        await self._git.run("init", "--quiet", "--bare", "--template=", str(self.folder))
        return True

    async def _is_damaged(self) -> bool:
        try:
            await self._git.run("fsck", "--connectivity-only", "--no-dangling", "--no-progress")
        except SourceError:
            return True
        return False

    async def _tidied(self) -> None:
        """Each fetch leaves a pack, and objects of commits that nobody asks for any more."""
        packs = self.folder / "objects" / "pack"
        if await asyncio.to_thread(lambda: len([*packs.glob("*.pack")])) > _PACKS:
            await self._git.run("gc", "--quiet", "--prune=now")

    async def _way_there(self) -> dict[str, str]:
        """Settings that sign in and that hold the connection to an address that was looked at."""
        origin = self.origin
        settings = {"http.extraHeader": origin.authorization} if origin.authorization else {}
        if origin.scheme == "file":
            return settings
        try:
            addresses = await self.resolve(origin.host, origin.port)
        except OSError as error:
            if origin.scheme == "ssh" or any(name.lower().endswith("s_proxy") for name in self.environment):
                return settings  # a name that only ~/.ssh/config or the proxy knows
            raise SourceError("error.git_failed", source=origin.shown, what=f"{origin.host} is not known") from error
        kept = admitted(self.reach, origin.host, addresses)
        if not kept:
            raise SourceError("error.source_private", source=origin.shown, host=origin.host)
        shown = ",".join(f"[{each}]" if ":" in each else each for each in kept)
        return settings | {"http.curloptResolve": f"{origin.host}:{origin.port}:{shown}"}


@dataclass
class _Found:
    """What a tree holds of documents that are wanted."""

    source: GitSource
    commit: str
    named: Remote
    entries: dict[str, SourceEntry] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    include: Callable[[str], bool] = field(init=False)
    exclude: Callable[[str], bool] = field(init=False)
    pattern: str = field(init=False)
    mark: str = field(init=False)

    def __post_init__(self) -> None:
        options = self.source.options
        self.include, self.exclude = matcher(options.include), matcher(options.exclude)
        self.pattern = options.link or pattern_of(self.source.origin)
        # Where a file is linked to is part of what a document is.
        where = f"{self.source.origin.url} {options.subfolder} {self.pattern}"
        if self.named != self.source.origin:
            where += f" {self.named.repository}"
        self.mark = hashlib.sha256(where.encode()).hexdigest()[:8]

    def take(self, line: bytes) -> None:
        """One line: ``mode SP type SP name SP size TAB path``. Links and submodules are no documents."""
        state, _, raw = line.partition(b"\t")
        fields = state.decode("ascii", "replace").split()
        if len(fields) != 4 or fields[0] not in (_FILE, _PROGRAM):
            return
        path = os.fsdecode(raw) if not raw.isascii() else raw.decode()
        name = unicodedata.normalize("NFC", path).removeprefix(self.source._below)  # noqa: SLF001 - its own part
        if not is_text(path):
            self.problems.append(Problem(ascii(name), "parse.name"))
        elif self.include(name) and not self.exclude(name):
            self._add(name, PurePosixPath(path), fields[2], int(fields[3]))

    def _add(self, name: str, path: PurePosixPath, blob: str, size: int) -> None:
        if name in self.entries:
            self.problems.append(Problem(name, "parse.name_twice"))
            return
        link = file_link(self.named, self.pattern, self.commit, path)
        self.entries[name] = SourceEntry(name, f"{blob}-{self.mark}", size, media_type(name), None, link)
