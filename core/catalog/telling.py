"""The self-test, its warnings and what changed of a Card, in lines for people; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, tzinfo

from core.catalog.alarms import FEW, Alarm, Pair
from core.catalog.changes import CardChange
from core.catalog.tested import EVERYTHING, OUTSIDE, TALK, SelfTest, Tally
from core.messages import Language
from core.wording import say

ITEMS = 12
TREND = 12

_PLACES = {
    TALK: "place.talk",
    OUTSIDE: "place.outside",
    EVERYTHING: "place.everything",
    "web": "place.web",
    "clarify": "place.clarify",
    "": "place.router",
}


def told_test(test: SelfTest, language: Language, zone: tzinfo = UTC) -> Iterator[str]:
    """The whole test: overall, by collection, and what was taken for what; its time as it is in `zone`."""
    moment = test.at.astimezone(zone).isoformat(" ", "minutes")
    yield say("router.tested_at", language, result=told_shortly(test, language), when=moment, planner=test.planner)
    for name, tally in test.collections.items():
        yield "  " + _told_place(name, tally, language)
    yield "  " + _told_place(TALK, test.talk, language)
    outside = {"percent": percent(test.outside.accuracy), "hits": test.outside.hits, "asked": test.outside.asked}
    yield "  " + say("router.outside", language, **outside)
    if test.unasked:
        yield "  " + say("router.unasked", language, count=test.unasked)
    if test.confusions:
        yield say("router.confusions", language)
    for each in test.confusions:
        pair = {"asked": place(each.asked, language), "routed": place(each.routed, language), "count": each.count}
        yield "  " + say("router.confusion", language, **pair, examples=quoted(each.examples))


def told_shortly(test: SelfTest, language: Language) -> str:
    """The test in a few words."""
    if not test.has_routed:
        return say("router.tested_talk", language, hits=test.talk.hits, asked=test.talk.asked)
    overall = test.overall
    told = {"percent": percent(overall.accuracy), "hits": overall.hits, "asked": overall.asked}
    return say("router.tested", language, **told)


def told_trend(tests: Sequence[SelfTest], language: Language) -> str:
    """The accuracies of the latest comparable tests, oldest first; empty for fewer than two.

    `tests` come newest first.
    """
    alike = [each for each in tests if each.is_like(tests[0]) and each.has_routed][:TREND]
    if len(alike) < 2:
        return ""
    return say("router.trend", language, trend=" → ".join(percent(each.accuracy) for each in reversed(alike)))


def told_alarms(alarms: Sequence[Alarm], language: Language) -> list[str]:
    """Each warning in a line, with the pairs below it and what would tell them apart."""
    return [line for alarm in alarms for line in _told_alarm(alarm, language)]


def told_change(change: CardChange, language: Language) -> Iterator[str]:
    """What changed of one Card; a line for each list and fact."""
    versions = {"name": change.collection, "before": change.before, "after": change.after}
    if change.is_new:
        yield say("diff.new", language, **versions)
        return
    yield say("diff.none" if change.is_none else "diff.changed", language, **versions)
    for name, (before, now) in change.facts.items():
        fact = {"what": say(f"diff.{name}", language), "before": before or "–", "now": now or "–"}
        yield "  " + say("diff.fact", language, **fact)
    for name, entries in change.lists.items():
        what = say(f"diff.{name}", language)
        for sign, items in (("+", entries.added), ("-", entries.removed)):
            if items:
                yield f"  {sign} {what}: {_shortened(items)}"


def percent(share: float | None) -> str:
    """A share as people write it."""
    return "–" if share is None else f"{100 * share:.0f} %"


def place(name: str, language: Language) -> str:
    """A collection's name, or in words what is none."""
    return say(_PLACES[name], language) if name in _PLACES else name


def quoted(examples: Sequence[str]) -> str:
    """A few headings."""
    return ", ".join(f"“{example}”" for example in examples)


def _told_place(name: str, tally: Tally, language: Language) -> str:
    told = {"place": place(name, language), "hits": tally.hits, "asked": tally.asked}
    told |= {"percent": percent(tally.accuracy), "searched": tally.searched}
    if not tally.asked:
        return say("router.place_none", language, **told)
    key = "router.place_talk" if name == TALK else "router.place"
    few = " " + say("router.few", language) if tally.asked < FEW else ""
    return say(key, language, **told) + few


def _told_alarm(alarm: Alarm, language: Language) -> Iterator[str]:
    told = {"place": place(alarm.place, language), "percent": percent(alarm.accuracy)}
    told |= {"hits": str(alarm.tally.hits), "asked": str(alarm.tally.asked), "before": percent(alarm.before)}
    yield say("alarm.low" if alarm.before is None else "alarm.fell", language, **told)
    for pair in alarm.pairs:
        yield from _told_pair(pair, language)
    rivals = [pair.confusion.routed for pair in alarm.pairs if pair.confusion.routed not in _PLACES]
    if alarm.place not in _PLACES:
        names = {"asked": alarm.place, "routed": ", ".join(rivals)}
        yield "  " + say("alarm.remedy" if rivals else "alarm.remedy_hint", language, **names)


def _told_pair(pair: Pair, language: Language) -> Iterator[str]:
    confusion = pair.confusion
    names = {"asked": place(confusion.asked, language), "routed": place(confusion.routed, language)}
    yield "  " + say("alarm.pair", language, **names, count=confusion.count, examples=quoted(confusion.examples))
    for name, terms in ((names["asked"], pair.own), (names["routed"], pair.other)):
        if terms:
            yield "    " + say("alarm.only", language, name=name, terms=", ".join(terms))


def _shortened(items: Sequence[str]) -> str:
    shown = " | ".join(items[:ITEMS])
    return shown if len(items) <= ITEMS else f"{shown} | … (+{len(items) - ITEMS})"
