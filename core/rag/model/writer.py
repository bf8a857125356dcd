"""The writer by a chat model: the answer's words as they come, markers and all.

Footnotes, foreign links and what is shown when are judged by those who read it; nothing is filtered here.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from core.ports import ChatModel, Writer, WriteRequest
from core.rag.model.speaking import spoken
from core.rag.prompts.writing import direct_request, write_request

DIRECT_TOKENS = 200


class ModelWriter:
    """Implements `core.ports.Writer`. `direct` replies to greetings and the like without a call, if it is given."""

    def __init__(self, model: ChatModel, *, direct: Writer | None = None, max_tokens: int = 1500) -> None:
        self._model = model
        self._direct = direct
        self._max_tokens = max_tokens

    async def write(self, request: WriteRequest) -> AsyncGenerator[str, None]:
        """One call; on the direct route none where the planner has replied or a keyless writer can."""
        if request.plan.route == "direct" and request.plan.reply:
            yield request.plan.reply
            return
        if request.plan.route == "direct" and self._direct is not None:
            async for chunk in self._direct.write(request):
                yield chunk
            return
        prompt = (
            direct_request(request, DIRECT_TOKENS)
            if request.plan.route == "direct"
            else write_request(request, self._max_tokens)
        )
        async with aclosing(spoken(self._model, prompt)) as chunks:
            async for chunk in chunks:
                yield chunk
