"""A running Refdesk in Slack, as `refdesk serve` composes it: the real AsyncApp, desk, record and index, in a test.

`Home` is what was indexed once; each `opened_town` gets a copy of it and a Slack of its own.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import func, select, text

from adapters.clock import SystemClock
from adapters.slack.web import SlackWeb
from adapters.sql.schema import turns
from bots.compose.base import opened_base
from bots.compose.embedding import Embedders
from bots.compose.models import Models
from bots.compose.service import Service, service_over
from bots.compose.slack import slack_over
from bots.settings import Settings, validated
from bots.slack_connection import connected
from core.messages import SessionKey, Turn
from tests.slack.voices import PROFILE, heard_by, speaking
from tests.slack_server import AppConfig, Channel, Message, Rules, SlackServer, User

PAGES = {
    "handbook/annual-leave.md": "# Annual leave\n\nEverybody has 25 days of annual leave.\n",
    "handbook/travel.md": "# Travel expenses\n\nA hotel night is refunded up to 140 euros.\n",
    "runbooks/rollback.md": "# Rolling back a release\n\nRun helm rollback with the last good revision.\n",
    "runbooks/backups.md": "# Database backups\n\nThe database is backed up every six hours.\n",
    "public/prices.md": "# Plans and prices\n\nThe Pro plan costs 40 euros a month.\n",
}
"""A small team's documents. People from outside may read `public`, and nothing else."""

LEAVE, ROLLBACK, BACKUPS = "25 days of annual leave", "Run helm rollback", "backed up every six hours"


@dataclass(frozen=True, slots=True)
class Home:
    """Indexed once: the folder to copy, and who embedded it."""

    folder: Path
    embedders: Embedders

    def settings(self, folder: Path, server: SlackServer, **more: Any) -> Settings:
        """Those of a process over a copy of it."""
        own = {"mode": "socket", "base_url": server.base_url, "bot_token": server.bot_token, **more.pop("slack", {})}
        tokens = {"app_token": server.app.app_token, "signing_secret": server.app.signing_secret}
        given = {"data_dir": folder, "collections": collections(self.folder), "models": PROFILE, **more}
        return validated({**given, "slack": {**own, **tokens}}, "town")

    def copied(self, folder: Path) -> Path:
        """The record and the index, to be changed."""
        for name in ("refdesk.db", "index.db"):
            shutil.copy(self.folder / name, folder / name)
        return folder


@dataclass
class Town:
    """The stand-in and the running service, and what tests ask of both."""

    slack: SlackServer
    service: Service
    models: Models
    general: Channel
    ana: User
    ben: User

    @property
    def us(self) -> str:
        """How people mention us."""
        return str(self.slack.bot_of())

    def ask(self, text: str, **more: Any) -> Message:
        """Ana mentions us in the channel."""
        return self.slack.say(
            more.pop("channel", self.general), more.pop("user", self.ana), f"{self.us} {text}", **more
        )

    async def answered(self, question: Message, **more: Any) -> Message:
        """Our answer to it, whole: one that can't be stopped any more."""
        return await self.slack.answer_in(question, **{"after": question, "seconds": 20, "when": is_whole, **more})

    async def calm(self, seconds: float = 0.2) -> None:
        """Everything that was told is acknowledged, all that is for us has ended, and so much time has passed."""
        await self.slack.courier.settled()
        async with asyncio.timeout(20):
            while await self._open():
                await asyncio.sleep(0.02)
        await asyncio.sleep(seconds)

    async def _open(self) -> int:
        """How many questions still wait for the end of their answer."""
        count = select(func.count()).select_from(turns).where(turns.c.status.in_(("waiting", "running")))
        async with self.service.base.database.begin() as record:
            return int((await record.execute(count)).scalar_one())

    async def told(self, statement: str) -> None:
        """Do this to the record, to break it or to mend it."""
        async with self.service.base.database.begin() as record:
            await record.execute(text(statement))

    def heard(self) -> str:
        """Everything that the models were told."""
        return heard_by(self.models)

    async def turn_of(self, message: Message) -> Turn | None:
        """What was stored of a message."""
        from adapters.sql.turns import SqlTurnEdits

        edits = SqlTurnEdits(self.service.base.database)
        found = self.slack.world.channels[message.channel].workspace
        return await edits.identified("slack", found, f"{message.channel}:{message.ts}")

    async def ended(self, message: Message) -> Turn:
        """What was stored of it, once that is more than a wish."""
        async with asyncio.timeout(10):
            while (turn := await self.turn_of(message)) is None or turn.status in ("waiting", "running"):
                await asyncio.sleep(0.05)
        return turn

    def key(self, message: Message) -> SessionKey:
        """The session of a thread."""
        return SessionKey("slack", self.ana.workspace, message.channel, message.root)


def is_whole(message: Message) -> bool:
    """Whether nothing is being written there."""
    return "refdesk_stop" not in str(message.blocks) and not message.is_streaming


@asynccontextmanager
async def opened_town(
    home: Home, folder: Path, rules: Rules | None = None, *, models: Models | None = None, **more: Any
) -> AsyncIterator[Town]:
    """A town whose service is connected. `more` are settings; `slack={"mode": "http"}` posts the events to it."""
    own, models = {**more.pop("slack", {})}, models or speaking()
    http = own.get("mode") == "http"
    port = free_port() if http else 0
    url = f"http://127.0.0.1:{port}/slack/events" if http else ""
    async with SlackServer(rules or quick(), AppConfig(), url) as slack, AsyncExitStack() as stack:
        settings = home.settings(home.copied(folder), slack, slack={**own, **({"port": port} if http else {})}, **more)
        service = await opened_service_at(stack, home, settings, slack, models)
        await stack.enter_async_context(connected(service))
        if not http:
            await slack.sockets.connected()
        yield Town(slack, service, models, slack.channel("general"), slack.user("Ana"), slack.user("Ben"))


async def opened_service_at(
    stack: AsyncExitStack, home: Home, settings: Settings, slack: SlackServer, models: Models | None = None
) -> Service:
    """The service over a Slack; each workspace with its own token."""

    known: dict[str, str] = {}

    async def token(team: str) -> str:  # one that was revoked stays where it was written down
        if team not in known:
            known[team] = slack.token_of(team) if team else slack.bot_token
        return known[team]

    base = await opened_base(stack, settings, home.embedders, SystemClock(), models)
    web = await stack.enter_async_context(
        SlackWeb(token, settings.slack.base_url, budget=base.slack_budget, pause=0.05)
    )
    return await service_over(stack, base, slack_over(base, web))


def quick(**more: Any) -> Rules:
    """Slack as it is, but sending again sooner."""
    return Rules(**{"retries": (0.0, 0.2, 0.4), **more})


def free_port() -> int:
    """One that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def collections(folder: Path) -> list[dict[str, Any]]:
    """The pages as collections."""
    names = dict.fromkeys(path.partition("/")[0] for path in PAGES)
    return [
        {"name": name, "source": f"folder:{folder / 'docs' / name}", "visibility": {"external": name == "public"}}
        for name in names
    ]


async def built(folder: Path, embedders: Embedders) -> Home:
    """Index everything into the folder."""
    for path, words in PAGES.items():
        page = folder / "docs" / path
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(words, encoding="utf-8")
    settings = validated({"data_dir": folder, "collections": collections(folder)}, "town")
    async with AsyncExitStack() as stack:
        base = await opened_base(stack, settings, embedders, SystemClock())
        for target in base.targets.values():
            await base.syncer.sync(target)
    return Home(folder, embedders)
