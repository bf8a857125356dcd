"""`refdesk index` and `refdesk jobs`: what is synced is a job, whoever asks, and a schedule asks too."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from adapters.console.screen import Screen
from bots import admin, job_commands
from bots.app import App
from bots.compose import Seat, opened
from bots.console import Conversation
from bots.settings import load
from core.errors import ConfigError, InputError
from core.jobs import Asker, Job

CONFIG = """
data_dir = "data"
timezone = "Asia/Seoul"
[[collections]]
name = "docs"
source = "folder:docs"
every = "1m"
[[collections]]
name = "gone"
source = "folder:nowhere"
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "refdesk.toml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "vpn.md").write_text("# VPN\n\nThe VPN password changes every 90 days.\n", encoding="utf-8")
    return tmp_path


@asynccontextmanager
async def sitting_at(place: Path) -> AsyncIterator[tuple[App, io.StringIO]]:
    """An open App, and what it says in passing."""
    said = io.StringIO()
    async with opened(load(place / "refdesk.toml"), seat=Seat(Screen(io.StringIO(), said))) as app:
        yield app, said


async def jobs(app: App) -> Sequence[Job]:
    return await app.upkeep.jobs.latest(app.readable)


async def test_a_source_that_fails_is_told_and_keeps_no_other_back(place: Path) -> None:
    async with sitting_at(place) as (app, said):
        failures = await app.index(("gone", "docs"))
        assert [(job.collection, job.status) for job in await jobs(app)] == [("docs", "done"), ("gone", "failed")]
    assert [failure.reason for failure in failures] == ["error.folder_missing"]
    first, second, *_ = said.getvalue().splitlines()
    assert "nowhere" in first
    assert second.startswith("docs: 1 added")


async def test_a_schedule_asks_while_a_conversation_is_open(place: Path) -> None:
    async with sitting_at(place) as (app, _), app.upkeep.running(app.readable), asyncio.timeout(30):
        while not (found := await jobs(app)) or not found[0].ended:
            await asyncio.sleep(0.05)
    (job,) = found
    assert (job.collection, job.status, [asker.by for asker in job.askers]) == ("docs", "done", ["schedule"])


async def test_who_joins_a_waiting_sync_is_told_and_gets_its_report(place: Path) -> None:
    async with sitting_at(place) as (app, said):
        by_chat = Job("chat", "docs", (Asker("slack/T1/U1"),), app.passing.now())
        await app.upkeep.reindexing._queue.ask(by_chat)
        (report,) = await app.sync(("docs",))
        (job,) = await jobs(app)
    assert (report.added, job.id, job.askers[0].by) == (1, "chat", "slack/T1/U1")
    assert "chat" in said.getvalue().splitlines()[0]


async def test_who_goes_away_takes_back_what_only_they_asked_for(place: Path) -> None:
    many(place)
    async with sitting_at(place) as (app, _):
        syncing = asyncio.create_task(app.sync(("docs", "gone")))
        async with asyncio.timeout(30):
            while not any(job.status == "running" for job in await jobs(app)):
                await asyncio.sleep(0.02)
        (waiting,) = (job for job in await jobs(app) if job.status == "waiting")
        await app.upkeep.reindexing._queue.ask(Job("x", "gone", (Asker("slack/T1/U1"),), app.passing.now()))
        syncing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await syncing
        assert {job.collection: job.status for job in await jobs(app)} == {"docs": "cancelled", "gone": "waiting"}
        assert (await app.upkeep.jobs.show(waiting.id, app.readable)).askers[-1].by == "slack/T1/U1"


def many(place: Path) -> None:
    for number in range(400):
        text = f"# Page {number}\n\nThe password of room {number} changes every {number + 2} days.\n"
        (place / "docs" / f"{number}.md").write_text(text, encoding="utf-8")


