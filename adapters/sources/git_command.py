"""Running `git` so that nothing but the repository asked for is reached and nothing of it is run.

No configuration but ours, no hooks, no submodules, no filters (nothing is ever checked out), no prompt, one
protocol, and a limit of time and size. Knows no documents.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from adapters.sources.git_remote import Remote
from core.errors import ConfigError, ParseError, SourceError

_LOOK = 0.25
_PIECE = 2**16
_KEPT = 4000  # bytes of what git complains about
_GRACE = 2.0
"""Seconds for a git that is told to end: it takes its locks with it."""

_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.askPass": "",
    "core.sshCommand": "false",  # whoever goes to a host says how
    "credential.helper": "",
    "fetch.recurseSubmodules": "false",
    "submodule.recurse": "false",
    "fetch.unpackLimit": "1",  # packs: their progress is told each second, single files' is not
    "transfer.fsckObjects": "false",  # old repositories fail it; nothing of them is ever checked out
    "http.followRedirects": "false",  # nobody could check where one leads
    "http.lowSpeedLimit": "100",
    "http.lowSpeedTime": "60",
    "gc.auto": "0",
    "maintenance.auto": "false",
}
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_SSH_VARIANT": "ssh",
    "LC_ALL": "C",
}


@dataclass(frozen=True, slots=True)
class GitLimits:
    """How long one exchange with the repository's host may take, how much the copy may hold and a command print."""

    seconds: float = 600.0
    bytes: int = 2**30
    printed: int = 2**27


@dataclass(frozen=True, slots=True)
class Git:
    """The command over one bare repository in `folder`. `environment` is what of ours it may see (PATH, HOME, …).

    `handed_on` are open files that whatever is started holds open too.
    """

    folder: Path
    origin: Remote
    limits: GitLimits = field(default_factory=GitLimits)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    handed_on: tuple[int, ...] = ()

    async def run(self, *arguments: str, settings: Mapping[str, str] | None = None) -> bytes:
        """What the command prints; raises SourceError `error.git_…`, ConfigError without git."""
        return await self._in_time(arguments, settings or {})

    async def fetch(self, *arguments: str, settings: Mapping[str, str]) -> None:
        """A command that brings something in; raises as `run`, `error.git_large` when it brings too much."""
        growing = asyncio.create_task(self._grown())
        fetching = asyncio.create_task(self._in_time(("fetch", *arguments), settings))
        try:
            await asyncio.wait({growing, fetching}, return_when=asyncio.FIRST_COMPLETED)
            if not fetching.done():
                raise self._large()
            await fetching
        finally:
            growing.cancel()
            fetching.cancel()
            await asyncio.gather(growing, fetching, return_exceptions=True)

    async def check_size(self) -> None:
        """Raises SourceError `error.git_large` when the copy holds more than it may."""
        if await asyncio.to_thread(_size, self.folder) > self.limits.bytes:
            raise self._large()

    def slow(self) -> SourceError:
        """What is to be said when the time is over."""
        return SourceError("error.git_slow", source=self.origin.shown, seconds=f"{self.limits.seconds:g}")

    def _large(self) -> SourceError:
        return SourceError("error.git_large", source=self.origin.shown, limit_mb=max(1, self.limits.bytes // 2**20))

    async def version(self) -> tuple[int, ...]:
        """The version of the command; raises ConfigError without git."""
        found = re.search(rb"(\d+)\.(\d+)", await self.run("version"))
        return (int(found[1]), int(found[2])) if found else ()

    async def blob(self, name: str) -> bytes:
        """The contents of a file by its object name; raises ParseError `parse.gone`."""
        try:
            return await self.run("cat-file", "blob", name)
        except SourceError as error:
            raise ParseError("parse.gone") from error

    async def _in_time(self, arguments: Sequence[str], settings: Mapping[str, str]) -> bytes:
        process = await self._started(arguments, settings)
        try:
            async with asyncio.timeout(self.limits.seconds):
                printed, complained = await self._said(process)
        except TimeoutError as error:
            raise self.slow() from error
        finally:
            await ended(process)
        if process.returncode != 0:
            what = self._told(complained)
            raise SourceError("error.git_failed", detail=what, source=self.origin.shown, what=what)
        return printed

    async def _said(self, process: asyncio.subprocess.Process) -> tuple[bytes, bytes]:
        """What it prints, and the end of what it complains about. A small repository can list without end."""
        assert process.stdout is not None
        assert process.stderr is not None
        complaining = asyncio.create_task(_tail(process.stderr))
        try:
            printed = bytearray()
            while more := await process.stdout.read(_PIECE):
                printed += more
                if len(printed) > self.limits.printed:
                    raise self._large()
            await process.wait()
            return bytes(printed), await complaining
        finally:
            complaining.cancel()

    async def _started(self, arguments: Sequence[str], settings: Mapping[str, str]) -> asyncio.subprocess.Process:
        try:
            return await asyncio.create_subprocess_exec(
                "git",
                *arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=self._environment(settings),
                cwd=self.folder,
                pass_fds=self.handed_on,
                start_new_session=True,  # so that its helpers end with it
            )
        except (FileNotFoundError, PermissionError) as error:
            raise ConfigError("error.git_missing") from error

    def _environment(self, settings: Mapping[str, str]) -> dict[str, str]:
        """Settings go through the environment: arguments can be read by everybody on the machine."""
        chosen = list({**_SETTINGS, **settings}.items())
        numbered = {f"GIT_CONFIG_KEY_{n}": key for n, (key, _) in enumerate(chosen)}
        numbered |= {f"GIT_CONFIG_VALUE_{n}": value for n, (_, value) in enumerate(chosen)}
        return {
            **self.environment,
            **_ENVIRONMENT,
            **numbered,
            "GIT_CONFIG_COUNT": str(len(chosen)),
            "GIT_ALLOW_PROTOCOL": self.origin.scheme,
            "GIT_DIR": str(self.folder),
        }

    async def _grown(self) -> None:
        """Ends when the copy has grown too large."""
        while True:
            if await asyncio.to_thread(_size, self.folder) > self.limits.bytes:
                return
            await asyncio.sleep(_LOOK)

    def _told(self, complained: bytes) -> str:
        """The last thing that git said, in one line, without secrets."""
        lines = re.split(r"[\r\n]", complained[-_KEPT:].decode("utf-8", "replace"))  # progress is told on one line
        telling = [line.strip() for line in lines if line.startswith(("fatal:", "error:", "ERROR", "remote:"))]
        last = (telling or [line.strip() for line in lines if line.strip()] or ["it gave no reason"])[-1]
        return self.origin.masked(last.removeprefix("fatal: ").removeprefix("error: ").rstrip("."))[:300]


async def ended(process: asyncio.subprocess.Process) -> None:
    """Whatever still runs of it is ended; nothing is left behind when a sync is broken off."""
    if process.returncode is not None:
        return
    _signal(process, signal.SIGTERM)
    try:
        async with asyncio.timeout(_GRACE):
            await process.wait()
    except TimeoutError:
        pass
    finally:
        _signal(process, signal.SIGKILL)  # helpers, too, that outlive it
        await asyncio.shield(process.wait())


def _signal(process: asyncio.subprocess.Process, what: signal.Signals) -> None:
    """To the process and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, what)


async def _tail(stream: asyncio.StreamReader) -> bytes:
    kept = b""
    while more := await stream.read(_PIECE):
        kept = (kept + more)[-_KEPT:]
    return kept


def _size(folder: Path) -> int:
    """Bytes below the folder; what disappears meanwhile counts nothing."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(path, name)).st_size  # noqa: PTH118 - thousands of them
    return total
