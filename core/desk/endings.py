"""How a turn ends, as its record and its span are told. Pure."""

from __future__ import annotations

from dataclasses import replace

from core.answers import Answer
from core.errors import RefdeskError
from core.messages import Turn
from core.telemetry import Fact


def is_certain(outcome: Answer | RefdeskError) -> bool:
    """Whether an answer may be posted that nobody asked for: from right passages, and supported by them."""
    return isinstance(outcome, Answer) and outcome.standing == "supported" and outcome.verdict == "correct"


def ended_as(turn: Turn, outcome: Answer | RefdeskError) -> Turn:
    """The turn as it ended."""
    if turn.quiet and not is_certain(outcome):
        kept = outcome if isinstance(outcome, Answer) else None
        return replace(turn, status="kept_quiet", answer=kept, error_id=getattr(outcome, "id", None))
    if isinstance(outcome, Answer):
        return replace(turn, status="answered", answer=outcome)
    return replace(turn, status="failed", error_id=outcome.id)


def facts(turn: Turn) -> dict[str, Fact]:
    """How the turn ended, without a word of it."""
    answer = turn.answer
    failed = {"error": "failed", "error_id": turn.error_id} if turn.status == "failed" else {}
    if answer is None:
        return {"status": turn.status, **failed}
    route = answer.plan.route if answer.plan else None
    return {"status": turn.status, "standing": answer.standing, "verdict": answer.verdict, "route": route}
