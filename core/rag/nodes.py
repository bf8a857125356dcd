"""The nodes of the graph: each asks one step, and returns new values for the state.

A node is ``(state, context) -> Outcome``; it never mutates the state, and knows neither LangGraph nor
which family of steps it talks to. Time limits, tracing and fall-backs are put around them by
`core.rag.conduct`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from core.answers import Check, Grade, Plan, Retrieved, Scores
from core.citations import attributed
from core.claims import claims
from core.documents import Passage, Scope
from core.errors import RefdeskError
from core.ports import Evidence, PlanRequest
from core.presenting import listed
from core.rag import outcomes
from core.rag.ahead import PATIENCE
from core.rag.context import RunContext
from core.rag.decisions import after_grade, labelled, verdict_of
from core.rag.drafting import begun_draft, drafted, may_run_ahead, write_request
from core.rag.evidence import gathered, written_from
from core.rag.planning import clean_rewrite, fresh_from, search_wordings, settled, widened
from core.rag.state import RunState, counts, kept, tally
from core.retrieval.ranked import BY_WORDS, Ranked


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a node found out: new state values, and what the trace says about it."""

    update: RunState
    detail: Mapping[str, Any] = field(default_factory=dict)


log = logging.getLogger(__name__)

ATTRIBUTION = 3.0
"""Seconds in which an answer's footnotes are checked; the deadline may have passed, the answer is waited for."""

Node = Callable[[RunState, RunContext], Awaitable[Outcome]]


async def plan(state: RunState, ctx: RunContext) -> Outcome:
    """Standalone question and route, decided together and once."""
    await ctx.listener.status("status.planning", {})
    said = tuple(each for each in ctx.thread if each.text)
    request = PlanRequest(
        ctx.asked, ctx.language, ctx.today, ctx.cards, ctx.history, said, ctx.web_allowed, ctx.clarified_before
    )
    made = settled(await _planned(request, ctx), ctx)
    detail = {"route": made.route, "question": made.question, "reason": made.reason}
    chosen_by_channel = bool(ctx.defaults) and made.collections == ctx.defaults
    return Outcome({"plan": made}, {**detail, **({"defaults": True} if chosen_by_channel else {})})


async def _planned(request: PlanRequest, ctx: RunContext) -> Plan:
    """The plan; while a planner takes its time, the question as asked is searched already."""
    planning = asyncio.ensure_future(ctx.steps.planner.plan(request))
    try:
        await asyncio.wait({planning}, timeout=PATIENCE)
        if not planning.done():
            scope, wordings = ctx.scope, search_wordings(Plan(ctx.asked, "collections"), ctx.asked, ())[0]
            ctx.ahead.begin_search((scope.key, wordings), ctx.steps.searcher.retrieve(scope, wordings, ctx.policy.k))
        return await planning
    finally:
        planning.cancel()


async def retrieve(state: RunState, ctx: RunContext) -> Outcome:
    """The best passages of the planned collections; sub-questions are searched side by side.

    Where those of the channel did not hold the answer, the rewritten question is put to all that may be read.
    """
    made = widened(state["plan"], ctx) if tally(state).rewrites else state["plan"]
    scope = ctx.scope.narrowed(made.collections)
    where = listed(sorted(scope.collections), ctx.cards, ctx.language)
    await ctx.listener.status("status.searching", {"collections": where})
    wordings = search_wordings(made, ctx.asked, state.get("search", ()))
    searches = [asyncio.ensure_future(_searched(scope, each, ctx)) for each in wordings]
    try:
        found = await asyncio.gather(*searches, return_exceptions=True)
    finally:
        for each in searches:
            each.cancel()
    failed = [each for each in found if isinstance(each, BaseException)]
    lists = [each for each in found if not isinstance(each, BaseException)]
    if failed and not lists:
        raise failed[0]
    for error in failed:  # what the others found is better than nothing
        log.warning("one of the searches of %s failed: %r", ctx.run, error)
    outcome = await _shelve(state, ctx, _interleaved(lists))
    by_words = sorted({name for each in lists if isinstance(each, Ranked) for name in each.by_words})
    more = {**({"searches_failed": len(failed)} if failed else {}), **({BY_WORDS: by_words} if by_words else {})}
    update: RunState = outcome.update if made is state["plan"] else {**outcome.update, "plan": made}
    return Outcome(update, {**outcome.detail, **more})


