"""Why this answer? The stored trace of a turn in plain words; what it took stands in `core.desk.spending`.

No prompt's text and no passage is in it, and no name of what its reader may not read.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.access_answers import may_explain, redacted
from core.answers import Answer, Citation, Plan
from core.desk.spending import spending
from core.desk.trace import Detail, Trace
from core.documents import Readable
from core.indexing.text import one_line
from core.links import strip_foreign_links
from core.mentions import quiet
from core.messages import Language, Turn
from core.rag.outcomes import spoken
from core.retrieval.ranked import BY_WORDS
from core.wording import SENTENCES, say

QUOTED = 300
"""Characters of a question or query that are shown."""


def explain(turn: Turn | None, readable: Readable, language: Language) -> str:
    """The turn's answer explained to somebody who may read `readable`; one line for each thing there is to say."""
    return "\n".join(reasons(turn, readable, language))


def reasons(turn: Turn | None, readable: Readable, language: Language) -> list[str]:
    """The same as lines."""
    if turn is not None and turn.status == "failed":
        return [say("why.no_answer", language, error_id=turn.error_id or "–")]
    if turn is None or turn.answer is None:
        return [say("why.nothing", language)]
    answer = turn.answer
    if not may_explain(answer, readable):
        answer = redacted(answer, say("why.unreadable", language))
    trace = Trace(answer.trace)
    lines = [*_way(answer, trace, readable, language), *_standing(answer, trace, readable, language)]
    lines += spending(trace, language)
    return [f"{say(f'why.label.{label}', language)}: {text}" for label, text in lines if text]


def _way(answer: Answer, trace: Trace, readable: Readable, language: Language) -> Iterable[tuple[str, str]]:
    """How the run went, from the plan to the words."""
    plan = answer.plan
    if plan is not None:
        yield "route", _route(plan, answer, readable, language)
        if plan.route in ("collections", "web"):
            yield "question", _with(_shown(plan.question), _known(f"why.leaning.{plan.reason}", language))
        yield "parts", "; ".join(map(_shown, plan.sub_questions)) if plan.steps == "multi" else ""
        yield "period", spoken(plan.period) if plan.period else ""
    yield "passages", _passages(trace, language)
    yield "words", _by_words(trace, readable, language)
    yield "web", "; ".join(_web(trace, language))
    yield "again", "; ".join(_again(trace, language))
    if any(detail.get("ahead") for detail in trace.of("grade")):
        used = any(detail.get("ahead") for detail in trace.of("generate"))
        yield "ahead", say(f"why.ahead.{'used' if used else 'dropped'}", language)
    yield "resumed", say("why.resumed", language) if trace.resumed else ""
    yield (
        "ended",
        "; ".join(
            _known(f"why.ended.{detail['stopped']}", language, step=_step(step, language))
            for step, detail in trace.having("stopped")
        ),
    )
    yield (
        "failed",
        "; ".join(
            say("why.failed", language, step=_step(step, language), error_id=detail.get("error_id", "–"))
            for step, detail in trace.having("failed")
        ),
    )


def _route(plan: Plan, answer: Answer, readable: Readable, language: Language) -> str:
    hidden = say("why.unreadable", language)
    names = [name for name in answer.searched if name != "web"] or plan.collections
    where = list(dict.fromkeys(name if name in readable.collections else hidden for name in names))
    said = say(f"why.route.{plan.route}", language, collections=", ".join(where))
    why = _known(f"why.reason.{plan.reason.replace(' ', '_')}", language)
    if not why and plan.route == "collections" and answer.card_versions:
        why = say(f"why.scope.{_scope(plan, answer)}", language)
    return _with(said, why)


def _scope(plan: Plan, answer: Answer) -> str:
    """Why it was looked for there and nowhere else."""
    if set(answer.card_versions) <= set(plan.collections):
        return "all"
    return "defaults" if any(event.detail.get("defaults") for event in answer.trace) else "some"


def _passages(trace: Trace, language: Language) -> str:
    graded = trace.last("grade")
    if not graded or "correct" not in graded:
        return ""
    counted = {label: graded.get(label, 0) for label in ("correct", "ambiguous", "incorrect")}
    found = sum(counted.values())
    if graded.get("ungraded"):
        return say("why.ungraded", language, found=found)
    out = [
        _known(f"why.out.{reason}", language, count=count) or say("why.out.other", language, count=count)
        for reason, count in sorted((graded.get("reasons") or {}).items())
    ]
    kept = sum(detail.get("kept", 0) for detail in trace.of("refine"))
    told = _with(say("why.graded", language, found=found, **counted), ", ".join(out))
    return f"{told}; {say('why.kept', language, kept=kept)}" if kept else told


def _by_words(trace: Trace, readable: Readable, language: Language) -> str:
    names = dict.fromkeys(name for detail in trace.of("retrieve") for name in detail.get(BY_WORDS, ()))
    hidden = say("why.unreadable", language)
    return ", ".join(dict.fromkeys(name if name in readable.collections else hidden for name in names))


def _web(trace: Trace, language: Language) -> Iterable[str]:
    for asked, detail in trace.web_searches:
        query = _shown(asked) or "–"
        if detail.get("skipped"):
            yield say("why.web.skipped", language)
        elif detail.get("failed") or detail.get("stopped"):
            yield say("why.web.failed", language, query=query)
        else:
            yield say("why.web.found", language, query=query, found=detail.get("found", 0))


def _again(trace: Trace, language: Language) -> Iterable[str]:
    for detail in trace.of("rewrite"):
        if detail.get("aim") == "index":
            yield say("why.again.index", language, query=_shown(detail.get("query", "")))
    if trace.written_again:
        yield say("why.again.written", language, count=trace.written_again)


def _standing(answer: Answer, trace: Trace, readable: Readable, language: Language) -> Iterable[tuple[str, str]]:
    """How far the answer can be relied on."""
    searched = answer.plan is not None and answer.plan.route in ("collections", "web")
    yield "verdict", say(f"why.verdict.{answer.verdict}", language) if answer.verdict and searched else ""
    yield "check", _check(trace.last("check"), language) if searched else ""
    yield "sources", ", ".join(f"[{each.number}] {_title(each, readable, language)}" for each in answer.citations)


def _check(checked: Detail, language: Language) -> str:
    if "grounded" not in checked:
        return ""
    parts = [say("why.check.grounded" if checked["grounded"] else "why.check.ungrounded", language)]
    if not checked.get("useful", True):
        parts.append(say("why.check.unhelpful", language))
        if checked.get("missing"):
            parts.append(say("why.check.missing", language, missing=_shown(checked["missing"])))
    return "; ".join(parts)


def _title(citation: Citation, readable: Readable, language: Language) -> str:
    open_to_all = citation.origin == "web" or citation.collection in readable.collections
    return one_line(citation.title) if open_to_all else say("why.unreadable", language)


def _step(step: str, language: Language) -> str:
    return say(f"why.step.{step}", language)


def _known(key: str, language: Language, **fields: object) -> str:
    """The sentence, or nothing for a key that there is none for: traces outlive versions."""
    return say(key, language, **fields) if key in SENTENCES else ""


def _with(text: str, why: str) -> str:
    return f"{text} ({why})" if why else text


def _shown(text: str) -> str:
    """A question or query as it may be printed anywhere: on one line, no links, calling nobody, not endless."""
    line = quiet(one_line(" ".join(strip_foreign_links(text, ()).split())))
    return line if len(line) <= QUOTED else f"{line[:QUOTED].rstrip()}…"
