"""Runs the scripted server here and the measured process beside it, and reports what a question costs."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.cpu.client import AT_ONCE, CROWD, Measured
from tests.benchmarks.latency.rivals import K
from tests.benchmarks.latency.script import PACE, script
from tests.benchmarks.rows import Row
from tests.openai_server.server import OpenAIServer

LONGEST = 900.0
"""Seconds after which the measured process is ended."""


async def run(data: Path | None) -> list[Row]:
    """All rows; the texts are seeded, no data is needed."""
    with tempfile.TemporaryDirectory() as folder:
        async with OpenAIServer(script({}), pace=PACE) as server:
            found = await _apart(folder, server.base_url)
    client, whole, embedding = (min(found[name]) for name in ("client", "whole", "embedding"))
    own, crowd = 1000 * (whole - client), found["crowd"][0]
    return [
        Row(f"cpu_client: the four calls alone, {AT_ONCE} at once", round(1000 * client, 1), "ms"),
        Row(f"cpu_own: the rest of the question, {AT_ONCE} at once", round(own, 1), "ms", "≤ 30", met=own <= 30),
        Row(
            f"cpu_own: of this, embedding the question and the sentences of {K} new passages",
            round(1000 * embedding, 1),
            "ms",
        ),
        Row(f"cpu: {CROWD} questions at once, none with an error", round(crowd, 1), "s", "no error", met=True),
    ]


async def _apart(folder: str, base_url: str) -> Measured:
    """The measured process; raises when a question failed, or when it takes too long."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.benchmarks.cpu.client", folder, base_url),
        env=environment,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(LONGEST):
            told, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise RuntimeError(f"the measured process ended with {process.returncode}")
    measured: Measured = json.loads(told)
    return measured
