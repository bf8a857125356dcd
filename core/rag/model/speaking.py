"""A model's stream as text. Knows no step."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from core.chat import Request
from core.ports import ChatModel
from core.streams import closed_after


async def spoken(model: ChatModel, request: Request) -> AsyncGenerator[str, None]:
    """The words as they come; whoever stops listening closes the model's stream."""
    async with closed_after(model.stream(request)) as chunks:
        async for chunk in chunks:
            if chunk.text:
                yield chunk.text
