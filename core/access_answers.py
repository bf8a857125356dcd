"""What an answer gives away, and whether it may still be shown. Pure; knows no platform and no store."""

from __future__ import annotations

from dataclasses import replace

from core.answers import Answer
from core.documents import Readable, Scope

_WORDED = ("question", "query", "missing")
"""What a trace tells in words that a model may have taken from a document."""


def rests_on(answer: Answer) -> frozenset[str]:
    """The collections whose content may stand in the answer's text, whether it cites them or not.

    Those that were searched, since a writer sees more passages than it cites; and those of the conversation before.
    Without a search, or where it was routed anew, all that the run could read: a greeting names every title.
    """
    plan, nodes = answer.plan, {event.node for event in answer.trace}
    if plan is None or plan.route not in ("collections", "web") or "reroute" in nodes:
        return worded_from(answer)
    searched = plan.collections if plan.route == "collections" or "retrieve" in nodes else ()
    named = (name for name in answer.searched if name != "web")
    return frozenset({*_pointed_at(answer), *searched, *named, *answer.context})


def worded_from(answer: Answer) -> frozenset[str]:
    """The collections whose content may stand in the plan's words: a model reads every Card before it words them."""
    planned = answer.plan.collections if answer.plan else ()
    named = (name for name in answer.searched if name != "web")
    return frozenset({*_pointed_at(answer), *planned, *named, *answer.context, *answer.card_versions})


def _pointed_at(answer: Answer) -> frozenset[str]:
    return frozenset(each.collection for each in (*answer.citations, *answer.nearest) if each.origin == "index")


def may_show(answer: Answer, readable: Readable) -> bool:
    """Whether people who may read `readable` may see the text of the answer."""
    return readable.collections.issuperset(rests_on(answer))


def may_explain(answer: Answer, readable: Readable) -> bool:
    """Whether they may see how its question was worded, too."""
    return readable.collections.issuperset(worded_from(answer))


def redacted(answer: Answer, instead: str) -> Answer:
    """The answer with `instead` in the place of what was worded from the documents or from the thread.

    For the explanation: a standalone question names what an earlier answer said, a query what is missing.
    """
    plan = answer.plan
    if plan is not None:
        plan = replace(plan, question=instead, sub_questions=(instead,) if plan.sub_questions else ())
    trace = tuple(
        replace(event, detail={**event.detail, **{name: instead for name in _WORDED if event.detail.get(name)}})
        for event in answer.trace
    )
    return replace(answer, plan=plan, trace=trace)


def still_stands(answer: Answer, now: Scope) -> bool:
    """Whether every document that the answer points to is still there; a newer version of it may be."""
    documents = {generation.collection: generation.documents for generation in now.generations}
    pointed = (each for each in (*answer.citations, *answer.nearest) if each.origin == "index")
    return all(each.document_id in documents.get(each.collection, ()) for each in pointed)