async def test_index_ends_with_the_exit_code_of_what_failed_and_jobs_tells_why(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = load(place / "refdesk.toml")
    assert await job_commands.index(settings, ()) == 2
    capsys.readouterr()
    assert await job_commands.jobs(settings, as_json=True) == 0
    gone, docs = json.loads(capsys.readouterr().out)["jobs"]
    assert (docs["status"], docs["report"]["added"], docs["error"]) == ("done", 1, None)
    assert docs["asked_by"][0].startswith("console/")
    assert (gone["status"], gone["report"], gone["error"]["reason"]) == ("failed", None, "error.folder_missing")
    assert await job_commands.jobs(settings, as_json=False) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{gone['id']} gone: failed; asked 20")
    assert "+09:00" in lines[0]
    assert "nowhere" in lines[1]
    assert any(line.startswith("docs: next sync") for line in lines)
    for command in (admin.status, admin.check):
        await command(settings)
        assert "gone: failed syncs in a row: 1" in capsys.readouterr().out
    assert await job_commands.cancel(settings, docs["id"]) == 0
    assert docs["id"] in capsys.readouterr().out
    with pytest.raises(InputError, match="nobody"):
        await job_commands.cancel(settings, "nobody")


def indexing(place: Path) -> subprocess.Popen[str]:
    """`refdesk index docs` in a process of its own."""
    command = [sys.executable, "-m", "bots", "index", "docs"]
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(command, cwd=place, env=env, stderr=subprocess.PIPE, text=True)


def test_two_who_index_at_once_where_nothing_is_yet_both_succeed(place: Path) -> None:
    running = [indexing(place) for _ in range(2)]
    said = [process.communicate(timeout=120)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0], said
    assert sum("1 added" in each for each in said) >= 1
    with closing(sqlite3.connect(place / "data" / "refdesk.db")) as record:
        reports = [json.loads(row[0]) for row in record.execute("SELECT report FROM jobs")]
    assert sum(report["embedded"] for report in reports) == 1
    assert len(reports) <= 2


def test_control_c_stops_a_sync_and_cancels_its_job(place: Path) -> None:
    many(place)
    process = indexing(place)
    deadline = time.monotonic() + 60
    while statuses(place) != ["running"] and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in said) == (130, False), said
    assert statuses(place) == ["cancelled"]


def statuses(place: Path) -> list[str]:
    try:
        with closing(sqlite3.connect(f"file:{place}/data/refdesk.db?mode=ro", uri=True)) as record:
            return [row[0] for row in record.execute("SELECT status FROM jobs")]
    except sqlite3.OperationalError:
        return []


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ('every = "6x"', "every"),
        ('every = "0m"', "every"),
        ('every = "999d"', "every"),
        ('cron = "0 3 * *"', "cron"),
        ('cron = "61 3 * * *"', "cron"),
        ('cron = "0 0 30 2 *"', "cron"),
        ('cron = "@daily"', "cron"),
        ('every = "1d"\ncron = "0 3 * * *"', "not both"),
    ],
)
def test_a_schedule_that_is_none_is_named(place: Path, line: str, names: str) -> None:
    assert names in mistake(place, f'[[collections]]\nname = "docs"\nsource = "folder:docs"\n{line}\n')


@pytest.mark.parametrize("zone", ["Mars", "../etc/passwd", "", "America", "/etc/localtime"])
def test_a_time_zone_that_nobody_knows_is_named(place: Path, zone: str) -> None:
    assert "Asia/Seoul" in mistake(place, f'timezone = "{zone}"\n')


def mistake(place: Path, config: str) -> str:
    (place / "refdesk.toml").write_text(config, encoding="utf-8")
    with pytest.raises(ConfigError) as refused_with:
        load(place / "refdesk.toml", {})
    return refused_with.value.user_message("en")


async def test_in_a_conversation_one_collection_can_be_named(place: Path) -> None:
    told, said = io.StringIO(), io.StringIO()
    async with opened(load(place / "refdesk.toml"), seat=Seat(Screen(told, said))) as app:
        conversation = Conversation(app, "t", "en")
        await conversation.take("/reindex docs")
        assert "docs: 1 added" in said.getvalue()
        assert "gone" not in said.getvalue()
        await conversation.take("/reindex docs payroll")
        assert [job.collection for job in await jobs(app)] == ["docs"]
    assert told.getvalue() == "There is no collection payroll; configured are: docs, gone.\n"
