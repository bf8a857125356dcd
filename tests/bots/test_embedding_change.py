"""`refdesk` after another embedder was configured: it answers as before, says what is to be done, and does it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bots import admin, console, job_commands
from bots.settings import Settings, load
from tests.openai_server.server import OpenAIServer

COLLECTION = '[[collections]]\nname = "docs"\nsource = "folder:docs"\n'
SERVICE = '[models]\nembedder = "openai"\nembedding = "bge"\nbase_url = "{url}"\nprofile = "local"\nmax_retries = 0\n'
QUESTION = "How often does the VPN password change?"
PAGES = {
    "vpn.md": "# VPN\n\nThe VPN password changes every 90 days.\n",
    "lunch.md": "# Lunch\n\nLunch is served at noon in the canteen.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents."""
    (tmp_path / "docs").mkdir()
    for name, text in PAGES.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    return tmp_path


def desk(folder: Path, models: str = "") -> Settings:
    """The settings with these models."""
    (folder / "refdesk.toml").write_text(COLLECTION + models, encoding="utf-8")
    return load(folder / "refdesk.toml", {"REFDESK_DATA_DIR": str(folder / "data")})


async def test_the_old_index_answers_until_it_is_rebuilt_and_each_step_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with OpenAIServer() as server:
        local, service = desk(folder), desk(folder, SERVICE.format(url=server.base_url))
        await job_commands.index(local, ())
        capsys.readouterr()

        assert await admin.check(service) == 1
        told = capsys.readouterr().out
        assert "Embedding changed from use-m3+lead1 to openai:bge@64; collections to rebuild: 1 (docs)" in told
        assert "Until then they answer as before, by use-m3+lead1." in told

        await console.ask(service, QUESTION, console.Asking())
        answered = capsys.readouterr()
        assert "90 days" in answered.out
        assert "words alone" not in answered.out
        assert "rebuild" not in answered.out + answered.err

        await job_commands.index(service, ())
        assert "Embedding changed from use-m3+lead1 to openai:bge@64" in capsys.readouterr().err
        assert await admin.check(service) == 0
        assert "Embedding changed" not in capsys.readouterr().out

    # The service is gone, and so is the embedder that made the index: words are left, and it is said.
    assert await admin.check(local) == 1
    told = capsys.readouterr().out
    assert "searched by words alone" in told
    assert "openai:bge@64 can't be used" in told
    await console.ask(local, QUESTION, console.Asking(explain=True))
    answered = capsys.readouterr()
    assert "90 days" in answered.out
    assert re.search(r"Searched by words alone: docs, .*refdesk sync", answered.out)
    assert "Traceback" not in (folder / "data" / "refdesk.log").read_text("utf-8")
    await job_commands.index(local, ())
    assert await admin.check(local) == 0


async def test_a_change_of_analyzer_is_told_until_a_sync_has_read_everything_anew(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("kiwipiepy")
    bigrams, morphemes = desk(folder), desk(folder, '[models]\nanalyzer = "morphemes"\n')
    await job_commands.index(bigrams, ())
    assert await admin.check(morphemes) == 1
    assert "Analyzer changed from bigram-2 to morphemes-2: 2 passages" in capsys.readouterr().out
    await job_commands.index(morphemes, ())
    assert await admin.check(morphemes) == 0
