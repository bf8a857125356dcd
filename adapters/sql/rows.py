"""Turns as rows and back. Knows the tables, and no order in which they are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Select, and_, select

from adapters.sql.database import Transaction
from adapters.sql.schema import citations, sessions, turns
from core.answers import Answer, Citation
from core.messages import SessionKey, Turn

UNENDED = turns.c.status.in_(("waiting", "running"))
"""Whether a turn is still to be answered."""

_CITED = [column for column in citations.columns if column.name not in ("turn", "position")]


def select_turns() -> Select[Any]:
    """All turns, each with the key of its session."""
    return select(turns, sessions.c.channel, sessions.c.thread).join(sessions)


def in_session(key: SessionKey) -> Any:
    """The condition that picks one session."""
    return and_(in_channel(key), sessions.c.thread == key.thread)


def in_channel(key: SessionKey) -> Any:
    """The condition that picks all sessions of its channel."""
    return and_(
        sessions.c.platform == key.platform,
        sessions.c.workspace == key.workspace,
        sessions.c.channel == key.channel,
    )


def new_row(turn: Turn) -> dict[str, Any]:
    """An accepted turn as a row, without its session."""
    return {
        "id": turn.id,
        "platform": turn.key.platform,
        "workspace": turn.key.workspace,
        "identity": turn.identity,
        "status": turn.status,
        "revision": turn.revision,
        "owner": turn.owner,
        "lease_until": turn.lease_until,
        "attempts": turn.attempts,
        "author": turn.author,
        "author_id": turn.author.id,
        "audience": turn.audience,
        "question": turn.question,
        "target": turn.target,
        "created_at": turn.created_at,
        "quiet": turn.quiet,
    }


def answer_columns(answer: Answer | None) -> dict[str, Any]:
    """An answer over its columns: plan and trace are long and seldom read, citations are a table."""
    if answer is None:
        return {"plan": None, "answer": None, "trace": None}
    bare = replace(answer, plan=None, trace=(), citations=())
    return {"plan": answer.plan, "answer": bare, "trace": answer.trace}


def citation_rows(sequence: int, answer: Answer | None) -> list[dict[str, Any]]:
    """The footnotes as rows, in order."""
    cited = answer.citations if answer else ()
    return [
        {"turn": sequence, "position": position, **{column.name: getattr(c, column.name) for column in _CITED}}
        for position, c in enumerate(cited)
    ]


async def load(connection: Transaction, query: Select[Any]) -> list[Turn]:
    """The turns that a `select_turns` finds, with their footnotes."""
    found = (await connection.execute(query)).mappings().all()
    cited = await _citations(connection, [row[turns.c.sequence] for row in found if row[turns.c.answer] is not None])
    return [_turn(row, cited.get(row[turns.c.sequence], ())) for row in found]


async def _citations(connection: Transaction, sequences: list[int]) -> dict[int, tuple[Citation, ...]]:
    if not sequences:
        return {}
    query = select(citations).where(citations.c.turn.in_(sequences)).order_by(citations.c.turn, citations.c.position)
    found: dict[int, tuple[Citation, ...]] = {}
    for row in (await connection.execute(query)).mappings():
        citation = Citation(**{column.name: row[column] for column in _CITED})
        found[row[citations.c.turn]] = (*found.get(row[citations.c.turn], ()), citation)
    return found


def _turn(row: Mapping[Any, Any], cited: tuple[Citation, ...]) -> Turn:
    t = turns.c
    answer = row[t.answer]
    if answer is not None:
        answer = replace(answer, plan=row[t.plan], trace=row[t.trace] or (), citations=cited)
    return Turn(
        id=row[t.id],
        identity=row[t.identity],
        key=SessionKey(row[t.platform], row[t.workspace], row[sessions.c.channel], row[sessions.c.thread]),
        author=row[t.author],
        audience=row[t.audience],
        question=row[t.question],
        target=row[t.target],
        created_at=row[t.created_at],
        status=row[t.status],
        revision=row[t.revision],
        owner=row[t.owner],
        lease_until=row[t.lease_until],
        answer=answer,
        error_id=row[t.error_id],
        attempts=row[t.attempts],
        quiet=row[t.quiet],
    )