async def _searched(scope: Scope, wordings: tuple[str, ...], ctx: RunContext) -> Sequence[Retrieved]:
    begun = ctx.ahead.search((scope.key, wordings))
    if begun is not None:
        try:
            return await begun
        except RefdeskError as error:
            log.warning("the search that %s began early failed, and is made again: %s", ctx.run, error)
    return await ctx.steps.searcher.retrieve(scope, wordings, ctx.policy.k)


async def search(state: RunState, ctx: RunContext) -> Outcome:
    """The web, for the rewritten question; results join what survived."""
    web = ctx.steps.web
    if web is None:
        return Outcome({"web_failed": True, "fresh": ()}, {"skipped": "not configured"})
    await ctx.listener.status("status.web", {})
    fresh = fresh_from(state["plan"], ctx.today)
    query = state.get("search", ()) or (state["plan"].question,)
    pages = await web.search(query[0], fresh_from=fresh, limit=ctx.policy.k)
    found = [Retrieved(page, Scores(rank=rank)) for rank, page in enumerate(pages)]
    outcome = await _shelve(state, ctx, found)
    return Outcome({**outcome.update, "searches": tally(state).searches + 1}, outcome.detail)


async def _shelve(state: RunState, ctx: RunContext, found: Sequence[Retrieved]) -> Outcome:
    known = set(state.get("found", ()))
    new = [each for each in found if each.passage.id not in known]
    await ctx.steps.passages.put(ctx.run, new)
    fresh = tuple(each.passage.id for each in new)
    return Outcome(
        {"found": (*state.get("found", ()), *fresh), "fresh": fresh}, {"found": len(found), "new": len(fresh)}
    )


def _interleaved(lists: Sequence[Sequence[Retrieved]]) -> list[Retrieved]:
    """Best of each list first, then the second of each; a passage counts once."""
    seen: dict[str, Retrieved] = {}
    for rank in range(max(map(len, lists), default=0)):
        for each in lists:
            if rank < len(each):
                seen.setdefault(each[rank].passage.id, each[rank])
    return list(seen.values())


async def grade(state: RunState, ctx: RunContext) -> Outcome:
    """Is each new passage relevant? One call for all that have no grade yet."""
    ungraded = [id for id in state.get("found", ()) if id not in state.get("grades", {})]
    retrieved = await ctx.steps.passages.get(ctx.run, ungraded)
    await ctx.listener.status("status.reading", {})
    ahead = may_run_ahead(state, ctx)
    if ahead:
        ctx.ahead.begin_words(ctx.steps.writer, write_request(state, ctx, await gathered(state, ctx)))
    given: dict[str, Grade] = {}
    if ctx.policy.grades == "off":
        given = {each.passage.id: Grade(None, "correct", "ungraded") for each in retrieved}
    elif retrieved:
        grades = await _graded(retrieved, state["plan"], ctx)
        given = {each.passage.id: _by_policy(one, ctx) for each, one in zip(retrieved, grades, strict=False)}
    every = {**state.get("grades", {}), **given}
    verdict = verdict_of(every)
    judged: RunState = {**state, "grades": every, "verdict": verdict}
    if after_grade(ctx.policy, judged, web=ctx.web_allowed) != ("refine",):
        await ctx.ahead.drop_words()  # what corrects the passages comes before the words
    tallied = counts(every)
    detail = {
        "correct": tallied.correct,
        "ambiguous": tallied.ambiguous,
        "incorrect": tallied.incorrect,
        "reasons": dict(tallied.reasons),
        **({"ahead": True} if ahead else {}),
        **({"ungraded": True} if ctx.policy.grades == "off" else {}),
    }
    return Outcome({"grades": given, "verdict": verdict}, detail)


