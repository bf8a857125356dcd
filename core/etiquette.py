"""Is this message for us? Pure, and the same on each platform. Knows no platform's event and no store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.asking import asks, calls_somebody, halts, hushes
from core.messages import Author, Halt, Hush, Ignore, Message, Respond

Mode = Literal["mention", "thread", "auto"]
"""`mention`: only when named. `thread`: also follow-ups in a thread that we answered in. `auto`: also any
question at the root of the channel, quietly."""


@dataclass(frozen=True, slots=True)
class Rules:
    """How talkative a channel wants us. `solo` platforms have one reader, who speaks to nobody else."""

    mode: Mode = "thread"
    bots_in_a_row: int = 3
    solo: frozenset[str] = frozenset({"console"})


@dataclass(frozen=True, slots=True)
class Attendance:
    """What the record knows of a thread: who asked us there, whether we were told to be quiet.

    `bots` counts the programs that were accepted last, without a person between.
    """

    askers: frozenset[str] = frozenset()
    quiet: bool = False
    bots: int = 0


STRANGER = Attendance()
"""A thread in which nobody ever asked us."""

LOOKED_AT = 200
"""Turns of a thread, the latest, from which its attendance is known."""


def attendance_of(latest_first: Sequence[Author], *, quiet: bool) -> Attendance:
    """The attendance of a thread, from the authors of its latest turns."""
    bots = next((place for place, author in enumerate(latest_first) if not author.is_bot), len(latest_first))
    return Attendance(frozenset(author.id for author in latest_first if not author.is_bot), quiet, bots)


def judge(message: Message, rules: Rules, attendance: Attendance = STRANGER) -> Respond | Ignore | Hush | Halt:
    """Whether to answer, and why."""
    if message.author.is_bot:
        return _judge_bot(message, rules, attendance)
    named = _spoken_to(message, rules)
    ours = message.in_our_thread or message.replies_to_us or bool(attendance.askers)
    if (hushes(message.text) or halts(message.text)) and (named in ("mention", "private") or (ours and not named)):
        in_thread = (message.in_thread or message.in_our_thread) and named != "private"
        return Hush() if in_thread and hushes(message.text) else Halt()  # elsewhere there is nothing to be quiet in
    if not message.text.strip():
        return Respond("help") if named else Ignore("empty")
    if named:
        return Respond(named)
    return _judge_unaddressed(message, rules, attendance, ours=ours)


def _judge_bot(message: Message, rules: Rules, attendance: Attendance) -> Respond | Ignore:
    """Programs are answered only when they name us, and not for ever: two bots would never stop."""
    if not message.mentions_us or not message.text.strip():
        return Ignore("bot")
    return Respond("mention") if attendance.bots < rules.bots_in_a_row else Ignore("bots in a row")


def _judge_unaddressed(message: Message, rules: Rules, attendance: Attendance, *, ours: bool) -> Respond | Ignore:
    """A message without our name: a follow-up, a question to the channel, or people's own talk."""
    if message.mentions_others or calls_somebody(message.text):
        return Ignore("for somebody else")
    if not message.is_post and not asks(message.text):  # who opens a post wants something, however they put it
        return Ignore("no question")
    if ours:
        return _judge_follow_up(message, rules, attendance)
    at_root = not message.in_thread
    return Respond("auto", quiet=True) if rules.mode == "auto" and at_root else Ignore("not for us")


def _judge_follow_up(message: Message, rules: Rules, attendance: Attendance) -> Respond | Ignore:
    if rules.mode == "mention":
        return Ignore("not for us")
    if attendance.quiet:
        return Ignore("told to be quiet")
    asked_here = message.author.id in attendance.askers or message.replies_to_us
    return Respond("thread") if asked_here else Ignore("never asked us here")


def _spoken_to(message: Message, rules: Rules) -> str:
    """Why the message is surely for us, or nothing."""
    if message.mentions_us:
        return "mention"
    if message.key.platform in rules.solo:
        return "terminal"
    return "private" if message.key.private or message.audience.user is not None else ""
