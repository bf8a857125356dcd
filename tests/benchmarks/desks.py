"""A desk put together as the product does it, over stores and an index that a benchmark has filled.

Only the reply is a benchmark's own: it notes when something was first shown. Knows no benchmark.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from adapters.checkpoints import sqlite_checkpoints
from adapters.clock import SystemClock
from adapters.embedded.index import EmbeddedIndex
from adapters.sql.catalog import SqlCatalog
from adapters.sql.database import Database
from adapters.sql.sessions import SqlSessions
from adapters.sql.shelf import SqlShelf
from adapters.sql.turns import SqlTurnQueue, SqlTurnRecord
from bots.compose.embedding import Embedders
from bots.compose.models import Models, opened_models
from bots.compose.steps import Parts, steps_for
from bots.model_settings import ModelSettings
from core.access import Visible
from core.answers import Answer
from core.desk.answer import Answering, Room, Stores
from core.desk.hear import Ear, Hearing
from core.desk.reading import FixedAccess
from core.desk.work import TurnLoop
from core.errors import RefdeskError
from core.messages import Accepted, Audience, Author, Message, ReplyTarget, SessionKey, Turn
from core.policy import Policy
from core.ports import Analyzer, ChatModel, Embedder
from core.rag.graph import Runs
from core.retrieval.search import Retriever


@dataclass(frozen=True, slots=True)
class Ground:
    """What a desk stands on: its record, its index, who embeds, and where its runs are written down."""

    database: Database
    index: EmbeddedIndex
    embedder: Embedder
    analyzer: Analyzer
    collections: tuple[str, ...]
    folder: Path

    @property
    def retriever(self) -> Retriever:
        """The product's retrieval."""
        index = self.index
        return Retriever(index.vectors, index.lexical, index.passages, self.embedder, self.analyzer)


@dataclass(slots=True)
class Seen:
    """What a reader saw of one answer, in seconds after the question was asked; None: nothing yet."""

    begun: float = field(default_factory=time.perf_counter)
    status: float | None = None
    word: float | None = None
    end: float | None = None
    turn: Turn | None = None

    def since(self) -> float:
        """Seconds so far."""
        return time.perf_counter() - self.begun

    async def queued(self, status: str) -> None:
        """A status line."""
        await self.progress(status)

    async def progress(self, status: str) -> None:
        """A status line."""
        self.status = self.status or self.since()

    async def show(self, text: str, final: bool) -> None:
        """The whole text so far; words count, an empty draft doesn't."""
        if text.strip():
            self.word = self.word or self.since()

    async def finish(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        """The end."""
        self.end = self.since()

    async def whisper(self, error: RefdeskError) -> None:
        """The end, told aside."""
        self.end = self.since()


@dataclass(slots=True)
class Replies:
    """Opens the reply of each message by its identity."""

    seen: dict[str, Seen] = field(default_factory=dict)

    async def open(self, turn: Turn) -> Seen:
        """The one that was begun when the message was sent."""
        return self.seen.setdefault(turn.identity, Seen())

    def let_go(self, turn: Turn) -> None:
        """Nothing of a reply goes on by itself here."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Sends messages to a desk and waits for their answers, any number at once."""

    hearing: Hearing
    loop: TurnLoop
    replies: Replies

    async def ask(self, question: str, thread: str) -> Seen:
        """What was seen of the answer, and the turn as it ended. Raises the turn's error."""
        message = said(question, thread)
        seen = self.replies.seen[message.identity] = Seen()
        heard = await self.hearing.hear(message)
        assert isinstance(heard, Accepted), heard
        ended = self.loop.ending(heard.turn.id)
        self.loop.wake()
        seen.turn = await ended
        return seen


def said(question: str, thread: str) -> Message:
    """A message that mentions us in a channel's thread."""
    return Message(
        identity=uuid.uuid4().hex,
        key=SessionKey("bench", "w", "c", thread),
        author=Author("u", "Ann"),
        text=question,
        audience=Audience("bench", "w", "c"),
        reply_to=ReplyTarget("bench", "w", "c", thread),
        received_at=datetime.now(UTC),
        mentions_us=True,
    )


@asynccontextmanager
async def opened_desk(
    ground: Ground,
    settings: ModelSettings,
    policy: Policy,
    *,
    width: int = 8,
    heard: Callable[[ChatModel], ChatModel] | None = None,
) -> AsyncIterator[Asking]:
    """A running desk whose runs are written down; so many turns at once, its models passed through `heard`."""
    database, clock, replies = ground.database, SystemClock(), Replies()
    queue, shelf = SqlTurnQueue(database), SqlShelf(database)
    async with AsyncExitStack() as stack:
        models = await opened_models(stack, settings)
        if models is not None and heard is not None:
            models = Models(heard(models.small), heard(models.large), heard(models.checker))
        saver = await stack.enter_async_context(sqlite_checkpoints(ground.folder / "runs.db"))
        embedders = Embedders(ground.embedder, ground.embedder, ground.embedder)
        parts = Parts(embedders, ground.analyzer, ground.retriever, shelf, None, models, settings, policy)
        answering = Answering(
            Stores(queue, SqlTurnRecord(database), SqlSessions(database), SqlCatalog(database)),
            replies,
            steps_for(parts),
            shelf,
            Room(policy, FixedAccess(tuple(map(Visible, ground.collections))), clock, Runs(saver)),
        )
        loop = TurnLoop(queue, answering, "bench", width)
        task = asyncio.create_task(loop.run())
        try:
            yield Asking(Hearing(queue, Ear()), loop, replies)
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