async def _graded(retrieved: Sequence[Retrieved], made: Plan, ctx: RunContext) -> Sequence[Grade]:
    """The grades; while a model takes its time over them, the strips of all the passages are looked for already."""
    grading = asyncio.ensure_future(ctx.steps.grader.grade(made.question, made, retrieved))
    try:
        await asyncio.wait({grading}, timeout=PATIENCE)
        if ctx.policy.refine and not grading.done() and ctx.ledger.waits_for("grade"):
            passages = [each.passage for each in retrieved]
            strips = ctx.steps.refiner.refine(made.question, made, passages)
            ctx.ahead.begin_strips(tuple(passage.id for passage in passages), strips)
        return await grading
    finally:
        grading.cancel()


def _by_policy(grade: Grade, ctx: RunContext) -> Grade:
    if grade.p is None or grade.reason == "stale":
        return grade
    return replace(grade, label=labelled(ctx.policy, grade.p))


async def refine(state: RunState, ctx: RunContext) -> Outcome:
    """Keep the strips of each surviving passage that speak of the question."""
    if not ctx.policy.refine:
        return Outcome({})
    todo = [id for id in kept(state) if id not in state.get("strips", {})]
    passages = [each.passage for each in await ctx.steps.passages.get(ctx.run, todo)]
    if not passages:
        return Outcome({})
    begun = ctx.ahead.strips(tuple(todo))
    refined = await (begun or ctx.steps.refiner.refine(state["plan"].question, state["plan"], passages))
    strips = {id: tuple(strip for strip in refined.strips if strip.passage_id == id) for id in todo}
    weak = refined.weak and state.get("weak", True)  # one part that is not weak carries the whole
    verdict = "ambiguous" if weak and state.get("verdict") == "correct" else state.get("verdict", "ambiguous")
    detail = {"kept": len(refined.strips), "weak": refined.weak}
    return Outcome({"strips": strips, "weak": weak, "verdict": verdict}, detail)


async def rewrite_index(state: RunState, ctx: RunContext) -> Outcome:
    """Another wording for the index; it starts from the standalone question, not from the last rewrite."""
    return await _rewrite(state, ctx, "index")


async def rewrite_web(state: RunState, ctx: RunContext) -> Outcome:
    """Keywords, dates and names for a web search."""
    return await _rewrite(state, ctx, "web")


async def reroute(state: RunState, ctx: RunContext) -> Outcome:
    """The router's word on the rewritten question: only where to look; what is asked stays as it was planned."""
    made, query = state["plan"], state["search"][0]
    request = PlanRequest(query, ctx.language, ctx.today, ctx.cards, web_allowed=ctx.web_allowed, clarified_before=True)
    again = settled(await ctx.steps.planner.plan(request), ctx)
    searchable = again.route == "web" and tally(state).searches < ctx.policy.max_web_searches
    plan = replace(made, route="web" if searchable else "collections", collections=again.collections)
    return Outcome({"plan": plan}, {"route": plan.route, "question": plan.question, "reason": again.reason})


async def _rewrite(state: RunState, ctx: RunContext, aim: Literal["index", "web"]) -> Outcome:
    made = state["plan"]
    await ctx.listener.status("status.rewriting", {})
    text = await ctx.steps.rewriter.rewrite(made.question, made, aim, state.get("missing", ""))
    query = clean_rewrite(text) or made.question
    first_web = aim == "web" and not tally(state).searches
    counted = tally(state).rewrites + (0 if first_web else 1)
    return Outcome({"search": (query,), "rewrites": counted}, {"aim": aim, "query": query})


