"""The same conversation at a terminal, in Slack and in Discord: the same turns, plans, answers and citations.

What differs is only how a question comes in and how its answer goes out.
"""

from __future__ import annotations

import io
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from adapters.clock import SystemClock
from adapters.console.screen import Screen
from adapters.console.terminal import Terminal
from adapters.local.hashing import HashingEmbedder
from adapters.memory.chat import Scripted
from bots.compose.base import opened_base
from bots.compose.desk import desk_over
from bots.compose.embedding import Embedders
from bots.settings import validated
from core.chat import Request
from core.messages import Turn
from core.retrieval.recent import RecentEmbedder
from tests.discord.town import opened_town as discord_town
from tests.slack.town import Home, built, collections
from tests.slack.town import opened_town as slack_town
from tests.slack.voices import PROFILE, asked_in, certain, speaking, words_of

ROLLBACK, REST = "How do I roll back a release?", ["handbook", "runbooks", "public"]
PLANS: dict[str, tuple[str, list[str]]] = {
    "how many days of annual leave?": ("How many days of annual leave are there?", ["handbook"]),
    "and how often is the database backed up?": ("How often is the database backed up?", ["runbooks"]),
    "thanks!": ("thanks!", ["direct"]),
    ROLLBACK: (ROLLBACK, ["runbooks", "handbook"]),
    "연차는 며칠인가요?": ("연차는 며칠인가요?", REST),
    "who won the chess championship in 1972?": ("Who won the chess championship in 1972?", REST),
}
"""What is said, and what the model makes of it: follow-ups, small talk, both languages, what no document holds."""


def planned(request: Request) -> Scripted:
    """The model, with a plan of its own for each question; of chess it finds nothing."""
    said = certain(request)
    if isinstance(said, dict) and "route" in said:
        words, route = PLANS[_MESSAGE.findall(words_of(request))[-1]]
        return {**said, "question": words, "route": route, "reply": "You're welcome." if route == ["direct"] else ""}
    if isinstance(said, dict) and "grades" in said and "chess" in asked_in(request):
        return {"grades": str(said["grades"]).replace("yes", "no")}
    return said


_MESSAGE = re.compile(r"<message-\w+>\n(.*?)\n</message-", re.DOTALL)
Say = Callable[[str], Awaitable[Turn]]


@pytest.fixture
async def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The pages' index."""
    embedder = RecentEmbedder(HashingEmbedder(64))
    return await built(tmp_path_factory.mktemp("home"), Embedders(embedder, embedder, embedder))


@asynccontextmanager
async def at_a_terminal(home: Home, folder: Path) -> AsyncIterator[Say]:
    """Somebody types."""
    settings = validated(
        {"data_dir": home.copied(folder), "collections": collections(home.folder), "models": PROFILE}, "parity"
    )
    async with AsyncExitStack() as stack:
        base = await opened_base(stack, settings, home.embedders, SystemClock(), speaking(planned))
        terminal = Terminal(Screen(io.StringIO(), io.StringIO()), SystemClock(), "en")
        desk = await stack.enter_async_context(desk_over(base, terminal.replies(quiet=False), frozenset({"console"})))
        yield lambda text: desk.ask(terminal.message(text, "thread"))


@asynccontextmanager
async def in_slack(home: Home, folder: Path) -> AsyncIterator[Say]:
    """Somebody mentions us in a channel, and again in the thread."""
    async with slack_town(home, folder, models=speaking(planned)) as town:
        root: list[Any] = []

        async def say(text: str) -> Turn:
            asked = town.ask(text, **({"thread_ts": root[0]} if root else {}))
            root.append(asked)
            return await town.ended(asked)

        yield say


@asynccontextmanager
async def in_discord(home: Home, folder: Path) -> AsyncIterator[Say]:
    """Somebody mentions us in a channel, and again in the thread."""
    async with discord_town(home, folder, models=speaking(planned)) as town:
        root: list[Any] = []

        async def say(text: str) -> Turn:
            asked = town.ask(text, town.thread(root[0]) if root else None)
            root.append(asked)
            return await town.ended(asked)

        yield say


def told(turn: Turn) -> dict[str, Any]:
    """What a turn came to, whatever the platform."""
    answer = turn.answer
    assert answer is not None
    assert answer.plan is not None
    plan = answer.plan
    return {
        "question": turn.question,
        "status": turn.status,
        "plan": (plan.question, plan.route, plan.collections, plan.queries, plan.steps, plan.intent),
        "verdict": answer.verdict,
        "standing": answer.standing,
        "text": answer.text,
        "citations": [(each.number, each.passage_id, each.title, each.quote) for each in answer.citations],
        "nearest": [each.passage_id for each in answer.nearest],
        "searched": answer.searched,
    }


async def test_a_conversation_is_the_same_wherever_it_is_held(home: Home, tmp_path: Path) -> None:
    held: dict[str, list[dict[str, Any]]] = {}
    for name, place in (("terminal", at_a_terminal), ("slack", in_slack), ("discord", in_discord)):
        folder = tmp_path / name
        folder.mkdir()
        async with place(home, folder) as say:
            held[name] = [told(await say(text)) for text in PLANS]
    assert held["slack"] == held["terminal"]
    assert held["discord"] == held["terminal"]
    assert any(each["citations"] for each in held["terminal"])
    assert {each["plan"][1] for each in held["terminal"]} >= {"collections", "direct"}
