"""A question that only its asker sees the answer of: a session of its own. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from adapters.slack.places import Where
from core.desk.visitor import Visitor
from core.messages import Author, Message, SessionKey

ANSWERABLE = timedelta(minutes=29)
"""How long a response URL takes an answer: Slack says 30 minutes."""


def private(where: Where, visitor: Visitor, text: str) -> Message:
    """The message of a private question. What Slack sends twice has the same trigger, and is one question."""
    digest = hashlib.sha256((where.trigger or where.address or text).encode()).hexdigest()[:16]
    now = datetime.now(UTC)
    target = replace(
        where.target,
        visibility="private",
        interaction=where.address or None,
        interaction_expires=now + ANSWERABLE if where.address else None,
    )
    return Message(
        identity=f"private/{digest}",
        key=SessionKey("slack", where.team, where.channel, f"private/{where.user}/{digest}"),
        author=Author(where.user, roles=visitor.audience.roles),
        text=text,
        audience=visitor.audience,
        reply_to=target,
        received_at=now,
    )
