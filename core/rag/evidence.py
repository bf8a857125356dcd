"""What a writer may use and what its markers count: the surviving passages of a run, with strips and grades."""

from __future__ import annotations

from collections.abc import Sequence

from core.answers import Grade
from core.ports import Evidence
from core.rag.context import RunContext
from core.rag.state import RunState, kept


async def gathered(state: RunState, ctx: RunContext) -> tuple[Evidence, ...]:
    """The team's own before the web, the likelier before the less likely, at most twice what is searched for."""
    every = await _held(state, ctx, kept(state))
    strips = state.get("strips", {})
    refined = [each for each in every if each.strips or not ctx.policy.refine or each.passage.id not in strips]
    ordered = sorted(refined or every, key=lambda e: (e.passage.origin == "web", -e.grade.rank))
    return tuple(ordered[: 2 * ctx.policy.k])


async def written_from(state: RunState, ctx: RunContext) -> tuple[Evidence, ...]:
    """What the draft was written from, in the order that its markers count, whatever was found since."""
    return tuple(await _held(state, ctx, state.get("evidence", ())))


async def _held(state: RunState, ctx: RunContext, ids: Sequence[str]) -> list[Evidence]:
    grades, strips = state.get("grades", {}), state.get("strips", {})
    return [
        Evidence(each.passage, strips.get(each.passage.id, ()), grades.get(each.passage.id, Grade(None, "ambiguous")))
        for each in await ctx.steps.passages.get(ctx.run, ids)
    ]
