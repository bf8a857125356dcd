"""The words of a writer as they come: begun early where allowed, shown while they grow, kept when time runs out."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from core.errors import UpstreamError, UpstreamRefused
from core.indexing.text import printable
from core.markers import markers, settled
from core.orders import Orders
from core.ports import Evidence, WriteRequest
from core.rag.context import RunContext
from core.rag.showing import Showing
from core.rag.state import RunState, Stop, tally
from core.streams import closed_after

log = logging.getLogger(__name__)

_CUT = "…"

LONGEST = 20_000
"""Characters of an answer; no question of a team needs more, and a chat shows far less."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What was written, and the ids of the passages that its markers count.

    `cut` when the deadline, or a model that broke off, came before its end; `ahead` when it was begun before the
    passages were graded.
    """

    text: str
    evidence: tuple[str, ...]
    cut: Stop = ""
    ahead: bool = False


def write_request(state: RunState, ctx: RunContext, evidence: Sequence[Evidence]) -> WriteRequest:
    """What the writer is given at this point of a run."""
    again = "check" in state and not state["check"].grounded
    return WriteRequest(
        question=state["plan"].question,
        asked=ctx.asked,
        language=ctx.language,
        plan=state["plan"],
        evidence=tuple(evidence),
        verdict=state.get("verdict"),
        today=ctx.today,
        history=ctx.history,
        unsupported=state["check"].unsupported if again else (),
        missing=state.get("missing", ""),
        cards=ctx.cards,
    )


def may_run_ahead(state: RunState, ctx: RunContext) -> bool:
    """Only the first answer from the first passages is begun early: later rounds know what the earlier ones lacked."""
    rounds = tally(state)
    first = not (rounds.loops or rounds.searches or state.get("draft") or state.get("grades"))
    return ctx.policy.speculate and ctx.policy.grades != "off" and first and bool(state.get("found"))


async def begun_draft(state: RunState, ctx: RunContext) -> Draft | None:
    """The draft that was begun while its passages were graded; None when there is none that may be shown.

    The verdict stands, so its words may be shown. One that cites a passage which the grades then rejected is
    not kept: an answer must not rest on what "why this answer" says was left out.
    """
    words = ctx.ahead.take_words()
    if words is None:
        return None
    try:
        draft = await _followed(words.chunks(), words.request.evidence, ctx)
    finally:
        await words.close()
    grades = state.get("grades", {})
    cited = {number for marker in markers(draft.text) for number in marker.numbers}
    rejected = any(
        grades[id].label == "incorrect" for n, id in enumerate(draft.evidence, start=1) if n in cited and id in grades
    )
    return None if rejected and not draft.cut else Draft(draft.text, draft.evidence, draft.cut, ahead=True)


async def drafted(request: WriteRequest, ctx: RunContext) -> Draft:
    """The whole text, or what there is of it where the deadline or a broken connection ended it."""
    return await _followed(ctx.steps.writer.write(request), request.evidence, ctx)


async def _followed(chunks: AsyncIterator[str], evidence: Sequence[Evidence], ctx: RunContext) -> Draft:
    words, length = list[str](), 0
    ids, orders = tuple(each.passage.id for each in evidence), Orders(each.passage for each in evidence)
    limit = ctx.deadline.limit()
    try:
        async with limit, closed_after(chunks) as stream, Showing(evidence, orders, ctx.listener) as showing:
            async for piece in stream:
                chunk = printable(piece)
                words.append(chunk)
                showing.add(chunk)
                length += len(chunk)
                if length > LONGEST:  # a model that never ends must not hold its reader, nor fill a thread
                    return Draft(orders.without(_whole("".join(words)[:LONGEST])), ids, cut="failed")
    except TimeoutError:
        if not limit.expired():
            raise
        return Draft(orders.without(_whole("".join(words))), ids, cut=ctx.deadline.why)
    except UpstreamError as error:
        text = orders.without(_whole("".join(words)))
        if not text or (isinstance(error, UpstreamRefused) and error.reason != "error.model_cut"):
            raise
        log.warning("the writer of %s broke off: %s", ctx.run, error)
        return Draft(text, ids, cut="failed")
    return Draft(orders.without("".join(words)), ids)


def _whole(text: str) -> str:
    """What there is of a text that ended early, without half a marker or link."""
    whole = text[: settled(text)].rstrip()
    return f"{whole} {_CUT}" if whole else ""
