"""What a sync tells at a terminal: counts, what was not read, remarks, and no names that can act on the screen."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.console.progress import SyncScreen
from adapters.console.screen import Screen
from core.catalog.alarms import Alarm
from core.catalog.tested import SelfTest, Tally
from core.desk.job_lines import JobLines, silent_for
from core.documents import Problem
from core.indexing.report import MOST_NEWS, SyncReport, told
from core.jobs import Asked, Job
from core.messages import Language

SCAN = Problem("scan.pdf", "parse.scanned")
CP949 = Problem("old.txt", "parse.note_encoding", "cp949")


def lines(report: SyncReport, *, only_news: bool = False, language: Language = "en") -> list[str]:
    err = io.StringIO()
    with SyncScreen(Screen(io.StringIO(), err), language, "docs") as shown:
        shown.tell(report, only_news=only_news)
    return err.getvalue().splitlines()


def test_a_remark_is_told_and_not_counted_as_not_read() -> None:
    first, *rest = lines(SyncReport("docs", added=1, problems=(SCAN, CP949)))
    assert "1 not read" in first
    assert "was not read" in rest[0]
    assert "cp949" in rest[1].partition("old.txt")[2]
    assert "not read" not in rest[1]


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(
    "reason", ["parse.too_large", "parse.gone", "parse.name_twice", "parse.note_cut", "parse.note_passages_limit"]
)
def test_every_reason_becomes_a_whole_sentence(reason: str, language: Language) -> None:
    sentence = told(Problem("a.pdf", reason, "25"), language)
    assert "a.pdf" in sentence
    assert "{" not in sentence


def test_whoever_waits_for_an_answer_hears_only_news() -> None:
    assert lines(SyncReport("docs", unchanged=3, problems=(SCAN,)), only_news=True) == []
    assert lines(SyncReport("docs", unchanged=3, problems=(SCAN,)))[1:] != []


def test_a_crowd_of_problems_is_cut_for_those_who_wait_and_the_rest_counted() -> None:
    many = tuple(Problem(f"{number:03}.pdf", "parse.scanned") for number in range(200))
    told_of = lines(SyncReport("docs", published=True, problems=many), only_news=True)
    assert len(told_of) == MOST_NEWS + 2
    assert "190" in told_of[-1]
    assert len(lines(SyncReport("docs", published=True, problems=many))) == 201


def test_many_files_that_are_no_documents_are_told_in_one_line_by_kind() -> None:
    pictures = [Problem(f"{number}.PNG", "parse.unsupported") for number in range(30)]
    report = SyncReport("docs", problems=(*pictures, Problem("a.json", "parse.unsupported"), SCAN))
    scan, left_out = lines(report)[1:]
    assert "scan.pdf" in scan
    assert "31 files" in left_out
    assert ".png 30, .json 1" in left_out


def test_a_few_files_that_are_not_read_are_named() -> None:
    report = SyncReport("docs", problems=(Problem("plan.hwp", "parse.unsupported"),))
    assert "plan.hwp" in lines(report)[1]


def test_a_name_cannot_act_on_the_terminal() -> None:
    sentence = told(Problem("a\x1b[2J\n\u202eb.pdf", "parse.scanned"), "en")
    assert sentence.isprintable()


def test_that_the_router_prompt_changed_is_told_to_whoever_asked_for_the_sync() -> None:
    report = SyncReport("docs", added=1, published=True, prompt_changed=True)
    assert any("router --diff" in line for line in lines(report))
    assert not any("router --diff" in line for line in lines(report, only_news=True))


def test_failures_that_a_stored_report_does_not_name_are_counted() -> None:
    first, *rest = lines(SyncReport("docs", problems=(SCAN,), unnamed=40))
    assert "41 not read" in first
    assert "40 more" in rest[-1]


def test_how_the_router_did_is_told_to_those_who_sync_and_not_to_those_who_ask() -> None:
    test = SelfTest(
        datetime(2026, 3, 1, tzinfo=UTC), "local", {"docs": Tally(10, 9, 10)}, Tally(10, 10), Tally(), (), {}, ""
    )
    report = SyncReport("docs", added=1, published=True, self_test=test, alarms=(Alarm("docs", Tally(10, 7)),))
    told_of = "\n".join(lines(report))
    assert "95 % right (19 of 20 questions)" in told_of
    assert "Warnings about the router: 1" in told_of
    assert "19 of 20" not in "\n".join(lines(report, only_news=True))
    assert "could not be tested" in "\n".join(lines(SyncReport("docs", published=True, untested=True)))


def test_without_a_terminal_a_line_now_and_then_says_how_far_it_is() -> None:
    err, now = io.StringIO(), [100.0]
    job = Job("j1", "docs", (), datetime(2026, 3, 1, tzinfo=UTC), status="running", phase="passages", total=5000)
    with SyncScreen(Screen(io.StringIO(), err), "en", "docs", lambda: now[0]) as shown:
        for second in range(40):
            now[0] = 100.0 + second
            shown.follow(replace(job, done=second))
    assert err.getvalue().splitlines() == [f"docs: embedding passages {done} of 5000" for done in (5, 20, 35)]


def test_a_sync_of_a_moment_and_one_that_has_ended_leave_no_such_line() -> None:
    err, now = io.StringIO(), [0.0]
    job = Job("j1", "docs", (), datetime(2026, 3, 1, tzinfo=UTC))
    with SyncScreen(Screen(io.StringIO(), err), "en", "docs", lambda: now[0]) as shown:
        shown.follow(job)
        now[0] = 60.0
        shown.follow(replace(job, status="done"))
        assert not err.getvalue()
        shown.follow(job)
    assert err.getvalue() == "docs: waiting\n"


def test_a_sync_that_is_waited_for_is_said_to_be_silent_when_its_process_renews_no_lease() -> None:
    now, lease = datetime(2026, 3, 1, tzinfo=UTC), timedelta(seconds=20)
    dead = Job("j1", "docs", (), now, status="running", lease_until=now + timedelta(seconds=12.5))
    alive, mine = replace(dead, lease_until=now + timedelta(seconds=19)), replace(dead, id="j2", status="waiting")
    lines_of, asked = JobLines("en", UTC), Asked(mine, behind=True)
    assert silent_for([mine, alive], now, lease) is None
    assert "is being synced" in lines_of.asked(asked, silent_for([mine, alive], now, lease))[0]
    (line,) = lines_of.asked(asked, silent_for([mine, dead], now, lease))
    assert "gives no sign of life" in line
    assert "13 s" in line
    assert silent_for([dead], now + timedelta(hours=1), lease) == timedelta(0)
