"""What the self-test came to, in words that claim no more than was tested."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.catalog.telling import told_shortly, told_test, told_trend
from core.catalog.tested import SelfTest, Tally
from core.messages import Language

AT = datetime(2026, 11, 30, 16, 50, tzinfo=UTC)


def a_test(collections: Mapping[str, Tally]) -> SelfTest:
    return SelfTest(AT, "local", collections, Tally(32, 32), Tally(32, 30), (), {}, "abc")


@pytest.mark.parametrize(("language", "few"), [("en", "too few headings to test"), ("ko", "제목이 너무 적어")])
def test_small_talk_alone_is_not_told_as_questions_routed_right(language: Language, few: str) -> None:
    test = a_test({"docs": Tally(), "faq": Tally()})
    assert few in told_shortly(test, language)
    assert "%" not in told_shortly(test, language)
    assert told_shortly(test, "en").endswith("small talk 32 of 32")
    assert told_trend([test, test], language) == ""


def test_with_any_heading_asked_it_is_told_as_a_share() -> None:
    assert "97 % right (33 of 34" in told_shortly(a_test({"docs": Tally(2, 1, 2)}), "en")


def test_its_time_is_that_of_the_desk() -> None:
    first, *_ = told_test(a_test({"docs": Tally(2, 1, 2)}), "en", ZoneInfo("Asia/Seoul"))
    assert "2026-12-01 01:50+09:00" in first
