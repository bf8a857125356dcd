"""What is typed at a terminal, as a core Message: the terminal is a platform like any other."""

from __future__ import annotations

import getpass
import uuid
from datetime import datetime

from core.messages import Audience, Author, Message, ReplyTarget, SessionKey

PLATFORM, WORKSPACE, CHANNEL = "console", "local", "terminal"
PLACE = f"{PLATFORM}/{WORKSPACE}/{CHANNEL}"
"""The terminal's name in visibility rules."""


def thread_key(thread: str) -> SessionKey:
    """The session of one terminal thread."""
    return SessionKey(PLATFORM, WORKSPACE, CHANNEL, thread)


def new_thread() -> str:
    """A short name for a new thread, easy to type after ``--thread``."""
    return uuid.uuid4().hex[:6]


def typed(text: str, thread: str, now: datetime) -> Message:
    """A question typed at the terminal; it is always for us."""
    who = user()
    return Message(
        identity=uuid.uuid4().hex,
        key=thread_key(thread),
        author=Author(who, who),
        text=text,
        audience=Audience(PLATFORM, WORKSPACE, CHANNEL),
        reply_to=ReplyTarget(PLATFORM, WORKSPACE, CHANNEL, thread, recipient=who),
        received_at=now,
        mentions_us=True,
    )


def user() -> str:
    """Who sits here."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        return "user"
