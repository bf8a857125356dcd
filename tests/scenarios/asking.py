"""A desk's inside with real parts: graph, steps as composed, client, retrieval, web; only the models are scripted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from adapters.embedded.index import EmbeddedIndex
from adapters.memory.shelf import MemoryShelf
from adapters.parsers.splitter import MarkdownSplitter
from adapters.tavily import TavilyOptions, TavilySearch
from bots.compose.embedding import Embedders
from bots.compose.models import opened_models
from bots.compose.steps import Parts, steps_for
from bots.model_settings import ModelSettings
from core.answers import Answer
from core.messages import Exchange
from core.policy import PRESETS, Policy
from core.rag.context import RunContext, Searcher
from core.rag.deadline import Deadline
from core.rag.graph import Runs
from core.rag.ledger import Ledger
from core.retrieval.search import Retriever
from core.web.domains import domains
from core.web.pages import Reading
from tests.openai_server.server import Manners, OpenAIServer, Script
from tests.rag.stand_ins import Recorder
from tests.scenarios import library
from tests.scenarios.scripts import line
from tests.tavily_server.server import TavilyServer

KEY = "sk-scenario-0123456789"
WEB_KEY = "tvly-scenario-0123456789"
QUESTION = "How long does rolling back a release take?"

TIMES = {"timeout": 5, "idle": 2, "max_retries": 1}


@cache
def graph() -> Runs:
    """The graph without a saver: it holds nothing of a run, and takes a while to be compiled."""
    return Runs()


@dataclass
class Room:
    """Everything that a run uses, and what it left behind."""

    server: OpenAIServer
    parts: Parts
    pages: tuple[library.Page, ...] = library.PAGES
    web: TavilyServer | None = None
    heard: Recorder = field(default_factory=Recorder)
    ledger: Ledger = field(default_factory=lambda: Ledger(None))

    async def ask(self, question: str = QUESTION, **more: Any) -> Answer:
        """One run of the graph."""
        policy = self.parts.policy
        self.ledger = Ledger(policy.max_model_calls)
        context = RunContext(
            run="t/1",
            asked=question,
            language="en",
            today=library.TODAY,
            steps=steps_for(self.parts)(self.ledger),
            policy=policy,
            scope=library.scope(self.pages),
            cards=library.CARDS,
            listener=self.heard,
            deadline=Deadline(asyncio.get_running_loop().time() + policy.deadline),
            ledger=self.ledger,
        )
        return await graph().run(replace(context, **more))

    @property
    def calls(self) -> list[str]:
        """The requests to the models, in order."""
        return [line(call) for call in self.server.chats]

    @property
    def queries(self) -> list[str]:
        """What the web was searched for, in order."""
        return [str(asked.body["query"]) for asked in self.web.asked] if self.web else []


@dataclass(frozen=True, slots=True)
class Setting:
    """What differs from room to room."""

    index: Path
    policy: Policy = PRESETS["adaptive"]
    web: TavilyServer | None = None
    manners: Manners | None = None
    models: Mapping[str, Any] = field(default_factory=dict)
    pages: tuple[library.Page, ...] = library.PAGES
    searcher: Searcher | None = None


@asynccontextmanager
async def opened(script: Script, setting: Setting) -> AsyncIterator[Room]:
    """The parts, composed as the application composes them."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(OpenAIServer(script, manners=setting.manners))
        chosen = ModelSettings(
            **{
                "base_url": server.base_url,
                "small": "small",
                "large": "large",
                "profile": "model",
                "key": SecretStr(KEY),
                **TIMES,
                **setting.models,
            }
        )
        index = await stack.enter_async_context(EmbeddedIndex(setting.index, library.ANALYZER))
        embedder = library.EMBEDDER
        parts = Parts(
            Embedders(embedder, embedder, embedder),
            library.ANALYZER,
            setting.searcher or Retriever(index.vectors, index.lexical, index.passages, embedder, library.ANALYZER),
            MemoryShelf(),
            await stack.enter_async_context(tavily(setting.web)) if setting.web else None,
            await opened_models(stack, chosen),
            chosen,
            setting.policy,
        )
        yield Room(server, parts, setting.pages, setting.web)


def tavily(server: TavilyServer) -> TavilySearch:
    """The web on loopback; one domain is allowed."""
    reading = Reading(domains(["docs.example"]), MarkdownSplitter(), 20_000)
    return TavilySearch(WEB_KEY, reading, TavilyOptions(server.url, 2.0, 5))


def past(question: str, answer: str) -> Exchange:
    """An exchange earlier in the thread."""
    return Exchange(question, question, answer, collections=("runbooks",))


def nodes(answer: Answer) -> list[str]:
    """The way through the graph."""
    return [event.node for event in answer.trace if event.node != "total"]
