"""A document's date and period from what it says about itself; the periods a question asks about."""

from __future__ import annotations

import time
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents import TimeSpan
from core.indexing.dates import DateClues, document_date, document_period, periods_in, readable_name

TODAY = date(2026, 8, 14)  # a Friday


def span(first: str, last: str) -> TimeSpan:
    return TimeSpan(date.fromisoformat(first), date.fromisoformat(last))


Y2024, Y2025, Y2026 = (span(f"{year}-01-01", f"{year}-12-31") for year in (2024, 2025, 2026))
OCTOBER, THIRD = span("2025-10-01", "2025-10-31"), span("2025-07-01", "2025-09-30")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("2025년 AKS 업그레이드 때 뭐가 문제였지?", [Y2025]),
        ("What went wrong in 2025?", [Y2025]),
        ("the 2025 release notes", [Y2025]),
        ("2025에 나온 릴리스", [Y2025]),
        ("FY2025 budget", [Y2025]),
        ("2025년도 휴가", [Y2025]),
        ("in October 2025", [OCTOBER]),
        ("2025-10 릴리스", [OCTOBER]),
        ("25년 10월 장애", [OCTOBER]),
        ("Q3 2025 results", [THIRD]),
        ("third quarter of 2025", [THIRD]),
        ("2025년 3분기 실적", [THIRD]),
        ("2025년 하반기", [span("2025-07-01", "2025-12-31")]),
        ("on October 14, 2025", [span("2025-10-14", "2025-10-14")]),
        ("2025. 10. 14. 회의", [span("2025-10-14", "2025-10-14")]),
        ("2025.10.14에 뭐?", [span("2025-10-14", "2025-10-14")]),
        ("14 Oct 2025", [span("2025-10-14", "2025-10-14")]),
        ("from 2024 to 2025", [span("2024-01-01", "2025-12-31")]),
        ("2024년부터 2025년까지", [span("2024-01-01", "2025-12-31")]),
        ("since 2024", [span("2024-01-01", "2026-08-14")]),
        ("2024년과 2025년 비교", [Y2024, Y2025]),
    ],
)
def test_absolute_times_in_a_question(question: str, expected: list[TimeSpan]) -> None:
    assert periods_in(question, TODAY) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("작년 AKS 업그레이드", [Y2025]),
        ("재작년 매출은?", [Y2024]),
        ("올해 휴가 며칠?", [Y2026]),
        ("What changed last year?", [Y2025]),
        ("this year and last month", [Y2026, span("2026-07-01", "2026-07-31")]),
        ("지난달 장애", [span("2026-07-01", "2026-07-31")]),
        ("이번 달 일정", [span("2026-08-01", "2026-08-31")]),
        ("이번 분기 목표", [span("2026-07-01", "2026-09-30")]),
        ("지난 분기 실적", [span("2026-04-01", "2026-06-30")]),
        ("last quarter", [span("2026-04-01", "2026-06-30")]),
        ("지난주 회의", [span("2026-08-03", "2026-08-09")]),
        ("어제 장애", [span("2026-08-13", "2026-08-13")]),
        ("yesterday's incident", [span("2026-08-13", "2026-08-13")]),
        ("작년 10월 AKS", [OCTOBER]),
        ("October last year", [OCTOBER]),
        ("last October", [OCTOBER]),
        ("작년 3분기", [THIRD]),
        ("Q3 last year", [THIRD]),
        ("in March", [span("2026-03-01", "2026-03-31")]),
        ("10월에 뭐 했지?", [OCTOBER]),
        ("2 years ago", [Y2024]),
        ("3개월 전 장애", [span("2026-05-01", "2026-05-31")]),
        ("the last 6 months", [span("2026-02-14", "2026-08-14")]),
        ("최근 3개월", [span("2026-05-14", "2026-08-14")]),
    ],
)
def test_times_relative_to_today(question: str, expected: list[TimeSpan]) -> None:
    assert periods_in(question, TODAY) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Is port 2025 or :2025 open?",
        "What does LF-2025 mean?",
        "오류 코드 2025가 뭐야?",
        "a limit of 2024 characters",
        "2000개 이상 올릴 수 있나요?",
        "Does it expire in 2 years?",
        "2년 동안 보관하나요?",
        "퇴사 3개월 전에 알려야 하나요?",
        "How do I upgrade Windows Server 2022?",
        "ISO 27001:2022 certificate",
        "버전 2025.1에서 바뀐 점",
        "Where is release-notes-2025.md?",
        "https://x.example/2025/10/14/post",
        "`date +2025`",
        "May I carry leave over?",
        "매년 3월 평가는 누가 하나요?",
        "What happens every March?",
        "Q3. What is it?",
        "오늘 입사했는데 노트북은 어떻게 받나요?",
        "call 02 2025 1234",
        "2025-13-45",
        "",
    ],
)
def test_numbers_and_durations_are_not_times(question: str) -> None:
    assert periods_in(question, TODAY) == []


