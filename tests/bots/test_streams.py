"""Where the output goes is not ours: readers that leave, full disks, other encodings, narrow terminals."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.console.screen import Screen, fitting
from tests.bots.test_command import refdesk

HELLO = ("-m", "bots", "ask", "안녕하세요", "--docs", "docs")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("streams")
    (folder / "docs").mkdir()
    (folder / "docs" / "vpn.md").write_text("# VPN\n\nThe VPN password changes every 90 days.\n", encoding="utf-8")
    assert refdesk("sync", "--docs", "docs", cwd=folder).returncode == 0
    return folder


def greeted(place: Path, shell: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """`hello` with its streams redirected by a shell."""
    return subprocess.run(
        ["/bin/sh", "-c", f'"$0" "$@" {shell}', sys.executable, *HELLO],
        cwd=place,
        env={**os.environ, "REFDESK_DATA_DIR": str(place / "data"), **env},
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("shell", [">&-", "<&-", "| true"])
def test_a_stream_that_is_closed_is_no_error(place: Path, shell: str) -> None:
    done = greeted(place, shell)
    assert (done.returncode, done.stderr) == (0, b"")


def test_signs_that_an_encoding_lacks_do_not_end_the_answer(place: Path) -> None:
    done = greeted(place, "", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"docs" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_answer_that_could_not_be_written_is_told(place: Path) -> None:
    done = greeted(place, "> /dev/full")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_after_a_reader_left_the_screen_is_silent() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", encoding="utf-8") as out:
        screen = Screen(out, io.StringIO())
        for _ in range(3):
            screen.write("anything\n")
        assert screen.lost is None


@pytest.mark.parametrize(("width", "shown"), [(20, "질문을 이해"), (9, "질문을 "), (5, "질문"), (1, "")])
def test_a_status_stays_on_one_line(width: int, shown: str) -> None:
    assert fitting("질문을 이해", width) == shown
