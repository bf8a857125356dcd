"""What becomes of errors: exit codes, JSON, and the log that an id leads to."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from bots.failures import as_plain, exit_code
from bots.logs import log_to, told_and_logged
from core.errors import Busy, ConfigError, InputError, RefdeskError, SourceError, StoreError, UpstreamError


@pytest.mark.parametrize("kind", [ConfigError, InputError, SourceError, StoreError])
def test_what_the_person_can_mend_is_exit_code_2(kind: type[RefdeskError]) -> None:
    assert exit_code(kind()) == 2


@pytest.mark.parametrize("kind", [RefdeskError, Busy, UpstreamError])
def test_what_failed_here_is_exit_code_1(kind: type[RefdeskError]) -> None:
    assert exit_code(kind()) == 1


def test_the_reason_is_the_same_in_every_language() -> None:
    error = InputError("error.question_empty")
    english, korean = as_plain(error, "en"), as_plain(error, "ko")
    assert english["reason"] == korean["reason"]
    assert english["message"] != korean["message"]


def test_a_bug_is_told_by_an_id_that_stands_in_the_log(tmp_path: Path) -> None:
    handler = log_to(tmp_path / "refdesk.log")
    try:
        with pytest.raises(RefdeskError) as caught, told_and_logged():
            raise ZeroDivisionError
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()
    written = (tmp_path / "refdesk.log").read_text(encoding="utf-8")
    assert caught.value.id in caught.value.user_message("en")
    assert caught.value.id in written
    assert "ZeroDivisionError" in written


def test_a_log_that_cannot_be_written_stays_silent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handler = log_to(tmp_path)  # a folder
    try:
        logging.getLogger("any").warning("anything")
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()
    assert capsys.readouterr().err == ""
