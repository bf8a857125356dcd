"""Our copy of a repository's branch: brought up to date, made anew when it is of no use, and used by one at a time.

Whatever ended an earlier sync, and wherever, leaves nothing here that keeps the next one from its work.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from adapters.sources.git_command import Git
from core.errors import ConfigError, SourceError

_REF = "refs/refdesk/head"
_NAMED = ("", "refs/tags/", "refs/heads/")  # in git's own order
_OLDEST = (2, 37)  # the first that can be told which address to connect to
_PACKS = 12
"""So many packs are kept side by side before they are made one."""

_BEGUN = "HEAD"
_ALONE = "refdesk.alone"
_LOOK = 0.05
_HALF_DONE = ("tmp_", ".tmp-", "shallow_")
"""How the names of files begin that git was still writing."""


@dataclass(frozen=True, slots=True)
class Copy:
    """The bare repository in the command's folder; `branch` as in GitOptions."""

    git: Git
    branch: str = ""

    async def brought(self, settings: Mapping[str, str]) -> str:
        """The commit that the branch is at, with all its files here; raises SourceError, ConfigError without git.

        A copy that is damaged, or that is too large for what it has gathered, is made anew, once.
        """
        async with self._alone() as alone:
            while True:
                fresh = await alone.prepared()
                try:
                    return await alone.up_to_date(settings)
                except SourceError as error:
                    if not await alone.is_of_no_use(error):
                        raise
                    await asyncio.to_thread(_clear, self.git.folder)
                    if fresh:
                        raise

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[Copy]:
        """The copy, once no git of a process that was killed works on it any more.

        The lock is handed on to all that we start, so it is held until the last of them has ended.
        """
        await asyncio.to_thread(self.git.folder.mkdir, parents=True, exist_ok=True, mode=0o700)
        with (self.git.folder / _ALONE).open("ab") as file:
            try:
                async with asyncio.timeout(self.git.limits.seconds):
                    while not _locked(file.fileno()):  # noqa: ASYNC110 - nobody tells when it is free
                        await asyncio.sleep(_LOOK)
            except TimeoutError as error:
                raise self.git.slow() from error
            yield replace(self, git=replace(self.git, handed_on=(file.fileno(),)))

    async def prepared(self) -> bool:
        """Whether the copy had to be begun; what was left half done is gone."""
        if await asyncio.to_thread((self.git.folder / _BEGUN).is_file):
            await asyncio.to_thread(_tidy, self.git.folder)
            return False
        await asyncio.to_thread(_clear, self.git.folder)
        if await self.git.version() < _OLDEST:
            raise ConfigError("error.git_old", version=".".join(map(str, _OLDEST)))
        await self.git.run("init", "--quiet", "--bare", "--template=", str(self.git.folder))
        return True

    async def up_to_date(self, settings: Mapping[str, str]) -> str:
        """The commit that the branch is at, with all its files here."""
        wanted = self.branch or "HEAD"
        if not await self._is_here(wanted, settings):
            # Progress is for nobody to read: a git whose reader was killed ends when it has some to tell.
            how = ("--progress", "--force", "--depth=1", "--no-tags", "--no-recurse-submodules")
            address = (self.git.origin.url, f"+{wanted}:{_REF}")
            await self.git.fetch(*how, "--no-write-fetch-head", "--", *address, settings=settings)
        commit = (await self.git.run("rev-parse", "--verify", f"{_REF}^{{commit}}")).decode().strip()
        await self._packed()
        await self.git.check_size()
        return commit

    async def is_of_no_use(self, error: SourceError) -> bool:
        """Whether only another copy can help."""
        if error.reason != "error.git_failed":
            return error.reason == "error.git_large"
        try:
            await self.git.run("fsck", "--connectivity-only", "--no-dangling", "--no-progress")
        except SourceError:
            return True
        return False

    async def _is_here(self, wanted: str, settings: Mapping[str, str]) -> bool:
        """Whether the host still has at this name what is here. A commit's own name is no name of the host's."""
        listed = await self.git.run("ls-remote", "--quiet", "--", self.git.origin.url, wanted, settings=settings)
        at = {name: state for state, _, name in (line.partition("\t") for line in listed.decode().split("\n"))}
        state = next((at[place + wanted] for place in _NAMED if place + wanted in at), "")
        try:
            here = (await self.git.run("rev-parse", "--verify", "--quiet", _REF)).decode().strip()
            return here == state and bool(await self.git.run("cat-file", "-t", f"{_REF}^{{tree}}"))
        except SourceError:
            return False

    async def _packed(self) -> None:
        """Each fetch leaves a pack, and objects of commits that nobody asks for any more."""
        packs = self.git.folder / "objects" / "pack"
        if await asyncio.to_thread(lambda: len([*packs.glob("*.pack")])) > _PACKS:
            await self.git.run("gc", "--quiet", "--prune=now")


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _tidy(folder: Path) -> None:
    """Delete the locks and the half-written files of a git that was ended. Only for who is alone here."""
    for place, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".lock") or name.startswith(_HALF_DONE) or name == "gc.pid":
                with suppress(OSError):
                    (Path(place) / name).unlink()


def _clear(folder: Path) -> None:
    """Delete all but the lock, first what says that there is a copy: half of one is none."""
    (folder / _BEGUN).unlink(missing_ok=True)
    for each in folder.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        elif each.name != _ALONE:
            each.unlink()
