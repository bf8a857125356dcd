"""The router's self-test: questions whose place is known are routed, and what came of it is counted.

Routed as a first message of an audience that may read all, with the web off. What counts as right:

- a question about a collection: the plan looks into collections and names the right one *first*. A planner that is
  unsure names all of them; that is right only where it ranks them (its confidence is above one half) or where there
  is only one. A model never ranks: its prompt tells it to name all when it is unsure. Whether the right one was
  searched at all is counted beside it (`Tally.searched`): that is what an answer depends on, while the first place
  is what becomes wrong early when a Card goes stale.
- small talk: the route is ``direct``. A collection searched for a greeting costs time and answers nothing.
- out of scope: no collection is singled out. With the web off whoever is unsure searches everything, so all
  collections (or the web) is right; fewer than all, a question back and small talk are wrong. With one collection
  anything but these two is right. Not a part of the accuracy, since doubt is no fault.

Knows a Planner and Cards, neither documents nor stores.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from core.answers import Plan
from core.catalog.prompt import BUDGET, prompt_hash, router_prompt
from core.catalog.tested import EVERYTHING, OUTSIDE, TALK, Confusion, Probe, SelfTest, Tally
from core.documents import Card
from core.errors import RefdeskError
from core.ports import Planner, PlanRequest

log = logging.getLogger(__name__)

EXAMPLES = 3
CONFUSIONS = 30
_EVEN = 0.5
_MODEL = "model"


@dataclass(frozen=True, slots=True)
class Trial:
    """How a self-test is run. After `seconds` what was not yet asked is left out; `planner` names who routes.

    `router_tokens` is the budget of the prompt, whose hash is told.
    """

    planner: str = "local"
    at: datetime = datetime(2000, 1, 1, tzinfo=UTC)
    seconds: float = 30.0
    at_once: int = 4
    router_tokens: int = BUDGET


@dataclass(frozen=True, slots=True)
class Routed:
    """A question and where it went: a collection's name, TALK, EVERYTHING, ``web`` or ``clarify``."""

    probe: Probe
    place: str
    is_hit: bool
    is_searched: bool


async def run(planner: Planner, cards: Sequence[Card], probes: Sequence[Probe], trial: Trial) -> SelfTest:
    """Ask all questions, in their order. Raises what the planner raises only when it failed on every question."""
    started = time.monotonic()
    routed = await _ask(planner, tuple(cards), probes, trial)
    return counted(routed, cards, trial, seconds=time.monotonic() - started, unasked=len(probes) - len(routed))


def judge(probe: Probe, plan: Plan, names: frozenset[str]) -> Routed:
    """Where the question went and whether that is right; `names` are all collections there are."""
    named = plan.collections if plan.route == "collections" else ()
    place = _place(plan, names)
    if probe.kind == "talk":
        return Routed(probe, place, place == TALK, False)
    if probe.kind == "outside":
        is_open = plan.route == "web" or (bool(named) and names <= set(named))
        return Routed(probe, EVERYTHING if is_open and named else place, is_open, False)
    return Routed(probe, place, place == probe.right, probe.right in named)


def _place(plan: Plan, names: frozenset[str]) -> str:
    if plan.route != "collections" or not plan.collections:
        return TALK if plan.route == "direct" else plan.route
    is_ranked = not plan.reason.startswith(_MODEL) and (plan.confidence is None or plan.confidence > _EVEN)
    return plan.collections[0] if is_ranked or names > set(plan.collections) or len(names) == 1 else EVERYTHING


def counted(
    routed: Sequence[Routed], cards: Sequence[Card], trial: Trial, *, seconds: float = 0.0, unasked: int = 0
) -> SelfTest:
    """The result of these questions."""
    by_place: dict[str, Tally] = defaultdict(Tally)
    for each in routed:
        by_place[each.probe.right] += Tally(1, int(each.is_hit), int(each.is_searched))
    ordered = sorted(cards, key=lambda card: card.collection)
    return SelfTest(
        at=trial.at,
        planner=trial.planner,
        collections={card.collection: by_place[card.collection] for card in ordered},
        talk=by_place[TALK],
        outside=by_place[OUTSIDE],
        confusions=confusions(routed),
        card_versions={card.collection: card.version for card in ordered},
        prompt_hash=prompt_hash(router_prompt(ordered, budget=trial.router_tokens)),
        seconds=round(seconds, 2),
        unasked=unasked,
    )


def confusions(routed: Iterable[Routed]) -> tuple[Confusion, ...]:
    """The pairs that were taken for one another, the most frequent first."""
    missed = [each for each in routed if not each.is_hit]
    pairs = Counter((each.probe.right, each.place) for each in missed)
    ranked = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[:CONFUSIONS]
    return tuple(Confusion(right, place, count, _examples(missed, right, place)) for (right, place), count in ranked)


def _examples(missed: Sequence[Routed], right: str, place: str) -> tuple[str, ...]:
    found = [e.probe.heading or e.probe.text for e in missed if (e.probe.right, e.place) == (right, place)]
    return tuple(found[:EXAMPLES])


async def _ask(planner: Planner, cards: tuple[Card, ...], probes: Sequence[Probe], trial: Trial) -> list[Routed]:
    """Several at once, none after the time is up; one that fails is left out."""
    names = frozenset(card.collection for card in cards)
    waiting, done, failed = iter(list(enumerate(probes))), {}, []

    async def worker() -> None:
        for place, probe in waiting:
            request = PlanRequest(probe.text, probe.language, _day(trial), cards)
            try:
                done[place] = judge(probe, await planner.plan(request), names)
            except RefdeskError as error:
                failed.append(error)

    try:
        async with asyncio.timeout(trial.seconds), asyncio.TaskGroup() as group:
            for _ in range(trial.at_once):
                group.create_task(worker())
    except TimeoutError:
        log.warning(
            "the router's self-test took longer than %.0f s; %d questions left", trial.seconds, len(probes) - len(done)
        )
    if failed and not done:
        raise failed[-1]
    return [done[place] for place in sorted(done)]


def _day(trial: Trial) -> date:
    return trial.at.date()
