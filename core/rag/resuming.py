"""A run that is taken up again: what it had spent, and whether all it holds may still be used."""

from __future__ import annotations

from collections.abc import Sequence

from core.answers import TraceEvent
from core.chat import Usage
from core.documents import Passage, Scope
from core.rag.context import RunContext
from core.rag.ledger import Charge, Spent
from core.rag.state import RunState

_UNKNOWN = ("",)
"""No collection has this name."""


def spent_in(trace: Sequence[TraceEvent]) -> Spent:
    """The calls that the nodes of an interrupted run paid for, as one charge a node."""
    return Spent(tuple(_charge(event) for event in trace if event.detail.get("calls")))


def _charge(event: TraceEvent) -> Charge:
    detail = event.detail
    usage = Usage(
        model=", ".join(detail.get("models", ())),
        input_tokens=detail.get("input_tokens", 0),
        output_tokens=detail.get("output_tokens", 0),
        cached_tokens=detail.get("cached_tokens", 0),
        calls=detail["calls"],
        cost=detail.get("cost"),
    )
    return Charge(event.node, usage, float(detail.get("model_ms", 0.0)))


def begun(ctx: RunContext) -> RunState:
    """The state of a run that begins."""
    return {"readable": tuple(sorted(ctx.scope.collections))}


async def still_readable(state: RunState, ctx: RunContext) -> bool:
    """Whether every passage the run has looked at is on its shelf, published, and readable by the audience.

    And whether all that it could read may be read now: its plan was made with every Card and with the conversation
    before, its draft with passages that it doesn't cite. A state that doesn't say so is of another version.
    """
    if not ctx.scope.collections.issuperset(state.get("readable", _UNKNOWN)):
        return False
    found = state.get("found", ())
    held = await ctx.steps.passages.get(ctx.run, found)
    return len(held) == len(found) and all(published(each.passage, ctx.scope) for each in held)


def published(passage: Passage, scope: Scope) -> bool:
    """Whether the scope holds the passage's document in this version; web pages belong to no scope."""
    if passage.origin == "web":
        return True
    pinned = {generation.collection: generation.documents for generation in scope.generations}
    return pinned.get(passage.collection, {}).get(passage.document_id) == passage.document_hash
