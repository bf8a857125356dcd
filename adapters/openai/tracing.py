"""Tells LangChain's tracers about a request, as its own models do: LangSmith when its variables are set.

Nothing is done when nobody listens. Tracers see prompts; that is what they are for, and they are off by default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapters.openai.meter import Meter
from core.chat import Request

if TYPE_CHECKING:
    from langchain_core.callbacks import AsyncCallbackManagerForLLMRun


class Span:
    """One request in a trace, or nothing at all."""

    def __init__(self, run: AsyncCallbackManagerForLLMRun | None) -> None:
        self._run = run

    @classmethod
    async def begun(cls, request: Request, model: str) -> Span:
        """A span under the run that is going on in this context, if anyone traces it."""
        from langchain_core.callbacks import AsyncCallbackManager
        from langchain_core.runnables import ensure_config

        config = ensure_config()
        about = {"ls_provider": "openai", "ls_model_name": model, "ls_model_type": "chat"}
        metadata = {**(config.get("metadata") or {}), **about}
        tags = [*(config.get("tags") or ()), *request.tags]
        manager = AsyncCallbackManager.configure(
            config.get("callbacks"), inheritable_tags=tags, inheritable_metadata=metadata
        )
        if not manager.handlers:
            return cls(None)
        from adapters.openai.building import messages_of

        options: dict[str, Any] = {"model": model, "temperature": request.temperature}
        (run,) = await manager.on_chat_model_start(
            {"name": "OpenAIChat"}, [messages_of(request)], invocation_params=options, name="OpenAIChat"
        )
        return cls(run)

    async def ended(self, text: str, meter: Meter) -> None:
        """It was answered with `text`."""
        if self._run is None:
            return
        from langchain_core.messages import AIMessage
        from langchain_core.messages.ai import UsageMetadata
        from langchain_core.outputs import ChatGeneration, LLMResult

        used = meter.usage()
        usage = UsageMetadata(
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            total_tokens=used.input_tokens + used.output_tokens,
            input_token_details={"cache_read": used.cached_tokens},
        )
        message = AIMessage(text, usage_metadata=usage, response_metadata={"model_name": used.model})
        await self._run.on_llm_end(LLMResult(generations=[[ChatGeneration(message=message)]]))

    async def failed(self, error: BaseException) -> None:
        """It failed, or was given up."""
        if self._run is not None:
            await self._run.on_llm_error(error)
