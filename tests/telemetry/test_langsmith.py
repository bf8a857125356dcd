"""LangSmith, told by its own variables: runs arrive, no key does, and nothing at all where they are not set."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.openai_server.replies import Fail, Reply, Say, Value
from tests.openai_server.server import Call, OpenAIServer
from tests.telemetry.receiver import Receiver, receiving

ROOT = Path(__file__).parents[2]
KEYS = {
    "OPENAI_API_KEY": "sk-not-to-be-seen",
    "TAVILY_API_KEY": "tvly-not-to-be-seen",
    "LANGSMITH_API_KEY": "ls-not-to-be-seen",
    "REFDESK_DATABASE_URL": "postgresql://me:not-to-be-seen@host/db",
}
HIDDEN = {"LANGSMITH_HIDE_INPUTS": "true", "LANGSMITH_HIDE_OUTPUTS": "true"}


@dataclass(frozen=True, slots=True)
class Run:
    """One run as it was told to LangSmith; a part that wasn't sent is None."""

    name: str
    kind: str
    id: str
    parent: str | None
    inputs: Any
    outputs: Any
    error: Any


def script(call: Call) -> Reply:
    """Grades by number, one sentence; the check is refused as with a wrong key."""
    if call.schema == "Graded":
        return Value({"grades": "1:yes 2:no"})
    return Fail(401, message="Incorrect API key: sk-not-to-be-seen") if call.schema else Say("It takes 45 minutes [1].")


def runs(receiver: Receiver) -> list[Run]:
    """The runs that arrived, put together from the parts of the multipart bodies."""
    parts: dict[str, dict[str, Any]] = {}
    for posted in receiver.posted:
        for match in re.finditer(
            rb'name="(?:post|patch)\.([^".]+)(?:\.(\w+))?"(.*?)\r\n\r\n(.*?)\r\n--', posted.body, re.S
        ):
            value, name = json.loads(match[4]), (match[2] or b"run").decode()
            parts.setdefault(match[1].decode(), {})[name] = value
    return [
        Run(
            each["run"]["name"],
            each["run"]["run_type"],
            id,
            each["run"].get("parent_run_id"),
            each.get("inputs"),
            each.get("outputs"),
            each.get("error", each["run"].get("error")),
        )
        for id, each in parts.items()
    ]


async def traced(**env: str) -> str:
    """What a process with these variables answers."""
    async with OpenAIServer(script) as server:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.telemetry.traced", server.base_url),
            cwd=ROOT,
            env={**os.environ, **KEYS, **env},
            stdout=asyncio.subprocess.PIPE,
        )
        told, _ = await asyncio.wait_for(process.communicate(), 60)
        return told.decode().strip()


def at(receiver: Receiver, **env: str) -> dict[str, str]:
    return {"LANGSMITH_TRACING": "true", "LANGSMITH_ENDPOINT": receiver.address, **env}


@pytest.fixture(scope="module")
def told() -> Iterator[Receiver]:
    """What LangSmith was told of one run, with everything allowed."""
    with receiving() as receiver:
        assert asyncio.run(traced(**at(receiver))) == "unchecked"
        yield receiver


def test_a_run_arrives_with_its_nodes_and_its_model_calls_below_them(told: Receiver) -> None:
    every = {run.name: run for run in runs(told) if run.kind == "chain"}
    assert every["refdesk"].parent is None
    for node in ("plan", "retrieve", "grade", "refine", "generate", "check", "finish"):
        assert every[node].parent == every["refdesk"].id
    calls = [run for run in runs(told) if run.kind == "llm"]
    assert [call.parent for call in calls] == [every[node].id for node in ("grade", "generate", "check")]


def test_what_is_told_is_the_prompts_the_answers_and_the_state(told: Receiver) -> None:
    graded, written, _ = (run for run in runs(told) if run.kind == "llm")
    assert "How long" in json.dumps(graded.inputs)
    assert "45 minutes" in json.dumps(written.outputs)
    assert '"input_tokens"' in json.dumps(written.outputs)
    (whole,) = (run for run in runs(told) if run.name == "refdesk")
    assert set(whole.outputs) >= {"plan", "grades", "draft", "answer"}


def test_a_call_that_failed_is_told_as_failed(told: Receiver) -> None:
    *_, checked = (run for run in runs(told) if run.kind == "llm")
    assert "error.model_key" in json.dumps(checked.error)


def test_no_key_is_told_and_nothing_of_what_a_run_was_given(told: Receiver) -> None:
    assert "not-to-be-seen" not in told.text
    for inner in ("RunContext", "Recorder", "MemoryShelf", "Steps", "Ledger", "deadline"):
        assert inner not in told.text


def test_inputs_and_outputs_can_be_hidden() -> None:
    with receiving() as receiver:
        assert asyncio.run(traced(**at(receiver, **HIDDEN))) == "unchecked"
    assert [run.name for run in runs(receiver) if run.kind == "llm"]
    for word in ("How long", "45 minutes", "Title a", "not-to-be-seen"):
        assert word not in receiver.text


def test_nothing_is_told_unless_tracing_is_switched_on() -> None:
    with receiving() as receiver:
        env = at(receiver)
        del env["LANGSMITH_TRACING"]
        assert asyncio.run(traced(**env)) == "unchecked"
    assert receiver.posted == []
