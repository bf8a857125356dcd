"""A collection that can't be synced keeps no question, no command and no other collection back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bots import console, router
from bots.settings import Settings, load
from core.errors import SourceError

QUESTION = "How often does the VPN password change?"
NEW = '[[collections]]\nname = "new"\nsource = "folder:nowhere"\n'
DOCS = '[[collections]]\nname = "docs"\nsource = "folder:docs"\n'


def configured(place: Path, text: str) -> Settings:
    (place / "refdesk.toml").write_text('data_dir = "data"\n' + text, encoding="utf-8")
    return load(place / "refdesk.toml", {})


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "vpn.md").write_text("# VPN\n\nThe VPN password changes every 90 days.\n", encoding="utf-8")
    return tmp_path


async def test_at_the_first_set_up_the_ones_behind_it_are_synced_and_answer(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await console.ask(configured(place, NEW + DOCS), QUESTION, console.Asking()) == 0
    said = capsys.readouterr()
    assert "90 days" in said.out
    (line,) = [line for line in said.err.splitlines() if line.startswith("new ")]
    assert line.startswith(f"new is not indexed yet: The folder {place / 'nowhere'} doesn't exist")


async def test_scripts_are_told_beside_the_answer(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = configured(place, DOCS + NEW)
    assert await console.ask(settings, QUESTION, console.Asking(as_json=True)) == 0
    told = json.loads(capsys.readouterr().out)
    assert "90 days" in told["answer"]
    (new,) = told["unsynced"]
    assert (new["collection"], new["indexed"], new["reason"]) == ("new", False, "error.folder_missing")
    assert await router.router(settings, as_json=True) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [card["name"] for card in shown["cards"]] == ["docs"]
    assert [each["collection"] for each in shown["unsynced"]] == ["new"]


async def test_what_was_indexed_before_answers_when_its_source_is_gone(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = configured(place, DOCS)
    assert await console.ask(settings, QUESTION, console.Asking()) == 0
    (place / "docs").rename(place / "moved")
    capsys.readouterr()
    assert await console.ask(settings, QUESTION, console.Asking(refresh=True)) == 0
    said = capsys.readouterr()
    assert "90 days" in said.out
    assert said.err.startswith("docs could not be brought up to date, what was indexed before serves: The folder")


async def test_where_nothing_is_published_a_question_fails_with_the_reason(place: Path) -> None:
    with pytest.raises(SourceError) as failure:
        await console.ask(configured(place, NEW), QUESTION, console.Asking())
    assert failure.value.reason == "error.folder_missing"


async def test_a_thread_that_nobody_began_is_said_to_begin(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = configured(place, DOCS)
    for begins in (True, False):
        assert await console.ask(settings, QUESTION, console.Asking(thread="zzzz")) == 0
        said = capsys.readouterr()
        assert ("There is no thread zzzz yet" in said.err) is begins
        assert "no thread" not in said.out
