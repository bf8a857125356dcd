"""What an answer gives away, and whether it may still be shown. Pure; knows no platform and no store."""

from __future__ import annotations

from dataclasses import replace

from core.answers import Answer
from core.documents import Readable, Scope

_WORDED = ("question", "query", "missing")
"""What a trace tells in words that a model may have taken from a document."""


def rests_on(answer: Answer) -> frozenset[str]:
    """Every collection whose content may have gone into the answer.

    That is all its run could read, and not only what it cites: a writer sees more passages than it cites, and
    the plan was made with all Cards and with the conversation before.
    """
    cited = {each.collection for each in (*answer.citations, *answer.nearest) if each.origin == "index"}
    planned = answer.plan.collections if answer.plan else ()
    searched = (name for name in answer.searched if name != "web")
    return frozenset({*cited, *planned, *searched, *answer.card_versions})


def may_show(answer: Answer, readable: Readable) -> bool:
    """Whether people who may read `readable` may see the answer: when it is posted, shared or explained."""
    return readable.collections.issuperset(rests_on(answer))


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
