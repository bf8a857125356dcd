"""However it is called, the budget keeps Slack's limits; and what is owed can always be paid."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack.budget import CROWD, LATELY, OWED_FOR, PER_MINUTE, POST_EVERY, Budget
from tests.slack_server.api.table import METHODS
from tests.slack_server.rates import PER_MINUTE as TIERS

LIMITED = sorted(name for name in METHODS if name in PER_MINUTE)
STEPS = st.lists(
    st.tuples(
        st.sampled_from([*LIMITED, "users.list", "chat.postMessage", "wait"]),
        st.sampled_from(["T1", "T2"]),
        st.sampled_from(["C1", "C2"]),
        st.floats(0, 20),
        st.integers(1, 60),
    ),
    max_size=60,
)


class Time:
    """A clock that is put forward."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


def most_within(times: list[float], window: float) -> int:
    """The most that ever fell into one window."""
    return max((sum(start <= at < start + window for at in times) for start in times), default=0)


@given(STEPS)
@settings(max_examples=60, deadline=None)
def test_no_window_ever_holds_more_calls_than_slack_allows(steps: list[tuple[str, str, str, float, int]]) -> None:
    clock = Time()
    budget, made = Budget(clock), dict[tuple[str, ...], list[float]]()
    for method, team, channel, pause, times in steps:
        clock.at += pause
        for _ in range(times if method != "wait" else 0):
            if budget.take(method, team, channel):
                key = (method, team, channel) if method == "chat.postMessage" else (method, team)
                made.setdefault(key, []).append(clock.at)
    for (method, *_), times_made in made.items():
        if method == "chat.postMessage":
            assert most_within(times_made, 1.0) <= 1
        else:
            assert most_within(times_made, 60.0) <= TIERS[METHODS[method].tier]


@given(st.lists(st.sampled_from(["owe", "take", "pay", "wait"]), max_size=300), st.floats(0, 30))
@settings(max_examples=100, deadline=None)
def test_what_is_owed_can_be_paid_at_once_whatever_was_called_since(steps: list[str], pause: float) -> None:
    clock = Time()
    budget, owed = Budget(clock), 0
    for step in steps:
        match step:
            case "owe":
                owed += budget.owe("chat.update", "T1")
            case "take":
                budget.take("chat.update", "T1")
            case "wait":
                clock.at += pause
            case _ if owed:
                assert budget.wait("chat.update", "T1") == 0
                budget.settle("chat.update", "T1")
                assert budget.take("chat.update", "T1")
                owed -= 1


def test_a_method_nobody_listed_is_called_as_seldom_as_the_rarest() -> None:
    budget = Budget(Time())
    assert sum(budget.take("files.upload", "T1") for _ in range(100)) <= TIERS[2]


def test_workspaces_and_channels_do_not_pay_for_each_other() -> None:
    budget = Budget(Time())
    assert budget.take("chat.postMessage", "T1", "C1")
    assert not budget.take("chat.postMessage", "T1", "C1")
    assert budget.take("chat.postMessage", "T1", "C2")
    assert budget.take("chat.postMessage", "T2", "C1")


def test_what_slack_asks_for_is_waited_for() -> None:
    clock = Time()
    budget = Budget(clock)
    budget.hold("chat.update", "T1", 30.0)
    budget.hold("chat.update", "T1", 5.0)  # a shorter wish takes nothing back
    assert budget.wait("chat.update", "T1") == 30.0
    assert not budget.take("chat.update", "T1")
    clock.at = 30.0
    assert budget.take("chat.update", "T1")


async def test_those_who_wait_for_their_turn_come_one_after_the_other() -> None:
    budget = Budget()
    loop = asyncio.get_running_loop()
    began, times = loop.time(), list[float]()

    async def post() -> None:
        await budget.turn("chat.postMessage", "T1", "C1")
        times.append(loop.time() - began)

    await asyncio.gather(post(), post(), post())
    assert [round(at / POST_EVERY) for at in times] == [0, 1, 2]


@pytest.mark.parametrize(("pause", "crowded"), [(0.0, True), (LATELY / CROWD + 0.1, False)])
def test_a_crowd_is_many_questions_of_one_workspace_in_a_short_time(pause: float, crowded: bool) -> None:
    clock = Time()
    budget = Budget(clock)
    for _ in range(CROWD):
        assert not budget.crowded("T1")
        budget.begins("T1")
        clock.at += pause
    assert budget.crowded("T1") is crowded
    assert not budget.crowded("T2")
    clock.at += LATELY
    assert not budget.crowded("T1")


def test_a_debt_that_nobody_pays_is_forgotten() -> None:
    clock = Time()
    budget = Budget(clock)
    while budget.owe("chat.update", "T1"):
        pass
    assert not budget.take("chat.update", "T1")
    clock.at += OWED_FOR
    assert budget.take("chat.update", "T1")
    assert budget.owe("chat.update", "T1")
