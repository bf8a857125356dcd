"""A question that only its asker sees the answer of: a session of its own. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from adapters.slack.hearing import identity
from adapters.slack.places import Where
from core.desk.visitor import Visitor
from core.messages import Author, Message, SessionKey

ANSWERABLE = timedelta(minutes=29)
"""How long a response URL takes an answer: Slack says 30 minutes."""


def private(where: Where, visitor: Visitor, text: str, about: str = "") -> Message:
    """The message of a private question. What Slack sends twice has the same trigger, and is one question.

    `about` is the timestamp of the message that it was asked about, in whose thread more may stand.
    """
    digest = hashlib.sha256((where.trigger or where.address or text).encode()).hexdigest()[:16]
    now = datetime.now(UTC)
    target = replace(
        where.target,
        thread=(where.thread or about) if about else "",
        visibility="private",
        interaction=where.address or None,
        interaction_expires=now + ANSWERABLE if where.address else None,
    )
    return Message(
        identity=identity(f"private/{digest}", about) if about else f"private/{digest}",
        key=SessionKey("slack", where.team, where.channel, f"private/{where.user}/{digest}"),
        author=Author(where.user, roles=visitor.audience.roles),
        text=text,
        audience=visitor.audience,
        reply_to=target,
        received_at=now,
    )
