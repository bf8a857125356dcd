"""`python -m tests.openai_server [PORT]`: an OpenAI-compatible server without a model, to try the other side against.

It prints the base_url to set; any key will do.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

from tests.openai_server.improvising import improvised
from tests.openai_server.replies import Pace
from tests.openai_server.server import OpenAIServer


async def serve(port: int) -> None:
    """Until it is interrupted, at the pace of a quick model."""
    async with OpenAIServer(improvised, pace=Pace(first=0.2, token=0.02), port=port) as server:
        print(f"base_url = {server.base_url}", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
