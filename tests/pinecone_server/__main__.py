"""The server as a process of its own: `python -m tests.pinecone_server [DELAY]` prints its address and waits."""

from __future__ import annotations

import asyncio
import sys

from tests.pinecone_server.server import serving


async def main() -> None:
    """Until it is ended."""
    async with serving(delay=float(sys.argv[1]) if len(sys.argv) > 1 else 0.0, keeps=False) as server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
