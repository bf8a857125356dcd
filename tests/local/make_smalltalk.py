"""Makes adapters/local/smalltalk.npz anew after a change of the phrases: python -m tests.local.make_smalltalk."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np

from adapters.local.smalltalk import phrases
from adapters.local.use import USEEmbedder

TARGET = Path("adapters/local/smalltalk.npz")


async def main() -> None:
    async with USEEmbedder() as embedder:
        rows = await embedder.embed([text for text, _ in phrases()], "query")
        np.savez_compressed(TARGET, vectors=rows.astype(np.float16), embedding=np.array(embedder.name))


if __name__ == "__main__":
    asyncio.run(main())
