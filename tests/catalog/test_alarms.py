"""When a self-test warns, against what it is compared, and what it says would help."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog.alarms import FEW, LOW, Alarm, alarms, is_below, upper_bound
from core.catalog.telling import told_alarms
from core.catalog.tested import TALK, Confusion, SelfTest, Tally
from core.documents import Card

CARDS = (
    Card("helm", "h", "Helm", terms=("chart", "release", "install", "values")),
    Card("api", "a", "API", terms=("endpoint", "install", "pydantic", "query")),
)


def a_test(helm: tuple[int, int], api: tuple[int, int] = (40, 38), talk: tuple[int, int] = (32, 32)) -> SelfTest:
    """A self-test with (asked, hits) for each place."""
    return SelfTest(
        at=datetime(2026, 3, 1, tzinfo=UTC),
        planner="local",
        collections={"api": Tally(*api), "helm": Tally(*helm)},
        talk=Tally(*talk),
        outside=Tally(32, 1),
        confusions=(
            Confusion("helm", "api", 9, ("Installing", "Values files")),
            Confusion("api", "helm", 1, ("Files",)),
        ),
        card_versions={},
        prompt_hash="",
    )


def places(test: SelfTest, *earlier: SelfTest) -> dict[str, float | None]:
    return {alarm.place: alarm.before for alarm in alarms(test, earlier, CARDS)}


def test_all_is_well_above_four_fifths() -> None:
    assert places(a_test((40, 33)), a_test((40, 36))) == {}


def test_under_four_fifths_warns_even_the_first_time() -> None:
    assert places(a_test((40, 31))) == {"helm": None}
    assert places(a_test((40, 32))) == {}


def test_a_fall_of_more_than_ten_points_warns_and_tells_from_where() -> None:
    assert places(a_test((40, 35)), a_test((40, 40))) == {"helm": 1.0}
    assert places(a_test((40, 36)), a_test((40, 40))) == {}


def test_a_warning_stays_when_another_collection_is_synced_after_it() -> None:
    fallen = a_test((40, 34))
    assert places(fallen, a_test((40, 39))) == {"helm": 0.975}
    assert places(fallen, fallen, a_test((40, 39))) == {"helm": 0.975}
    assert places(a_test((40, 38)), fallen, fallen, a_test((40, 39))) == {}


def test_slow_decay_is_a_fall_too() -> None:
    assert places(a_test((40, 34)), a_test((40, 36)), a_test((40, 39))) == {"helm": 0.975}


def test_tests_with_other_collections_or_another_planner_are_no_comparison() -> None:
    alone = replace(a_test((40, 40)), collections={"helm": Tally(40, 40)})
    assert places(a_test((40, 35)), alone) == {}
    assert places(a_test((40, 35)), replace(a_test((40, 40)), planner="model")) == {}


def test_small_talk_that_is_searched_for_warns_too() -> None:
    assert places(a_test((40, 40), talk=(32, 20))) == {TALK: None}


def test_the_router_as_a_whole_is_named_when_no_place_is() -> None:
    before = a_test((40, 40), (40, 40), (32, 32))
    now = a_test((5, 4), (5, 4), (32, 29))
    assert places(now, before) == {"": 1.0}
    many = a_test((40, 36), (40, 36), (32, 27))
    assert places(many, before) == {TALK: 1.0}
    drifted = replace(before, collections={f"c{n}": Tally(9, 7) for n in range(8)}, talk=Tally(9, 8))
    assert [alarm.place for alarm in alarms(drifted, [], CARDS)] == [""]


@given(st.integers(1, FEW - 1))
def test_of_few_questions_one_miss_never_warns(asked: int) -> None:
    assert not is_below(Tally(asked, asked - 1), LOW)
    assert places(a_test((asked, asked - 1)), a_test((asked, asked))) == {}


@pytest.mark.parametrize(
    ("tally", "expected"), [((4, 1), True), ((4, 2), True), ((9, 7), False), ((9, 4), True), ((0, 0), False)]
)
def test_of_few_questions_several_misses_warn(tally: tuple[int, int], expected: bool) -> None:
    assert is_below(Tally(*tally), LOW) is expected


@given(st.integers(1, 200), st.integers(0, 200))
def test_the_bound_is_a_share_above_what_was_seen(asked: int, hits: int) -> None:
    tally = Tally(asked, min(asked, hits))
    assert min(asked, hits) / asked - 1e-9 <= upper_bound(tally) <= 1.0 + 1e-9


def test_a_warning_names_what_would_tell_the_two_apart() -> None:
    (alarm,) = alarms(a_test((40, 30)), [], CARDS)
    (pair,) = alarm.pairs
    assert (pair.own, pair.other) == (("chart", "release", "values"), ("endpoint", "pydantic", "query"))
    lines = "\n".join(told_alarms([alarm], "en"))
    for part in ("75 %", "helm → api: 9", "“Installing”", "only helm has: chart, release, values", "`hint` for helm"):
        assert part in lines
    assert "점검 질문" in told_alarms([alarm], "ko")[0]


def test_what_went_to_no_collection_calls_for_a_hint() -> None:
    lost = replace(a_test((40, 30)), confusions=(Confusion("helm", TALK, 9, ("Welcome",)),))
    lines = told_alarms(alarms(lost, [], CARDS), "en")
    assert any("small talk" in line for line in lines)
    assert "worded as people ask" in lines[-1]


def test_a_warning_about_small_talk_gives_no_advice_on_cards() -> None:
    lines = told_alarms([Alarm(TALK, Tally(32, 20))], "en")
    assert len(lines) == 1
