"""A git repository as a source of documents: a copy of one commit, never checked out.

Contents are read from git's own objects, so that no hook, filter, submodule or link of the repository comes to
life here. A document's fingerprint is the name of its contents: nothing changes but what changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from adapters.sources.choosing import DEFAULT_EXCLUDE, is_text, matcher, media_type
from adapters.sources.files import too_large
from adapters.sources.git_command import Git, GitLimits
from adapters.sources.git_copy import Copy
from adapters.sources.git_remote import Remote, file_link, pattern_of, remote
from adapters.sources.git_way import Way
from adapters.sources.resolving import Resolve, system_resolve
from core.documents import Listing, Problem, SourceEntry
from core.errors import ParseError, SourceError
from core.web.reach import Reach

_FILE, _PROGRAM = "100644", "100755"
_LFS = b"version https://git-lfs.github.com/spec/"


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
        settings = await Way(self.origin, self.reach, self.resolve, self.environment).settings()
        commit = await Copy(self._git, self.options.branch).brought(settings)
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
