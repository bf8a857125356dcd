"""Slack under load: ten mentions a second for a minute over 100 channels of 5 workspaces, then fifty a second.

One serving process, composed as `refdesk serve` does it, whose models take 2 s; the stand-in for Slack is a process of
its own and keeps Slack's rates. What is measured is the platform's path: acknowledged, first sign of life, answered.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from adapters.clock import SystemClock
from adapters.local.hashing import HashingEmbedder
from adapters.slack.web import SlackWeb
from bots.compose.base import opened_base
from bots.compose.embedding import Embedders
from bots.compose.service import service_over
from bots.compose.slack import slack_over
from bots.process import tune
from bots.settings import Settings, validated
from bots.slack_connection import connected
from core.retrieval.recent import RecentEmbedder
from tests.benchmarks.load import Measured, beside
from tests.benchmarks.rows import Row
from tests.benchmarks.scale import at_most
from tests.slack.town import built, collections, is_whole
from tests.slack.voices import PROFILE, speaking
from tests.slack_server import Message, Rules, SlackServer

TEAMS, ROOMS, PEOPLE = 5, 20, 40
"""Workspaces; channels and people of each."""

STEADY, BURST = (10, 60), (50, 10)
"""Mentions a second, for so many seconds."""

PATIENCE = 180.0
"""Seconds within which the last question has to be answered."""

QUESTIONS = (
    "how many days of annual leave are there?",
    "what is refunded for a hotel night?",
    "how do I roll back a release?",
    "how often is the database backed up?",
    "what does the Pro plan cost?",
)


async def run(_: Path | None) -> list[Row]:
    """All rows."""
    steady, burst = await _measured(*STEADY), await _measured(*BURST)
    rate, seconds = STEADY
    what, load = f"slack {rate}/s for {seconds} s", f"slack {BURST[0]}/s for {BURST[1]} s"
    return [
        at_most(f"{what}: first sign of life, p95", steady["sign_p95_ms"], "ms", 300),
        at_most(f"{what}: acknowledged, p99", steady["ack_p99_ms"], "ms", 1000),
        at_most(f"{what}: the last answer after", steady["last_s"], "s", PATIENCE),
        Row(f"{what}: answered after, p50", steady["answer_p50_s"], "s"),
        at_most(f"{what}: lost", steady["lost"], "questions", 0),
        at_most(f"{what}: answered twice", steady["doubled"], "questions", 0),
        at_most(f"{what}: calls refused for their rate", steady["refused"], "calls", 0),
        at_most(f"{load}: acknowledged, p99", burst["ack_p99_ms"], "ms", 3000),
        at_most(f"{load}: first sign of life, p95", burst["sign_p95_ms"], "ms", 3000),
        at_most(f"{load}: the last answer after", burst["last_s"], "s", PATIENCE),
        at_most(f"{load}: lost or answered twice", burst["lost"] + burst["doubled"], "questions", 0),
        at_most(f"{load}: calls refused for their rate", burst["refused"], "calls", 0),
    ]


async def _measured(rate: int, seconds: int) -> Measured:
    """A fresh Slack in a process of its own, and a service of this one."""
    return await beside("tests.benchmarks.slack_load", _serving, rate, seconds)


@asynccontextmanager
async def _serving(folder: Path, place: dict[str, Any]) -> AsyncIterator[None]:
    """As `refdesk serve` composes it, with each workspace's own token."""
    embedder = RecentEmbedder(HashingEmbedder(64))
    home = await built(folder, Embedders(embedder, embedder, embedder))
    tokens: dict[str, str] = place["tokens"]

    async def token(team: str) -> str:
        return tokens[team] if team else next(iter(tokens.values()))

    async with AsyncExitStack() as stack:
        models = speaking(before=1.0, between=0.12)  # about 2 s with the words of an answer
        base = await opened_base(stack, _settings(folder, place), home.embedders, SystemClock(), models)
        web = await stack.enter_async_context(SlackWeb(token, place["base_url"]))
        service = await service_over(stack, base, slack_over(base, web))
        await stack.enter_async_context(connected(service))
        yield


