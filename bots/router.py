"""`refdesk router`: Cards, router prompt and self-test as they are published, and what the last sync changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from bots.app import App
from bots.compose import opened
from bots.failures import unsynced_as_plain
from core.catalog.alarms import LOOKED_BACK, Alarm, alarms
from core.catalog.card_text import card_text
from core.catalog.changes import CardChange, change
from core.catalog.prompt import prompt_hash, router_prompt
from core.catalog.telling import TREND, told_alarms, told_change, told_test, told_trend
from core.catalog.tested import SelfTest, Tally
from core.documents import Card
from core.wording import say

if TYPE_CHECKING:
    from bots.settings import Settings

TERMS = 40
"""Key terms of a Card that scripts get: as many as people look at."""


async def router(settings: Settings, *, as_json: bool) -> int:
    """Print Cards, router prompt and self-test."""
    async with opened(settings) as app:
        unsynced = await app.prepare(refresh=False)
        cards, tests = await app.cards(), await app.router.tests(LOOKED_BACK + 1)
        prompt = router_prompt(cards, budget=settings.rules.router_tokens)
        if as_json:
            test = plain_test(tests, alarms(tests[0], tests[1:], cards)) if tests else None
            shown = {
                "cards": [plain_card(card) for card in cards],
                "prompt": prompt,
                "prompt_hash": prompt_hash(prompt),
            }
            left_out = unsynced_as_plain(unsynced, app.terminal.language)
            app.terminal.say(_json({**shown, "self_test": test, "unsynced": left_out}))
        else:
            _print(app, cards, prompt, tests)
    return 0


async def diff(settings: Settings, *, as_json: bool) -> int:
    """Print what the last sync of each collection changed of its Card."""
    async with opened(settings) as app:
        await app.prepare(refresh=False)
        before = await app.router.before(app.readable)
        changes = [change(before.get(card.collection), card) for card in await app.cards()]
        published = {each.collection: each.published_at for each in (await app.scope()).generations}
        if as_json:
            at = {name: moment.isoformat(timespec="minutes") for name, moment in published.items()}
            app.terminal.say(_json({"changes": [plain_change(each, at) for each in changes]}))
            return 0
        when = {name: app.upkeep.lines.moment(moment) for name, moment in published.items()}
        for each in changes:
            first, *rest = told_change(each, app.terminal.language)
            app.terminal.say(say("diff.when", app.terminal.language, line=first, when=when.get(each.collection, "–")))
            for line in rest:
                app.terminal.say(line)
    return 0


async def tell_alarms(app: App, tell: Callable[[str], None] | None = None) -> bool:
    """The warnings of the latest self-test; whether there are any."""
    tests = await app.router.tests(LOOKED_BACK + 1)
    found = alarms(tests[0], tests[1:], await app.cards()) if tests else ()
    for line in told_alarms(found, app.terminal.language):
        (tell or app.terminal.say)(line)
    return bool(found)


def plain_card(card: Card) -> dict[str, Any]:
    """A Card for scripts: without its vectors, with as many terms as people look at."""
    return {
        "name": card.collection,
        "version": card.version,
        "title": card.title,
        "hint": card.hint,
        "documents": card.documents,
        "passages": card.passages,
        "languages": dict(card.languages),
        "dates": [card.dates.start.isoformat(), card.dates.end.isoformat()] if card.dates else None,
        "updated": card.updated.isoformat() if card.updated else None,
        "terms": card.terms[:TERMS],
        "titles": card.titles,
        "headings": card.headings,
        "questions": card.questions,
        "held_back": len(card.held),
        "embedding": card.embedding,
    }


def plain_test(tests: Sequence[SelfTest], found: Sequence[Alarm]) -> dict[str, Any]:
    """The latest self-test for scripts, with its warnings and the trend, oldest first. Accuracies in 0–1 or null."""
    test = tests[0]
    alike = [each for each in tests if each.is_like(test)]
    return {
        "accuracy": test.accuracy,
        "asked": test.overall.asked,
        "hits": test.overall.hits,
        "collections": {name: _plain_tally(tally) for name, tally in test.collections.items()},
        "small_talk": _plain_tally(test.talk),
        "out_of_scope": _plain_tally(test.outside),
        "confusions": [asdict(each) for each in test.confusions],
        "at": test.at.isoformat(),
        "planner": test.planner,
        "card_versions": dict(test.card_versions),
        "prompt_hash": test.prompt_hash,
        "unasked": test.unasked,
        "seconds": test.seconds,
        "trend": [{"at": each.at.isoformat(), "accuracy": each.accuracy} for each in alike[:TREND][::-1]],
        "warnings": [_plain_alarm(alarm) for alarm in found],
    }


def plain_change(found: CardChange, when: Mapping[str, str]) -> dict[str, Any]:
    """A Card's change for scripts; `before` null for a Card that is new."""
    return {
        "name": found.collection,
        "at": when.get(found.collection),
        "before": found.before or None,
        "after": found.after,
        **{name: asdict(each) for name, each in found.lists.items()},
        **{name: list(pair) for name, pair in found.facts.items()},
    }


def _plain_tally(tally: Tally) -> dict[str, Any]:
    return {"accuracy": tally.accuracy, **asdict(tally)}


def _plain_alarm(alarm: Alarm) -> dict[str, Any]:
    pairs = [{**asdict(pair.confusion), "only_asked": pair.own, "only_routed": pair.other} for pair in alarm.pairs]
    return {"place": alarm.place or None, "accuracy": alarm.accuracy, "before": alarm.before, "pairs": pairs}


def _print(app: App, cards: Sequence[Card], prompt: str, tests: Sequence[SelfTest]) -> None:
    language, tell = app.terminal.language, app.terminal.say
    tell(say("router.cards", language))
    for card in cards:
        tell(f"\n{card_text(card)}\nversion {card.version}")
    tell("\n" + say("router.prompt", language, hash=prompt_hash(prompt)) + "\n")
    tell(prompt)
    tell("\n" + say("router.self_test", language) + "\n")
    if not tests:
        tell(say("router.never_tested", language))
        return
    lines = [*told_test(tests[0], language, app.upkeep.lines.zone), told_trend(tests, language)]
    for line in [*lines, *told_alarms(alarms(tests[0], tests[1:], cards), language)]:
        if line:
            tell(line)


def _json(shown: Mapping[str, Any]) -> str:
    return json.dumps(shown, ensure_ascii=False, indent=2)
