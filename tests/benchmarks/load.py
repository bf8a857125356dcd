"""A load on a serving process: the stand-in that people write to is a process of its own, and tells what it saw."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

Measured = dict[str, float]
Serving = Callable[[Path, dict[str, Any]], AbstractAsyncContextManager[None]]
"""A service over a data folder, at the place that the stand-in has told."""


async def beside(module: str, serving: Serving, *wanted: str | int) -> Measured:
    """Start the module as the stand-in, serve at its place, let people ask, and take the numbers that it tells."""
    pipe = asyncio.subprocess.PIPE
    stand_in = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *map(str, wanted), stdin=pipe, stdout=pipe
    )
    assert stand_in.stdin is not None
    assert stand_in.stdout is not None
    try:
        place = json.loads(await stand_in.stdout.readline())
        with tempfile.TemporaryDirectory() as folder:
            async with serving(Path(folder), place):
                stand_in.stdin.write(b"go\n")
                numbers: Measured = json.loads(await stand_in.stdout.readline())
        return numbers
    finally:
        if stand_in.returncode is None:
            stand_in.kill()
        await stand_in.wait()