@given(st.dates(date(1980, 1, 1), date(2090, 12, 28)))
def test_any_day_is_read_in_every_way_of_writing_it(day: date) -> None:
    only = TimeSpan(day, day)
    written = [
        day.isoformat(),
        f"{day:%Y.%m.%d}",
        f"{day.year}년 {day.month}월 {day.day}일",
        f"{day.year}. {day.month}. {day.day}.",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
        f"{day:%Y%m%d}",
    ]
    for text in written:
        assert periods_in(f"({text})", TODAY) == [only], text
        assert document_date(DateClues(declared=[text])) == day
    assert document_date(DateClues(name=f"notes/{day.isoformat()}-minutes.md")) == day


@given(st.text(max_size=80), st.dates(date(1990, 1, 1), date(2080, 1, 1)))
def test_whatever_is_asked_the_spans_are_sound_and_distinct(text: str, today: date) -> None:
    found = periods_in(text, today)
    assert all(one.start <= one.end for one in found)
    assert len(set(found)) == len(found)


@given(st.dates(date(1990, 1, 1), date(2080, 1, 1)))
def test_relative_periods_stand_where_they_should(today: date) -> None:
    for question, inside in [("this month", today), ("이번 분기", today), ("올해", today), ("this week", today)]:
        assert periods_in(question, today)[0].overlaps(TimeSpan(inside, inside))
    assert periods_in("last month", today)[0].end == today.replace(day=1) - timedelta(days=1)
    assert periods_in("작년", today)[0].end == date(today.year - 1, 12, 31)
    assert periods_in("지난 분기", today)[0].end < today


@pytest.mark.parametrize("unit", ["a", "2025 ", "2025-", "작년 ", "a.b", "`"])
def test_a_question_of_any_length_takes_linear_time(unit: str) -> None:
    started = time.perf_counter()
    periods_in(unit * (50_000 // len(unit)), TODAY)
    assert time.perf_counter() - started < 10  # a quadratic reading would take minutes


def test_what_is_declared_beats_the_name_and_the_name_beats_the_text() -> None:
    text = "# Report\n\nDate: October 3, 2024\n"
    assert document_date(DateClues("2025-10-14-aks.md", "AKS", text, ["2025-11-02T10:00:00Z"])) == date(2025, 11, 2)
    assert document_date(DateClues("2025-10-14-aks.md", "AKS", text)) == date(2025, 10, 14)
    assert document_date(DateClues("aks.md", "AKS", text, properties=date(2026, 1, 1))) == date(2024, 10, 3)
    assert document_date(DateClues("aks.md", "AKS", "", properties=date(2026, 1, 1))) == date(2026, 1, 1)


@pytest.mark.parametrize(
    "line",
    ["작성일: 2025. 3. 2.", "**Last updated**: 2025-03-02", "| 개정일 | 2025년 3월 2일 |", "Seoul, March 2, 2025"],
)
def test_a_date_by_a_label_or_alone_in_the_first_lines_counts(line: str) -> None:
    assert document_date(DateClues(text=f"# 회고\n\n{line}\n\nText.")) == date(2025, 3, 2)


def test_a_date_told_in_a_story_is_not_the_date_of_the_document() -> None:
    story = "The company was founded on October 14, 1999 in Seoul by two people who had met at school."
    assert document_date(DateClues(name="about.md", title="About us", text=story)) is None


@pytest.mark.parametrize(
    ("name", "title", "text", "expected"),
    [
        ("release-notes-2025.md", "", "", Y2025),
        ("a.md", "2025 release notes", "", Y2025),
        ("a.md", "릴리스 노트 2025년", "", Y2025),
        ("a.md", "", "# Results of Q3 2025\n", THIRD),
        ("minutes-2025-10.md", "", "", OCTOBER),
        ("2025/minutes.md", "Minutes", "", Y2025),
        ("history.md", "Changes 2024–2025", "", span("2024-01-01", "2025-12-31")),
        ("2025-10-14-aks.md", "AKS upgrade, October 14, 2025", "", None),
        ("LF-2025.md", "Error LF-2025", "", None),
        ("handbook.md", "Handbook", "In 2025 we moved.", None),
    ],
)
def test_only_a_name_of_a_year_quarter_or_month_makes_a_period(
    name: str, title: str, text: str, expected: TimeSpan | None
) -> None:
    assert document_period(DateClues(name, title, text)) == expected


def test_file_names_are_made_readable() -> None:
    assert readable_name("ops/aks-upgrade_v2.final.md") == "aks upgrade v2.final"
    assert readable_name("LF-2025.md") == "LF-2025"
    assert readable_name("2025-10-14-aks.md") == "2025-10-14 aks"
