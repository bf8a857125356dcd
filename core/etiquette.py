"""Is this message for us? Pure, and the same on each platform. Knows no platform's event and no store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.messages import Ignore, Message, Respond

Mode = Literal["mention", "thread", "auto"]
"""`mention`: only when named. `thread`: also follow-ups in a thread that we answered in. `auto`: also any
question of the channel, quietly."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How talkative a channel wants us. `solo` platforms have one reader, who speaks to nobody else."""

    mode: Mode = "thread"
    bots_in_a_row: int = 3
    solo: frozenset[str] = frozenset({"console"})


def judge(message: Message, rules: Rules, bots_before: int = 0) -> Respond | Ignore:
    """Whether to answer, and why. `bots_before` of us and other programs spoke last, without a person between."""
    if message.author.is_bot:
        return _judge_bot(message, rules, bots_before)
    named = _spoken_to(message, rules)
    if not message.text.strip():
        return Respond("help") if named else Ignore("empty")
    if named:
        return Respond(named)
    if message.mentions_others:
        return Ignore("for somebody else")
    if message.in_our_thread and rules.mode != "mention":
        return Respond("thread")
    return Respond("auto", quiet=True) if rules.mode == "auto" else Ignore("not for us")


def _judge_bot(message: Message, rules: Rules, bots_before: int) -> Respond | Ignore:
    """Programs are answered only when they name us, and not for ever: two bots would never stop."""
    if not message.mentions_us or not message.text.strip():
        return Ignore("bot")
    return Respond("mention") if bots_before < rules.bots_in_a_row else Ignore("bots in a row")


def _spoken_to(message: Message, rules: Rules) -> str:
    """Why the message is surely for us, or nothing."""
    if message.mentions_us:
        return "mention"
    if message.key.platform in rules.solo:
        return "terminal"
    return "private" if message.key.private or message.audience.user is not None else ""
