"""A process killed between grading and writing: another goes on where it was, and pays for nothing twice."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.openai_server.replies import Hang, Reply, Say
from tests.openai_server.server import Call, OpenAIServer
from tests.scenarios.asking import WEB_KEY
from tests.scenarios.scripts import Script, echo, grading, line, routed, step_of, user
from tests.tavily_server.server import Scripted, TavilyServer, found, result, serving

ROOT = Path(__file__).parents[2]
QUESTIONS = {"t1": "How long does rolling back a release take?", "t2": "How long are the database backups kept?"}
DOCS = {
    "rollback.md": "# Rolling back a release\n\nRun helm rollback with the last good revision. It takes ten minutes.\n",
    "backups.md": "# Database backups\n\nThe database is backed up every six hours.\n",
}
CONFIG = """
data_dir = "data"
[[collections]]
name = "runbooks"
source = "folder:docs"
[models]
profile = "model"
small = "small"
large = "large"
base_url = "{models}"
[web]
provider = "tavily"
allow_domains = ["docs.example"]
base_url = "{web}"
"""
KEPT = result("https://docs.example/backups", "Database backups are kept for 35 days.", title="Backups")


@dataclass
class Killed:
    """What a test knows of the two processes: what each asked for, and how the turns ended."""

    before: list[Call]
    after: list[Call]
    searched: list[str]
    turns: dict[str, Any]
    rows: list[tuple[Any, ...]]
    waiting: list[tuple[Any, ...]]
    left: int


def of(calls: list[Call], thread: str) -> list[str]:
    """The calls about the question of a thread."""
    word = "rolling back" if thread == "t1" else "backups kept"
    return [line(call) for call in calls if word in user(call)]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """Two questions at once: the first waits for its writer, the second for the web, when the process is killed."""
    with serving() as web:
        return asyncio.run(_killed(tmp_path_factory.mktemp("killed"), web))


async def _killed(folder: Path, web: TavilyServer) -> Killed:
    dead = asyncio.Event()
    web.will_say(Scripted(delay=60))
    async with OpenAIServer(_script(dead)) as server:
        _write(folder, server.base_url, web.url)
        first = await _process(folder, "ask")
        await _until(lambda: bool(web.asked) and any(step_of(call) == "write" for call in server.chats))
        await asyncio.sleep(0.5)  # the steps before are written down beside the run
        first.kill()
        await first.wait()
        before, waiting = list(server.chats), _rows(folder)
        web.will_say(found([KEPT]))
        dead.set()
        _let_the_leases_run_out(folder)
        second = await _process(folder, "resume")
        out, _ = await asyncio.wait_for(second.communicate(), 60)
        after = server.chats[len(before) :]
    searched = [str(asked.body["query"]) for asked in web.asked]
    with closing(sqlite3.connect(folder / "data" / "runs.db")) as runs:
        (left,) = runs.execute("SELECT count(*) FROM checkpoints").fetchone()
    return Killed(before, after, searched, json.loads(out), _rows(folder), waiting, left)


def _script(dead: asyncio.Event) -> Script:
    def grade(call: Call) -> Reply:
        doubtful = "backups kept" in user(call) and 'from="web"' not in user(call)
        return (grading({"backed up": "partly"}, "no") if doubtful else grading())(call)

    def write(call: Call) -> Reply:
        if not dead.is_set():
            return Hang(60)
        return Say("They are kept for 35 days [2]." if "backups kept" in user(call) else "It takes ten minutes [1].")

    return Script(plan=routed("runbooks"), grade=grade, write=write, rewrite=echo("database backups kept how long"))


def _write(folder: Path, models: str, web: str) -> None:
    (folder / "docs").mkdir()
    for name, text in DOCS.items():
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    (folder / "refdesk.toml").write_text(CONFIG.format(models=models, web=web), encoding="utf-8")


async def _process(folder: Path, action: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.scenarios.desk_process",
        str(folder / "refdesk.toml"),
        action,
        json.dumps(QUESTIONS),
        cwd=ROOT,
        env={**os.environ, "TAVILY_API_KEY": WEB_KEY, "OPENAI_API_KEY": "sk-kill", "OPENBLAS_NUM_THREADS": "1"},
        stdout=asyncio.subprocess.PIPE,
    )


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.05)


def _rows(folder: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "data" / "refdesk.db")) as record:
        return record.execute(
            "SELECT thread, turns.id, status, revision, attempts, target FROM turns"
            " JOIN sessions ON sessions.id = session_id ORDER BY thread"
        ).fetchall()


def _let_the_leases_run_out(folder: Path) -> None:
    """As half a minute without a sign of life does."""
    with closing(sqlite3.connect(folder / "data" / "refdesk.db")) as record, record:
        record.execute("UPDATE turns SET lease_until = datetime('now', '-1 hour') WHERE status = 'running'")


def test_the_process_was_killed_between_grading_and_writing(killed: Killed) -> None:
    assert of(killed.before, "t1") == ["small Routed", "small Graded", "large text streamed"]
    assert of(killed.before, "t2") == ["small Routed", "small Graded", "small text streamed"]
    assert [row[2] for row in killed.waiting] == ["running", "running"]


@pytest.mark.parametrize("thread", QUESTIONS)
def test_both_turns_end_as_if_nothing_had_happened(killed: Killed, thread: str) -> None:
    turn = killed.turns[thread]
    assert (turn["status"], turn["standing"]) == ("answered", "supported")
    assert ("35 days [1]" if thread == "t2" else "ten minutes [1]") in turn["answer"]


def test_no_paid_call_is_repeated(killed: Killed) -> None:
    assert of(killed.after, "t1") == ["large text streamed", "small Checked"]
    assert of(killed.after, "t2") == ["small Graded", "large text streamed", "small Checked"]
    assert 'from="web"' in next(user(call) for call in killed.after if step_of(call) == "grade")


def test_the_web_is_asked_again_only_where_it_had_not_answered(killed: Killed) -> None:
    assert killed.searched == ["database backups kept how long"] * 2


def test_the_turns_are_the_same_in_the_same_reply(killed: Killed) -> None:
    assert [(row[0], row[1], row[3], row[5]) for row in killed.rows] == [
        (row[0], row[1], row[3], row[5]) for row in killed.waiting
    ]
    assert [row[4] for row in killed.rows] == [2, 2]


@pytest.mark.parametrize("thread", QUESTIONS)
def test_the_whole_run_is_in_the_trace_with_all_that_it_cost(killed: Killed, thread: str) -> None:
    trace = {event["node"]: event["detail"] for event in killed.turns[thread]["trace"]}
    assert {"plan", "retrieve", "grade", "generate", "check", "finish"} <= set(trace)
    paid = len(of(killed.before, thread)) + len(of(killed.after, thread))
    assert trace["total"]["calls"] == paid - (thread == "t1")  # the call that the kill cut off was never answered


def test_nothing_of_the_runs_is_left_behind(killed: Killed) -> None:
    assert killed.left == 0