def _settings(folder: Path, place: dict[str, Any]) -> Settings:
    slack = {"mode": "socket", "base_url": place["base_url"], "app_token": place["app_token"]}
    given = {"data_dir": folder, "collections": collections(folder), "models": PROFILE}
    return validated({**given, "slack": {**slack, "bot_token": next(iter(place["tokens"].values()))}}, "slack_load")


@dataclass(frozen=True, slots=True)
class Crowd:
    """People of several workspaces who mention us."""

    slack: SlackServer
    rooms: Sequence[tuple[Any, Any, str]]
    """A channel, somebody in it, and how they mention us."""

    async def ask(self, rate: int, seconds: int) -> list[Message]:
        """Their questions, one after the other at this rate."""
        asked = []
        loop = asyncio.get_running_loop()
        began = loop.time()
        for number in range(rate * seconds):
            await asyncio.sleep(max(0.0, began + number / rate - loop.time()))
            channel, person, us = self.rooms[number % len(self.rooms)]
            asked.append(self.slack.say(channel, person, f"{us} {QUESTIONS[number % len(QUESTIONS)]}"))
        return asked

    async def answered(self, asked: Sequence[Message]) -> dict[str, float]:
        """Seconds to the whole answer of each question, once all have one or patience has run out."""
        ends: dict[str, float] = {}
        last = self.slack.now
        while len(ends) < len(asked) and self.slack.now - last < PATIENCE:
            for each in asked:
                if each.ts not in ends and (end := self._end(each)) is not None:
                    ends[each.ts] = end - each.written
            await asyncio.sleep(0.25)
        return ends

    def _end(self, question: Message) -> float | None:
        found = [each for each in self.slack.bot_messages(question) if is_whole(each) and "[1]" in each.words]
        return found[-1].versions[-1][0] if found else None

    def measured(self, asked: Sequence[Message], ends: dict[str, float]) -> Measured:
        """The numbers."""
        own = {each.ts for each in asked}
        acks = [each.acked - each.sent[0] if each.acked else 99.0 for each in self._told(own)]
        signs = [sign if (sign := self.slack.first_sign(each)) is not None else 99.0 for each in asked]
        return {
            "sign_p50_ms": _percentile(signs, 50),
            "sign_p95_ms": _percentile(signs, 95),
            "ack_p99_ms": _percentile(acks, 99),
            "answer_p50_s": round(float(np.percentile(list(ends.values()) or [0.0], 50)), 1),
            "last_s": round(max(ends.values(), default=0.0), 1),
            "lost": len(asked) - len(ends),
            "doubled": sum(len(self.slack.bot_messages(each)) > 1 for each in asked),
            "refused": len(self.slack.refused("ratelimited")),
        }

    def _told(self, own: set[str]) -> list[Any]:
        """The deliveries of the questions, not those of our own messages."""
        return [each for each in self.slack.deliveries if each.event.get("ts") in own]


def _percentile(seconds: Sequence[float], share: int) -> float:
    return round(1000 * float(np.percentile(seconds, share)))


async def _slack(rate: int, seconds: int) -> None:
    """The stand-in: says where it is, waits for a word, lets people ask, and tells what it saw."""
    async with SlackServer(Rules(rates=True)) as slack:
        teams = [slack.workspace, *(slack.add_workspace(f"Team {number}") for number in range(1, TEAMS))]
        rooms = []
        for team in teams:
            people = [slack.user(f"P{number}", team) for number in range(PEOPLE)]
            channels = [slack.channel(f"room-{number}", workspace=team) for number in range(ROOMS)]
            rooms.append([(channels[n % ROOMS], people[n], str(slack.bot_of(team))) for n in range(PEOPLE)])
        crowd = Crowd(slack, [room for each in zip(*rooms, strict=True) for room in each])
        tokens = {team.id: slack.token_of(team) for team in teams}
        print(json.dumps({"base_url": slack.base_url, "app_token": slack.app.app_token, "tokens": tokens}), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        asked = await crowd.ask(rate, seconds)
        ends = await crowd.answered(asked)
        print(json.dumps(crowd.measured(asked, ends)), flush=True)


def _main(arguments: Sequence[str]) -> None:
    tune()  # as the command does
    asyncio.run(_slack(int(arguments[0]), int(arguments[1])))


if __name__ == "__main__":
    _main(sys.argv[1:])
