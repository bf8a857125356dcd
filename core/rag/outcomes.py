"""The ends of a run as Answers: pure composition of text, footnotes, standing and notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from core.answers import Answer, Citation, Plan, Retrieved, Standing
from core.asserting import asserts
from core.citations import cite
from core.claims import claims
from core.documents import Passage, TimeSpan
from core.mentions import plain_name, quiet
from core.orders import Orders
from core.ports import Evidence
from core.presenting import listed
from core.rag.context import RunContext
from core.rag.state import RunState
from core.retrieval.ranked import BY_WORDS
from core.wording import say

NEAREST = 3
"""How many of the nearest documents an honest no names."""


Footnoted = tuple[str, tuple[Citation, ...]]
"""An answer's text with its footnotes numbered by first use, and what they cite."""


def answered(state: RunState, ctx: RunContext, evidence: Sequence[Evidence], footnoted: Footnoted | None) -> Answer:
    """The written answer, with only what it cites listed; without `footnoted` its footnotes stay as written."""
    text, cited = footnoted or cite(state["draft"], evidence)
    orders = Orders(each.passage for each in evidence)
    citations = tuple(_harmless(each, orders) for each in cited)
    unfounded = not citations and _claims_something(state)
    return Answer(
        text=quiet(text),
        standing=_without_footing(standing(state, ctx)) if unfounded else standing(state, ctx),
        citations=citations,
        notes=(*_notes(state, ctx, citations), *([say("note.unfounded", ctx.language)] if unfounded else ())),
        plan=state["plan"],
        verdict=state.get("verdict"),
        searched=_searched(state, ctx),
    )


def standing(state: RunState, ctx: RunContext) -> Standing:
    """How far the written answer can be trusted; agreement with the sources, never truth."""
    if state["plan"].route == "direct":
        return "direct"
    check = state.get("check")
    if state.get("stop") or (check and not check.grounded):
        return "partial"
    if state.get("verdict") != "correct" or state.get("weak"):
        return "closest"
    if check is None or not check.sentences:
        return "unchecked"
    return "supported" if check.useful else "closest"


def _claims_something(state: RunState) -> bool:
    return state["plan"].route != "direct" and any(asserts(claim.text) for claim in claims(state["draft"]))


def _without_footing(standing: Standing) -> Standing:
    """A written answer none of whose footnotes held is not supported, whatever its check has said."""
    return "partial" if standing in ("supported", "unchecked") else standing


def _notes(state: RunState, ctx: RunContext, citations: Sequence[Citation]) -> list[str]:
    notes = []
    if standing(state, ctx) == "partial":
        notes.append(_stopped(state, ctx))
    if state.get("quoted"):
        notes.append(say("note.quoted", ctx.language))
    if state.get("web_failed"):
        notes.append(say("note.web_failed", ctx.language))
    notes += _by_words(state, ctx)
    dates = [each.date for each in citations if each.date]
    if dates and (state["plan"].time_sensitive or state["plan"].period):
        notes.append(say("note.dated", ctx.language, date=max(dates).isoformat()))
    return notes


def clarification(plan: Plan, ctx: RunContext) -> Answer:
    """One short question back."""
    return Answer(text=plan.clarification, standing="clarify", plan=plan)


def nothing_found(state: RunState, ctx: RunContext, retrieved: Sequence[Retrieved]) -> Answer:
    """What was searched, that nothing holds the answer, and which documents come nearest."""
    nearest = _nearest(state, retrieved)
    searched = _searched(state, ctx)
    return Answer(
        text=_no(state, ctx, nearest, searched),
        standing="not_found",
        nearest=nearest,
        notes=tuple(_limits(state, ctx, searched)),
        plan=state.get("plan"),
        verdict=state.get("verdict"),
        searched=searched,
    )


def _limits(state: RunState, ctx: RunContext, searched: Sequence[str]) -> list[str]:
    notes = [_stopped(state, ctx)] if state.get("stop") else []
    if state.get("web_failed") and searched:
        notes.append(say("note.web_failed", ctx.language))
    return notes + _by_words(state, ctx)


