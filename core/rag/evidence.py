"""What a writer may use and what its markers count: the surviving passages of a run, with strips and grades."""

from __future__ import annotations

from collections.abc import Sequence

from core.answers import Grade
from core.ports import Evidence
from core.rag.context import RunContext
from core.rag.state import RunState, kept


async def gathered(state: RunState, ctx: RunContext) -> tuple[Evidence, ...]:
    """The team's own before the web, the likelier before the less likely, at most twice what is searched for.

    What the last search brought is not the part that is left out: it was searched for because it was missing.
    """
    every = await _held(state, ctx, kept(state))
    strips, fresh = state.get("strips", {}), frozenset(state.get("fresh", ()))
    refined = [each for each in every if each.strips or not ctx.policy.refine or each.passage.id not in strips]
    ordered = sorted(refined or every, key=lambda e: (e.passage.origin == "web", -e.grade.rank))
    wanted = sorted(ordered, key=lambda e: e.passage.id not in fresh)[: 2 * ctx.policy.k]
    chosen = {each.passage.id for each in wanted}
    return tuple(each for each in ordered if each.passage.id in chosen)


async def written_from(state: RunState, ctx: RunContext) -> tuple[Evidence, ...]:
    """What the draft was written from, in the order that its markers count, whatever was found since."""
    return tuple(await _held(state, ctx, state.get("evidence", ())))


async def _held(state: RunState, ctx: RunContext, ids: Sequence[str]) -> list[Evidence]:
    grades, strips = state.get("grades", {}), state.get("strips", {})
    return [
        Evidence(each.passage, strips.get(each.passage.id, ()), grades.get(each.passage.id, Grade(None, "ambiguous")))
        for each in await ctx.steps.passages.get(ctx.run, ids)
    ]
