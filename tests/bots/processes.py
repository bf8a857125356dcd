"""`refdesk` as people start it: a process of its own, what it said, its end. And a handbook that one may change."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bots.places import HANDBOOK, TITLES
from tests.conftest import OURS

LEAVING = 40.0
"""Seconds after which a process that was told to end counts as hanging: it gives its answers six, on a busy machine."""


@dataclass(frozen=True, slots=True)
class Running:
    """A process, and the file that it writes its errors to: a pipe that nobody reads would stop it."""

    process: asyncio.subprocess.Process
    errors: Path

    @property
    def said(self) -> str:
        """What it has said so far."""
        return self.errors.read_text(encoding="utf-8")

    async def ended(self, seconds: float = LEAVING) -> tuple[int, str]:
        """Its exit code, and what it has said; raises TimeoutError when it goes on."""
        async with asyncio.timeout(seconds):
            return await self.process.wait(), self.said

    async def told_to_end(self, *secrets: str) -> None:
        """As a deployment ends it: it goes of its own accord, and has said nothing that it should not."""
        self.process.send_signal(signal.SIGTERM)
        code, said = await self.ended()
        assert code == 0, said
        assert "Traceback" not in said, said
        assert not any(secret in said for secret in secrets)


@asynccontextmanager
async def refdesk(place: Path, *arguments: str, env: Mapping[str, str]) -> AsyncIterator[Running]:
    """A process in this folder, with nothing of the machine's own settings; killed at the end of the block."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    here = {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", **env}
    errors = place / f"errors-{len(list(place.glob('errors-*')))}"
    with errors.open("wb") as written:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bots", *arguments), cwd=place, env={**kept, **here}, stderr=written
        )
    try:
        yield Running(process, errors)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def furnished(place: Path, indexed: Path) -> Path:
    """A copy of the handbook that one may write in, its index, and a refdesk.toml, as a company has them."""
    shutil.copytree(HANDBOOK, place / "docs", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copytree(indexed, place / "data")
    parts = [
        f'[[collections]]\nname = "{name}"\ntitle = "{title}"\nsource = "folder:docs/{name}"\n'
        for name, title in TITLES.items()
    ]
    text = "\n".join(['data_dir = "data"\n', *parts, "[health]\nport = 0\n"])
    (place / "refdesk.toml").write_text(text, encoding="utf-8")
    return place
