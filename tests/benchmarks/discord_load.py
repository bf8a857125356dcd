"""Discord under load: ten mentions a second for a minute over 100 channels of 5 servers, then fifty a second.

The same load as `slack_load`: one serving process, composed as `refdesk serve` does it, whose models take 2 s; the
stand-in for Discord is a process of its own and keeps Discord's rates. Discord's gateway wants no acknowledgement of a
message, so what is measured is the first sign of life and the answer. Of commands it wants one within three seconds,
however many are called at once.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from simcord.backend.models import Message

from adapters.clock import SystemClock
from adapters.local.hashing import HashingEmbedder
from bots.compose.base import opened_base
from bots.compose.discord import opened_discord
from bots.compose.embedding import Embedders
from bots.compose.service import service_over
from bots.discord_connection import connected
from bots.process import tune
from bots.settings import validated
from core.retrieval.recent import RecentEmbedder
from tests.benchmarks.load import Measured, beside
from tests.benchmarks.rows import Row
from tests.benchmarks.scale import at_most
from tests.benchmarks.slack_load import BURST, PATIENCE, QUESTIONS, STEADY
from tests.discord_server.faults import Limit
from tests.discord_server.invoking import Invocation
from tests.discord_server.people import Person
from tests.discord_server.places import Place
from tests.discord_server.server import DiscordServer
from tests.slack.town import built, collections
from tests.slack.voices import PROFILE, speaking

SERVERS, ROOMS, PEOPLE = 5, 20, 40
"""Servers; channels and people of each."""

CALLED = 200
"""Commands at one moment."""


def rates() -> list[Limit]:
    """Discord's: fifty requests a second in all, five messages and five edits in five seconds and channel."""
    written = Limit(5, 5.0, "POST", "/channels/*/messages"), Limit(5, 5.0, "PATCH", "/channels/*/messages/*")
    return [Limit(50, 1.0, everywhere=True), *written]


async def run(_: Path | None) -> list[Row]:
    """All rows."""
    rows = []
    for (rate, seconds), sign in ((STEADY, 300), (BURST, None)):
        what, measured = f"discord {rate}/s for {seconds} s", await _measured("ask", rate, seconds)
        first = f"{what}: first sign of life, p95"
        rows += [
            at_most(first, measured["sign_p95_ms"], "ms", sign) if sign else Row(first, measured["sign_p95_ms"], "ms"),
            at_most(f"{what}: the last answer after", measured["last_s"], "s", PATIENCE),
            Row(f"{what}: answered after, p50", measured["answer_p50_s"], "s"),
            at_most(f"{what}: lost", measured["lost"], "questions", 0),
            at_most(f"{what}: answered twice", measured["doubled"], "questions", 0),
            at_most(f"{what}: calls refused for their rate", measured["refused"], "calls", 0),
        ]
    called, measured = f"discord {CALLED} commands at once", await _measured("call", CALLED)
    return [
        *rows,
        at_most(f"{called}: the slowest first answer", measured["slowest_ms"], "ms", 3000),
        at_most(f"{called}: not answered", measured["lost"], "commands", 0),
    ]


async def _measured(*wanted: str | int) -> Measured:
    """A fresh Discord in a process of its own, and a service of this one."""
    return await beside("tests.benchmarks.discord_load", _serving, *wanted)


@asynccontextmanager
async def _serving(folder: Path, place: dict[str, Any]) -> AsyncIterator[None]:
    """As `refdesk serve` composes it."""
    embedder = RecentEmbedder(HashingEmbedder(64))
    home = await built(folder, Embedders(embedder, embedder, embedder))
    given = {"data_dir": folder, "collections": collections(folder), "models": PROFILE, "discord": place}
    async with AsyncExitStack() as stack:
        models = speaking(before=1.0, between=0.12)  # about 2 s with the words of an answer
        settings = validated(given, "discord_load")
        base = await opened_base(stack, settings, home.embedders, SystemClock(), models)
        discord = await opened_discord(stack, base)
        service = await service_over(stack, base, discord=discord)
        await stack.enter_async_context(connected(service))
        yield


