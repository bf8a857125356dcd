"""Schedules: the same slots for everybody, one job for all that were missed, and patience with what fails."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.cron import CronSchedule
from core.jobs import Asker, Job, JobStatus
from core.schedules import DAY, Every, Schedule, Standing, due, next_slot, standing

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)

moments = st.timedeltas(timedelta(0), timedelta(days=4700)).map(lambda since: datetime(2019, 1, 1, tzinfo=UTC) + since)
intervals = st.integers(1, 60 * 24 * 30).map(lambda minutes: timedelta(minutes=minutes))
zones = st.sampled_from(["UTC", "Asia/Seoul", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe"])
expressions = st.sampled_from(
    [
        *("0 3 * * *", "30 2 * * *", "30 1 * * *", "*/7 * * * *", "15 */5 * * 1-5", "0 0 1 * *", "5 4 * * SUN"),
        *("0 0 29 2 *", "59 23 L * *", "0 2,3 * * *", "0 12 1 1 *", "0 9 13 * FRI", "* * * * *"),
    ]
)
schedules: st.SearchStrategy[Schedule] = st.one_of(
    intervals.map(Every), st.builds(lambda text, zone: CronSchedule(text, ZoneInfo(zone)), expressions, zones)
)


def job(status: JobStatus, *, slot: datetime | None = None, started: datetime | None = None) -> Job:
    return Job("j", "docs", (Asker("schedule"),), NOW, status=status, slot=slot, started_at=started)


@given(schedules, moments)
def test_a_moment_stands_between_its_latest_slot_and_the_following(schedule: Schedule, at: datetime) -> None:
    before, after = schedule.latest(at), schedule.following(at)
    assert before is not None
    assert after is not None
    assert before <= at < after
    assert schedule.following(before) == after
    assert schedule.latest(after) == after
    assert schedule.latest(after - timedelta(microseconds=1)) == before


@given(schedules, moments, st.timedeltas(timedelta(0), timedelta(days=3)))
def test_slots_are_the_same_whenever_one_asks(schedule: Schedule, at: datetime, later: timedelta) -> None:
    first, second = schedule.latest(at), schedule.latest(at + later)
    assert first is not None
    assert second is not None
    assert first <= second
    if later < timedelta(minutes=1) and first != second:
        assert schedule.following(at) == second


@settings(max_examples=60)
@given(schedules, moments, st.lists(st.timedeltas(timedelta(0), timedelta(days=40)), min_size=1, max_size=12))
def test_however_long_nobody_was_there_each_look_asks_for_the_latest_slot_once(
    schedule: Schedule, start: datetime, gaps: list[timedelta]
) -> None:
    now, jobs = start, [job("done", slot=schedule.latest(start), started=start)]
    for gap in gaps:
        now += gap
        slot = due(schedule, standing(jobs), now)
        latest = schedule.latest(now)
        assert (slot is not None) == (latest != jobs[0].slot)
        if slot is not None:
            assert slot == latest
            jobs.insert(0, job("done", slot=slot, started=now))
        assert due(schedule, standing(jobs), now) is None


@settings(max_examples=60)
@given(schedules, moments, st.integers(0, 12))
def test_what_is_said_to_come_next_is_what_comes(schedule: Schedule, now: datetime, failures: int) -> None:
    stands = Standing(schedule.latest(now), now, failures)
    slot = next_slot(schedule, stands, now)
    assert slot is not None
    assert due(schedule, stands, slot) == slot
    assert due(schedule, stands, slot - timedelta(microseconds=1)) is None
    interval = schedule.following(stands.slot) - stands.slot  # type: ignore[operator]
    assert slot - now <= max(2 * interval, DAY) + 40 * DAY


def test_a_sync_that_began_after_the_slot_has_done_it() -> None:
    six = Every(6 * HOUR)
    by_hand = standing([job("done", started=NOW - HOUR)])
    assert six.latest(NOW) == NOW.replace(hour=6, minute=0)
    assert due(six, by_hand, NOW) is None
    assert due(six, by_hand, NOW + 3 * HOUR) == NOW.replace(hour=12, minute=0)


def test_a_collection_that_was_never_synced_is_due() -> None:
    assert due(Every(DAY), Standing(), NOW) == NOW.replace(hour=0, minute=0)


def test_a_failing_collection_is_tried_at_the_next_slot_then_half_as_often_each_time_and_once_a_day() -> None:
    every, slot = Every(HOUR), NOW.replace(minute=0)
    waits = []
    for failures in range(1, 9):
        found = next_slot(every, Standing(slot, slot, failures), slot)
        assert found is not None
        waits.append((found - slot) / HOUR)
    assert waits == [1, 2, 4, 8, 16, 24, 24, 24]


def test_what_is_seldom_due_is_not_left_alone_longer_for_failing() -> None:
    week = Every(7 * DAY)
    slot = week.latest(NOW)
    assert next_slot(week, Standing(slot, slot, 9), slot) == slot + 7 * DAY


def test_failures_are_counted_up_to_the_last_success_and_a_cancelled_job_is_none() -> None:
    jobs = [job("running"), job("failed"), job("cancelled"), job("failed"), job("done"), job("failed")]
    assert standing(jobs).failures == 2
    assert standing([replace(jobs[4], id="last"), *jobs]).failures == 0
    assert standing([]) == Standing()


@pytest.mark.parametrize(
    ("zone", "at", "slot"),
    [
        ("Asia/Seoul", datetime(2026, 3, 2, 0, 0, tzinfo=UTC), datetime(2026, 3, 1, 18, 0, tzinfo=UTC)),
        ("UTC", datetime(2026, 3, 2, 3, 0, tzinfo=UTC), datetime(2026, 3, 2, 3, 0, tzinfo=UTC)),
    ],
)
def test_three_at_night_is_meant_where_the_desk_stands(zone: str, at: datetime, slot: datetime) -> None:
    assert CronSchedule("0 3 * * *", ZoneInfo(zone)).latest(at) == slot


def test_an_hour_that_a_change_of_clocks_skips_or_repeats_has_its_slot_once() -> None:
    nightly = CronSchedule("30 2 * * *", ZoneInfo("Europe/Berlin"))
    for change in (datetime(2026, 3, 28, tzinfo=UTC), datetime(2026, 10, 24, tzinfo=UTC)):
        slots, at = [], change
        while len(slots) < 3:
            following = nightly.following(at)
            assert following is not None
            at = following
            slots.append(at)
        days = [slot.astimezone(ZoneInfo("Europe/Berlin")).date() for slot in slots]
        assert len(set(days)) == 3


def test_what_a_clock_wrote_that_went_far_ahead_keeps_no_collection_waiting() -> None:
    every, ahead = Every(6 * HOUR), NOW + timedelta(days=400)
    stands = standing([job("done", slot=every.latest(ahead), started=ahead)])
    assert due(every, stands, NOW) == every.latest(NOW)
    assert next_slot(every, stands, NOW) == every.following(NOW)