def _by_words(state: RunState, ctx: RunContext) -> list[str]:
    """Where nobody could compare meanings: what was not found there may be there all the same."""
    searches = [event.detail.get(BY_WORDS, ()) for event in state.get("trace", ()) if event.node == "retrieve"]
    names = sorted({name for names in searches for name in names} & ctx.scope.collections)
    return [say("note.by_words", ctx.language, collections=listed(names, ctx.cards, ctx.language))] if names else []


def _stopped(state: RunState, ctx: RunContext) -> str:
    keys = {"failed": "note.failed", "stopped": "note.stopped_by_you"}
    return say(keys.get(state.get("stop", ""), "note.stopped"), ctx.language)


def _no(state: RunState, ctx: RunContext, nearest: Sequence[Citation], searched: Sequence[str]) -> str:
    if not searched:
        nothing = "answer.nothing_for_outside" if ctx.outside else "answer.nothing_indexed"
        return say("answer.web_down" if state.get("web_failed") else nothing, ctx.language)
    where = listed(searched, ctx.cards, ctx.language)
    if not nearest:
        return say("answer.not_found_at_all", ctx.language, collections=where)
    first = nearest[0]
    period = state["plan"].period
    if period and first.date and _stale(state, first):
        return say(
            "answer.none_of_period",
            ctx.language,
            collections=where,
            period=spoken(period),
            title=first.title,
            date=first.date.isoformat(),
        )
    return say("answer.not_found", ctx.language, collections=where, title=first.title)


def _stale(state: RunState, nearest: Citation) -> bool:
    grade = state.get("grades", {}).get(nearest.passage_id)
    return grade is not None and grade.reason == "stale"


def _searched(state: RunState, ctx: RunContext) -> tuple[str, ...]:
    made = state.get("plan")
    if made is None or made.route == "direct":
        return ()
    own = tuple(sorted(ctx.scope.narrowed(made.collections).collections)) if made.route == "collections" else ()
    return (*own, "web") if _web_searched(state) else own


def _web_searched(state: RunState) -> bool:
    """Whether at least one search of the web did not fail."""
    return state.get("searches", 0) > (1 if state.get("web_failed") else 0)


def _nearest(state: RunState, retrieved: Sequence[Retrieved]) -> tuple[Citation, ...]:
    """The nearest documents, each once: those of the wrong time first (they are on the subject), then by grade."""
    grades = state.get("grades", {})

    def closeness(each: Retrieved) -> tuple[bool, float]:
        grade = grades.get(each.passage.id)
        return (grade is not None and grade.reason == "stale", (grade.rank if grade else 0.0))

    by_document: dict[tuple[str, str], Passage] = {}
    for each in sorted(retrieved, key=closeness, reverse=True):
        by_document.setdefault((each.passage.collection, each.passage.document_id), each.passage)
    nearest = list(by_document.values())[:NEAREST]
    return tuple(_pointer(number, passage) for number, passage in enumerate(nearest, start=1))


def _harmless(citation: Citation, orders: Orders) -> Citation:
    """The footnote with names and quoted words that give no orders and call nobody."""
    return replace(
        citation,
        title=plain_name(citation.title),
        heading_path=tuple(map(plain_name, citation.heading_path)),
        quote=quiet(orders.without(citation.quote)),
    )


def _pointer(number: int, passage: Passage) -> Citation:
    pointed = Citation(
        number=number,
        collection=passage.collection,
        document_id=passage.document_id,
        passage_id=passage.id,
        title=passage.title,
        heading_path=passage.heading_path,
        page=passage.page,
        date=passage.date,
        link=passage.link,
        origin=passage.origin,
    )
    return _harmless(pointed, Orders([passage]))


def spoken(period: TimeSpan) -> str:
    """A period as people write it: a year, a month, or its two days."""
    start, end = period.start, period.end
    if (start, end) == (date(start.year, 1, 1), date(start.year, 12, 31)):
        return str(start.year)
    if start.day == 1 and (start.year, start.month) == (end.year, end.month):
        return f"{start.year}-{start.month:02d}"
    return start.isoformat() if start == end else f"{start.isoformat()} – {end.isoformat()}"