async def generate(state: RunState, ctx: RunContext) -> Outcome:
    """Write the answer from what survived; the reader sees it grow, marked as not checked yet."""
    await ctx.listener.status("status.writing", {})
    again = "check" in state and not state["check"].grounded
    draft = await begun_draft(state, ctx)
    if draft is None:
        draft = await drafted(write_request(state, ctx, await gathered(state, ctx)), ctx)
    if draft.cut and (not draft.text or ("draft" in state and not again)):
        return Outcome({"stop": draft.cut}, {"stopped": draft.cut})  # what there was before is better
    quoted = ctx.steps.decided is not None and ctx.steps.decided.latest.get("generate") == "second"
    update: RunState = {"draft": draft.text, "evidence": draft.evidence, "quoted": quoted}
    if draft.cut:
        update["stop"] = draft.cut
    if again:
        update["regenerations"] = tally(state).regenerations + 1
    detail = {"characters": len(draft.text), "evidence": len(draft.evidence)}
    return Outcome(update, {**detail, "ahead": True} if draft.ahead else detail)


async def check(state: RunState, ctx: RunContext) -> Outcome:
    """Is the answer supported by what it cites, and does it answer the question?"""
    policy = ctx.policy
    unneeded = state["plan"].route == "direct" or not (policy.check_grounded or policy.check_useful)
    if unneeded or not state.get("draft"):
        return Outcome({"check": Check()})
    await ctx.listener.status("status.checking", {})
    passages: list[Passage] = [
        each.passage for each in await ctx.steps.passages.get(ctx.run, state.get("evidence", ()))
    ]
    judged = await ctx.steps.checker.check(state["plan"].question, state["draft"], passages)
    result = replace(
        judged,
        grounded=judged.grounded or not policy.check_grounded,
        useful=judged.useful or not policy.check_useful,
    )
    return Outcome(
        {"check": result, "missing": result.missing},
        {"grounded": result.grounded, "useful": result.useful, "missing": result.missing},
    )


async def clarify(state: RunState, ctx: RunContext) -> Outcome:
    """One short question back."""
    return Outcome({"answer": outcomes.clarification(state["plan"], ctx)})


async def not_found(state: RunState, ctx: RunContext) -> Outcome:
    """An honest no, with what was searched and the nearest documents."""
    retrieved = await ctx.steps.passages.get(ctx.run, state.get("found", ()))
    return Outcome({"answer": outcomes.nothing_found(state, ctx, retrieved)})


async def finish(state: RunState, ctx: RunContext) -> Outcome:
    """The answer as it stands, with its footnotes and its standing."""
    if not state.get("draft", "").strip():
        return await not_found(state, ctx)
    evidence = await written_from(state, ctx)
    answer = outcomes.answered(state, ctx, evidence, await _footnoted(state["draft"], evidence, ctx))
    # A draft of nothing but links that nobody retrieved has no words left.
    return Outcome({"answer": answer}) if answer.text else await not_found(state, ctx)


async def _footnoted(draft: str, evidence: Sequence[Evidence], ctx: RunContext) -> outcomes.Footnoted | None:
    """Each footnote checked against its passage; None when that can't be done in time, and they stay as written."""
    said = claims(draft)
    if ctx.steps.attributor is None or not said or not evidence:
        return None
    try:
        async with asyncio.timeout(ATTRIBUTION):
            table = await ctx.steps.attributor.support(
                [claim.text for claim in said], [each.passage for each in evidence]
            )
        return attributed(draft, evidence, table)
    except Exception:  # an ending is reached in any case
        log.warning("the footnotes of %s could not be checked", ctx.run, exc_info=True)
        return None


def fallback_plan(ctx: RunContext, reason: str) -> Plan:
    """All collections for the question as asked: the safer guess when planning failed."""
    return settled(Plan(ctx.asked, "collections", reason=reason), ctx)
