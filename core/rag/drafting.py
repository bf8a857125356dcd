"""The words of a writer as they come: shown while they grow, kept when time runs out."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from core.citations import MarkerStream
from core.markers import settled
from core.ports import WriteRequest
from core.rag.context import RunContext

_CUT = "…"


@dataclass(frozen=True, slots=True)
class Draft:
    """What was written; `cut` when the deadline came before its end."""

    text: str
    cut: bool = False


async def drafted(request: WriteRequest, ctx: RunContext) -> Draft:
    """The whole text, or at the deadline what there is of it, without half a marker or link at its end."""
    markers = MarkerStream(request.evidence)
    chunks: list[str] = []
    limit = asyncio.timeout_at(ctx.deadline)
    try:
        async with limit:
            async for chunk in ctx.steps.writer.write(request):
                chunks.append(chunk)
                await ctx.listener.draft(markers.feed(chunk))
    except TimeoutError:
        if not limit.expired():
            raise
        text = "".join(chunks)
        whole = text[: settled(text)].rstrip()
        return Draft(f"{whole} {_CUT}" if whole else "", cut=True)
    return Draft("".join(chunks))