@dataclass(frozen=True, slots=True)
class Crowd:
    """People of several servers who mention us."""

    discord: DiscordServer
    rooms: Sequence[tuple[Place, Person]]
    said: dict[int, float] = field(default_factory=dict)
    """When each question was asked, by its id."""

    async def ask(self, rate: int, seconds: int) -> None:
        """Their questions, one after the other at this rate."""
        loop, us = asyncio.get_running_loop(), self.discord.world.bot.mention
        began = loop.time()
        for number in range(rate * seconds):
            await asyncio.sleep(max(0.0, began + number / rate - loop.time()))
            place, person = self.rooms[number % len(self.rooms)]
            asked = person.says(place, f"{us} {QUESTIONS[number % len(QUESTIONS)]}")
            self.said[asked.id] = loop.time()

    async def call(self, count: int) -> Measured:
        """Commands of all of them in one moment: every other one asks, the others list what there is."""
        loop, sent = asyncio.get_running_loop(), dict[str, tuple[float, Invocation]]()
        for number in range(count):
            place, person = self.rooms[number % len(self.rooms)]
            began, question = loop.time(), QUESTIONS[number % len(QUESTIONS)]
            asks = number % 2 == 0
            made = person.slash(place, "ask", question=question) if asks else person.slash(place, "collections")
            sent[str(made.record.id)] = began, made
        until = loop.time() + PATIENCE
        while loop.time() < until and not all(_is_told(made) for _, made in sent.values()):
            await asyncio.sleep(0.25)
        acknowledged = self.discord.called("POST", "/interactions/*/*/callback")
        first = {call.path.split("/")[2]: call.at for call in acknowledged}
        slowest = max(first.get(id, 99.0 + began) - began for id, (began, _) in sent.items())
        return {"slowest_ms": round(1000 * slowest), "lost": sum(not _is_told(made) for _, made in sent.values())}

    async def answered(self) -> set[int]:
        """The questions that have a whole answer, once all have or patience has run out."""
        whole: set[int] = set()
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while len(whole) < len(self.said) and loop.time() < until:
            whole |= {each for each in self.said.keys() - whole if any(map(_is_whole, self._ours(each)))}
            await asyncio.sleep(0.25)
        return whole

    def measured(self, whole: set[int]) -> Measured:
        """The numbers."""
        calls = self._calls()
        signs = [calls[each][0] - at if each in calls else 99.0 for each, at in self.said.items()]
        ends = [calls[each][-1] - self.said[each] for each in whole]
        return {
            "sign_p95_ms": round(1000 * float(np.percentile(signs, 95))),
            "answer_p50_s": round(float(np.percentile(ends or [0.0], 50)), 1),
            "last_s": round(max(ends, default=0.0), 1),
            "lost": len(self.said) - len(whole),
            "doubled": sum(len(self._ours(each)) > 1 for each in self.said),
            "refused": sum(call.status == 429 for call in self.discord.calls),
        }

    def _calls(self) -> dict[int, list[float]]:
        """When something was written or changed in the thread of each question."""
        found: dict[int, list[float]] = {}
        for call in self.discord.calls:
            parts = call.path.split("/")
            shown = call.status == 200 and call.method in ("POST", "PATCH") and parts[3:4] == ["messages"]
            if shown and int(parts[2]) in self.said:
                found.setdefault(int(parts[2]), []).append(call.at)
        return found

    def _ours(self, thread: int) -> list[Message]:
        us = self.discord.world.bot.id
        kept = self.discord.backend.messages.get(thread, {}).values()
        return [each for each in kept if each.author_id == us and each.system_metadata is None]


def _is_whole(message: Message) -> bool:
    """Nothing is left to be stopped, and it has its footnotes."""
    return "[1]" in message.content and "stop" not in str(message.components)


def _is_told(made: Invocation) -> bool:
    """There is something to read, and nothing left to be stopped."""
    return bool(made.message) and not made.record.loading and "stop" not in str(made.message.components)


async def _discord(wanted: str, *numbers: int) -> None:
    """The stand-in: says where it is, waits for a word, lets people ask, and tells what it saw."""
    async with DiscordServer() as discord:
        rooms = []
        for number in range(SERVERS):
            guild = discord.world.guild(f"Server {number}")
            people = [guild.person(f"P{number}-{each}") for each in range(PEOPLE)]
            channels = [guild.text(f"room-{each}") for each in range(ROOMS)]
            rooms.append([(channels[each % ROOMS], people[each]) for each in range(PEOPLE)])
        crowd = Crowd(discord, [room for each in zip(*rooms, strict=True) for room in each])
        gateway = discord.rest.gateway_url
        place: dict[str, Any] = {"base_url": discord.url, "gateway_url": gateway, "bot_token": discord.token}
        print(json.dumps(place), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        if wanted == "call":  # commands are answered beside the limits
            measured = await crowd.call(*numbers)
        else:
            discord.rest.limits += rates()
            await crowd.ask(*numbers)
            measured = crowd.measured(await crowd.answered())
        print(json.dumps(measured), flush=True)


def _main(arguments: Sequence[str]) -> None:
    tune()  # as the command does
    asyncio.run(_discord(arguments[0], *map(int, arguments[1:])))


if __name__ == "__main__":
    _main(sys.argv[1:])
