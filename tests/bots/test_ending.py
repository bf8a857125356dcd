"""A process that was told to end does, whatever hangs in it."""

from __future__ import annotations

import asyncio
import sys

HANGS = """
import time
from bots.ending import ends_within
ends_within(0.1)
time.sleep(60)
"""


async def test_what_hangs_keeps_no_process_that_was_told_to_end() -> None:
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", HANGS, stderr=asyncio.subprocess.PIPE)
    async with asyncio.timeout(20):
        _, said = await process.communicate()
    assert process.returncode == 1
    assert b"not ended in" in said
