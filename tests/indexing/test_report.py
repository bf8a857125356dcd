"""What is said of documents fits in a line, whoever put it there."""

from __future__ import annotations

import pytest

from core.documents import Problem
from core.indexing.report import SyncReport, told, told_report
from core.messages import Language


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("reason", ["parse.of_tomorrow", "parse.note_of_tomorrow", "parse.broken", "parse.note_cut"])
def test_a_reason_that_another_version_stored_is_told_in_general_words(reason: str, language: Language) -> None:
    problem = Problem("a.pdf", reason, "3")
    assert "a.pdf" in told(problem, language)
    assert any("a.pdf" in line for line in told_report(SyncReport("docs", problems=(problem,)), language))


def test_details_from_elsewhere_move_no_cursor_and_make_no_lines() -> None:
    line = told(Problem("a\nb.txt", "parse.note_encoding", "x\x1b[2J\nforged: all is well"), "en")
    assert "\x1b" not in line
    assert "\n" not in line
