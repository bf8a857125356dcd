"""A reply at the stand-in: a question in a channel, and the factory that opens its reply."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import aiohttp

from adapters.slack.replies import SlackReplies
from adapters.slack.web import SlackWeb
from core.answers import Answer, Citation
from core.errors import UpstreamError
from core.messages import Audience, Author, ReplyTarget, SessionKey, Turn
from tests.slack_server import Channel, Message, Rules, SlackServer, User

CITED = Citation(1, "docs", "a.md", "docs:1:2", "Upgrades", link="https://docs.test/a")
ANSWER = Answer("It takes 45 minutes [1].", "supported", (CITED,))


@dataclass
class Ground:
    """One workspace, one channel, one question."""

    slack: SlackServer
    web: SlackWeb
    channel: Channel
    asker: User
    question: Message
    recorded: list[tuple[str, ReplyTarget]] = field(default_factory=list)
    owner: str | None = None
    """Whose turn it is; None: anybody's."""
    replies: SlackReplies = field(init=False)
    stopped: list[str] = field(default_factory=list)

    def turn(self, **changes: Any) -> Turn:
        """The question as a turn."""
        asked, team = self.question, self.asker.workspace
        given: dict[str, Any] = {
            "id": "0123456789abcdef",
            "identity": f"{asked.channel}:{asked.ts}",
            "key": SessionKey("slack", team, asked.channel, asked.root),
            "author": Author(self.asker.id),
            "audience": Audience("slack", team, asked.channel),
            "question": asked.text,
            "target": ReplyTarget("slack", team, asked.channel, asked.root, recipient=self.asker.id),
            "created_at": datetime.now(UTC),
        }
        return Turn(**{**given, **changes})

    def said(self) -> list[Message]:
        """What the bot has in the thread."""
        return self.slack.bot_messages(self.question)

    def words(self) -> list[str]:
        """The same as words."""
        return [each.words for each in self.said()]

    def another(self) -> SlackReplies:
        """The factory of another process."""
        return SlackReplies(self.web, self.replies.record, self.replies.respond)

    async def record(self, turn: Turn, target: ReplyTarget) -> bool:
        """As the record does it: what somebody says whose turn it is not any more is not kept."""
        if self.owner is not None and turn.owner != self.owner:
            return False
        self.recorded.append((turn.id, target))
        return True

    def stop(self, turn_id: str) -> bool:
        """As a desk would stop the run."""
        self.stopped.append(turn_id)
        return True


@asynccontextmanager
async def opened(rules: Rules | None = None, kind: str = "public", **web: Any) -> AsyncIterator[Ground]:
    """A stand-in with a question in a channel of this kind."""
    async with SlackServer(rules or Rules()) as slack, aiohttp.ClientSession() as session:

        async def token(team: str) -> str:
            return slack.token_of(team)

        async def respond(address: str, body: Mapping[str, Any]) -> None:
            async with session.post(address, json=dict(body)) as answer:
                if answer.status != 200:
                    raise UpstreamError(detail=await answer.text())

        async with SlackWeb(token, slack.base_url, **web) as made:
            ana = slack.user("Ana")
            channel = slack.dm(ana) if kind == "im" else slack.channel("general", kind)  # type: ignore[arg-type]
            question = slack.say(channel, ana, f"<@{slack.bot_of().id}> how long does it take?")
            ground = Ground(slack, made, channel, ana, question)
            ground.replies = SlackReplies(made, ground.record, respond, ground.stop)
            yield ground
