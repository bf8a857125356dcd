"""`refdesk check` says who writes, who judges, and where; never a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots import admin
from bots.settings import load

COLLECTION = '[[collections]]\nname = "docs"\nsource = "folder:docs"\n'
MODELS = '[models]\nlarge = "writer-9"\nsmall = "judge-1"\nbase_url = "http://127.0.0.1:9/v1"\n'


async def checked(folder: Path, models: str, capsys: pytest.CaptureFixture[str]) -> str:
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text("# A\n\nIt takes an hour.\n", encoding="utf-8")
    (folder / "refdesk.toml").write_text(COLLECTION + models, encoding="utf-8")
    assert await admin.check(load(folder / "refdesk.toml", {"OPENAI_API_KEY": "sk-secret"})) == 1  # never synced
    return capsys.readouterr().out


async def test_without_a_model_answers_are_said_to_be_quoted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "answers are quoted" in await checked(tmp_path, "", capsys)


async def test_with_a_model_it_is_said_who_does_what_and_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = await checked(tmp_path, MODELS, capsys)
    assert "writer-9 writes, judge-1 judges, at 127.0.0.1:9" in out
    assert "plan cascade, grade cascade, rewrite model, write model, check cascade" in out
    assert "quoted" not in out
    assert "sk-secret" not in out
