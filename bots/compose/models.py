"""The models of an OpenAI-compatible service, opened for a desk."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import ConfigError
from core.ports import ChatModel

if TYPE_CHECKING:
    from adapters.openai.models import OpenAIModels
    from bots.model_settings import ModelSettings


@dataclass(frozen=True, slots=True)
class Models:
    """Who judges, who writes, and who checks what was written."""

    small: ChatModel
    large: ChatModel
    checker: ChatModel


async def opened_models(stack: AsyncExitStack, settings: ModelSettings) -> Models | None:
    """The chat models, open until the stack is closed; None when no step asks one. Raises ConfigError."""
    if not settings.written_by_model:
        return None
    from adapters.openai.chat import OpenAIChat

    models = service(settings)
    names = dict.fromkeys((models.small, models.large, settings.checker or models.small))
    opened = {name: await stack.enter_async_context(OpenAIChat(models, name)) for name in names}
    return Models(opened[models.small], opened[models.large], opened[settings.checker or models.small])


def service(settings: ModelSettings) -> OpenAIModels:
    """The service as its adapter wants it. Raises ConfigError when it needs a key and there is none."""
    from adapters.openai.models import OPENAI, OpenAIModels

    if not settings.base_url and not settings.key.get_secret_value():
        raise ConfigError(
            where="models", what="set OPENAI_API_KEY in the environment, or base_url for a service of your own"
        )
    defaults = OpenAIModels()
    return OpenAIModels(
        base_url=settings.base_url or OPENAI,
        api_key=settings.key,
        small=settings.small or settings.large,
        large=settings.large,
        embedding=settings.embedding or defaults.embedding,
        dimension=settings.dimension,
        timeout=settings.timeout,
        idle=settings.idle,
        max_retries=settings.max_retries,
        structured_method=settings.structured_method,
        prices=settings.prices,
        old_max_tokens=settings.old_max_tokens,
    )
