"""The command as people run it: bad input ends in one clear sentence, exit code 2 and no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFIG = '[[collections]]\nname = "docs"\nsource = "folder:docs"\n'


def refdesk(*arguments: str, cwd: Path, lang: str = "C.UTF-8") -> subprocess.CompletedProcess[str]:
    """One run in its own process, with its data below `cwd`."""
    env = {**os.environ, "REFDESK_DATA_DIR": str(cwd / "data"), "LC_ALL": lang, "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, "-m", "bots", *arguments],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence of a refusal."""
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a configuration and one document."""
    (tmp_path / "refdesk.toml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "vpn.md").write_text("# VPN\n\nThe VPN password changes every 90 days.\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("question", ["", "   ", "\u0007\u0001"])
def test_an_empty_question_is_refused(place: Path, question: str) -> None:
    assert "empty" in refused(refdesk("ask", question, cwd=place))


def test_a_question_of_100_kilobytes_is_refused_with_the_limit(place: Path) -> None:
    assert "8000" in refused(refdesk("ask", "why " * 25_000, cwd=place))


def test_a_folder_that_does_not_exist_is_named(place: Path) -> None:
    assert "nowhere" in refused(refdesk("ask", "How long?", "--docs", "nowhere", cwd=place))


def test_an_empty_folder_is_named(place: Path) -> None:
    (place / "empty").mkdir()
    assert "empty" in refused(refdesk("ask", "How long?", "--docs", "empty", cwd=place))


def test_no_configuration_names_the_way_on(tmp_path: Path) -> None:
    assert "refdesk demo" in refused(refdesk("ask", "How long?", cwd=tmp_path))


def test_a_configuration_without_collections_is_refused(tmp_path: Path) -> None:
    (tmp_path / "refdesk.toml").write_text("", encoding="utf-8")
    assert "[[collections]]" in refused(refdesk("check", cwd=tmp_path))


def test_an_unknown_key_is_named(place: Path) -> None:
    (place / "refdesk.toml").write_text('colour = "red"\n' + CONFIG, encoding="utf-8")
    assert "colour" in refused(refdesk("check", cwd=place))


def test_a_day_that_is_none_is_refused(place: Path) -> None:
    assert "YYYY-MM-DD" in refused(refdesk("ask", "How long?", "--now", "next year", cwd=place))


def test_the_sentences_are_korean_in_a_korean_locale(tmp_path: Path) -> None:
    assert "없습니다" in refused(refdesk("ask", "How long?", cwd=tmp_path, lang="ko_KR.UTF-8"))


def test_an_unknown_collection_is_refused_with_those_there_are(place: Path) -> None:
    assert "docs" in refused(refdesk("sync", "dcos", cwd=place))


@pytest.mark.parametrize("name", ["index.db", "refdesk.db"])
def test_a_corrupt_database_file_is_named_and_kept(place: Path, name: str) -> None:
    broken = place / "data" / name
    broken.parent.mkdir()
    broken.write_bytes(b"this is no database" * 500)
    assert name in refused(refdesk("ask", "How often does the VPN password change?", cwd=place))
    assert broken.read_bytes() == b"this is no database" * 500


@pytest.mark.parametrize("arguments", [("",), ("How?", "--docs", "nowhere"), ("How?", "--now", "x")])
def test_a_refusal_is_json_too_where_json_is_wanted(place: Path, arguments: tuple[str, ...]) -> None:
    done = refdesk("ask", *arguments, "--json", cwd=place)
    told = json.loads(done.stdout)
    assert told["status"] == "failed"
    assert told["error"]["message"] == refused(done)


def test_a_broken_index_is_told_as_json_and_moving_it_away_is_a_remedy(place: Path) -> None:
    assert refdesk("sync", cwd=place).returncode == 0
    index = place / "data" / "index.db"
    scrambled = bytearray(index.read_bytes())
    scrambled[4096::97] = bytes(len(scrambled[4096::97]))
    _remove(index)
    index.write_bytes(scrambled)
    done = refdesk("ask", "How often does the VPN password change?", "--json", cwd=place)
    assert done.returncode == 2, done
    assert json.loads(done.stdout)["error"]["reason"].startswith("error.store")
    _remove(index)
    assert "1 passages" in refdesk("ask", "How often does the VPN password change?", cwd=place).stderr


def _remove(database: Path) -> None:
    for file in database.parent.glob(f"{database.name}*"):
        file.unlink()


@pytest.mark.parametrize("thread", ["a/b", "x" * 65, "two words"])
def test_a_thread_name_that_cannot_be_one_is_refused(place: Path, thread: str) -> None:
    assert "thread" in refused(refdesk("ask", "How long?", "--thread", thread, cwd=place))


def test_a_file_in_the_place_of_a_folder_is_named(place: Path) -> None:
    assert "vpn.md" in refused(refdesk("ask", "How long?", "--docs", "docs/vpn.md", cwd=place))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission_is_named(place: Path) -> None:
    (place / "docs").chmod(0o000)
    try:
        assert "docs" in refused(refdesk("sync", cwd=place))
    finally:
        (place / "docs").chmod(0o755)
