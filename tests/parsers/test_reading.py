"""Documents are read in processes that see nothing, can do nothing, end in time, and leave nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.parsers.frames import parsed_to, refusal_to, reply_from
from adapters.parsers.limits import MB, Limits, Room
from adapters.parsers.reading import SHORT, DocumentReader
from core.documents import PageMark, Parsed, TimeSpan
from core.errors import ParseError
from tests.parsers.files import TEXT, docx, entry, parse, pdf

LIMITS = Limits(seconds=1.5, memory=300 * MB)


@contextlib.asynccontextmanager
async def trapped(limits: Limits = LIMITS, **room: Any) -> AsyncIterator[DocumentReader]:
    """A reader whose documents are traps; one process at a time unless said otherwise."""
    async with DocumentReader(limits, Room("tests.parsers.traps:TRAPS", **{"width": 1, **room})) as reader:
        yield reader


async def told(reader: DocumentReader, trap: str, data: bytes = b"x") -> dict[str, Any]:
    found = json.loads((await reader.read(data, entry(f"{trap}.pdf"))).text)
    assert isinstance(found, dict)
    return found


async def refusal(reader: DocumentReader, trap: str, data: bytes = b"x") -> str:
    with pytest.raises(ParseError) as caught:
        await reader.read(data, entry(f"{trap}.pdf"))
    assert caught.value.user_message("ko")
    return caught.value.reason


def is_running(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return False


async def ended(pid: int, seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    return not is_running(pid)


# --- what is read -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "make"), [("a.docx", docx), ("보고서.pdf", lambda: pdf([[TEXT], [], [TEXT]]))])
async def test_what_comes_out_is_what_the_parser_gave(name: str, make: Callable[[], bytes]) -> None:
    data = make()
    async with DocumentReader() as reader:
        assert await reader.read(data, entry(name)) == parse(name, data)


async def test_a_refusal_comes_out_with_its_reason() -> None:
    async with DocumentReader() as reader:
        for data, reason in ((pdf([[], []]), "parse.scanned"), (b"%PDF-1.7 no", "parse.broken"), (b"", "parse.empty")):
            with pytest.raises(ParseError) as caught:
                await reader.read(data, entry("a.pdf"))
            assert caught.value.reason == reason


async def test_one_process_reads_many_documents_and_then_another_takes_over() -> None:
    async with trapped(documents=3) as reader:
        pids = [(await told(reader, "fine"))["pid"] for _ in range(7)]
    assert [pids.count(pid) for pid in dict.fromkeys(pids)] == [3, 3, 1]
    assert os.getpid() not in pids


async def test_short_plain_text_starts_no_process_and_long_text_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    async with DocumentReader() as reader:
        for name in ("a.md", "a.txt", "a.csv"):
            assert (await reader.read(b"# T\n\nwords, more", entry(name))).text
        with pytest.raises(ParseError) as caught:
            await reader.read(b"x" * (SHORT + 1), entry("a.md"))
    assert caught.value.reason == "parse.no_reader"


async def test_no_more_processes_than_the_room_has_places() -> None:
    async with trapped(width=2) as reader:
        found = await asyncio.gather(*(told(reader, "fine") for _ in range(12)))
    assert 1 <= len({each["pid"] for each in found}) <= 2


_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
_DAYS = st.dates(date(1970, 1, 1), date(2099, 12, 31))
_PARSED = st.builds(
    Parsed,
    title=_TEXT,
    text=_TEXT,
    pages=st.lists(st.builds(PageMark, st.integers(0), st.integers(1))).map(tuple),
    date=st.none() | _DAYS,
    period=st.none() | st.builds(TimeSpan, _DAYS, _DAYS),
    notes=st.lists(_TEXT).map(tuple),
)


@given(_PARSED, st.booleans())
def test_a_document_survives_the_way_between_processes(parsed: Parsed, last: bool) -> None:
    assert reply_from(parsed_to(parsed, last=last)) == (parsed, last)


@given(st.binary(max_size=200) | st.sampled_from([b"[]", b"{}", b'{"last":1,"refused":"x","detail":""}', b"null"]))
def test_what_is_no_reply_is_a_value_error_and_never_run(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whichever part is wrong
        reply_from(data)


def test_a_refusal_survives_the_way_too() -> None:
    found, _ = reply_from(refusal_to(ParseError("parse.too_large", detail="25", limit_mb="25"), last=False))
    assert isinstance(found, ParseError)
    assert "25 MB" in found.user_message("en")


# --- what goes wrong --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trap", "reason"),
    [
        ("endless", "parse.timeout"),
        ("patient", "parse.timeout"),
        ("crash", "parse.crashed"),
        ("leave", "parse.crashed"),
    ],
)
async def test_whatever_one_document_does_the_next_goes_in(trap: str, reason: str) -> None:
    async with trapped() as reader:
        before = (await told(reader, "fine"))["pid"]
        started = time.monotonic()
        assert await refusal(reader, trap) == reason
        assert time.monotonic() - started < 20
        after = await told(reader, "fine", b"the next")
        assert after["data"] == "the next"
        assert after["pid"] != before
        assert await ended(before)


async def test_a_document_that_takes_too_much_memory_fails_alone() -> None:
    async with trapped(Limits(seconds=60, memory=300 * MB)) as reader:
        assert await refusal(reader, "greedy") == "parse.memory"
        assert (await told(reader, "fine", b"the next"))["data"] == "the next"


async def test_a_process_that_has_grown_makes_room_for_a_fresh_one() -> None:
    async with trapped() as reader:
        grown = (await told(reader, "hoarder"))["pid"]
        assert (await told(reader, "fine"))["pid"] != grown
        assert await ended(grown)


async def test_what_a_parser_prints_is_no_reply() -> None:
    async with trapped() as reader:
        assert await told(reader, "print") == {}
        assert (await told(reader, "fine", b"after"))["data"] == "after"


@pytest.mark.parametrize("forged", [b"nonsense" * 10, b"\xff" * 8, b"\x00" * 7 + b"\x02{}", b"\x00" * 7 + b"\x04null"])
async def test_a_reply_that_is_none_fails_alone(forged: bytes) -> None:
    async with trapped() as reader:
        assert await refusal(reader, "forge", forged) == "parse.crashed"
        assert (await told(reader, "fine", b"after"))["data"] == "after"


async def test_a_text_that_is_longer_than_a_file_may_be_is_refused() -> None:
    async with trapped(Limits(bytes=2 * MB, seconds=30)) as reader:
        assert await refusal(reader, "long", str(2 * MB + 1).encode()) == "parse.long"
        assert len((await reader.read(str(2 * MB).encode(), entry("long.pdf"))).text) == 2 * MB


async def test_reading_that_is_broken_off_ends_its_process() -> None:
    async with trapped() as reader:
        pid = (await told(reader, "fine"))["pid"]
        reading = asyncio.create_task(reader.read(b"x", entry("patient.pdf")))
        await asyncio.sleep(0.2)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        assert await ended(pid)
        assert (await told(reader, "fine"))["pid"] != pid


async def test_the_loop_stays_free_while_a_document_is_read() -> None:
    async with trapped() as reader:
        reading = asyncio.create_task(refusal(reader, "endless"))
        slowest = 0.0
        while not reading.done():
            before = time.monotonic()
            await asyncio.sleep(0.01)
            slowest = max(slowest, time.monotonic() - before)
        assert await reading == "parse.timeout"
        assert slowest < 1


# --- what it may do ---------------------------------------------------------------------------------


async def test_a_reading_process_has_no_secrets_no_connections_and_can_do_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "json.py").write_text("raise SystemExit('a module of the folder we stand in')")
    with socket.create_server(("127.0.0.1", 0)) as server, (tmp_path / "open").open("w"):
        os.set_inheritable(server.fileno(), True)
        async with trapped() as reader:
            found = await told(reader, "curious", str(server.getsockname()[1]).encode())
        os.set_inheritable(server.fileno(), False)
    assert found["environment"].keys() <= {"LC_ALL", "LC_CTYPE"}
    assert found["sockets"] == 0
    for name in ("no_network", "no_programs", "no_forks", "no_files"):
        assert found[name], name


async def test_answers_go_before_reading() -> None:
    async with trapped() as reader:
        assert (await told(reader, "fine"))["nice"] >= min(19, os.nice(0) + 10)


# --- nothing stays behind ---------------------------------------------------------------------------


async def test_a_closed_reader_leaves_no_process() -> None:
    async with trapped(width=2) as reader:
        found = await asyncio.gather(*(told(reader, "fine") for _ in range(6)))
    for pid in {each["pid"] for each in found}:
        assert await ended(pid)


async def test_a_process_that_nobody_needs_ends_after_a_while() -> None:
    async with trapped(idle=0.2) as reader:
        pid = (await told(reader, "fine"))["pid"]
        assert await ended(pid)
        assert (await told(reader, "fine"))["pid"] != pid


def owner(trap: str, seconds: float) -> tuple[subprocess.Popen[str], int]:
    """A process with a reading process of its own that is busy with the trap."""
    command = [sys.executable, "-m", "tests.parsers.owner", trap, str(seconds)]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert started.stdout is not None
    return started, int(started.stdout.readline())


@pytest.mark.parametrize("trap", ["fine", "patient", "endless"])
async def test_a_reading_process_ends_with_an_owner_that_was_killed(trap: str) -> None:
    """`endless` never gives the interpreter away: it is ended by the kernel's clock, the others at once."""
    process, reader = await asyncio.to_thread(owner, trap, 1)
    with process:
        await asyncio.sleep(0.3)
        process.kill()
    assert await ended(reader, 20)


async def test_ctrl_c_leaves_no_process() -> None:
    process, reader = await asyncio.to_thread(owner, "patient", 60)
    with process:
        await asyncio.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert await asyncio.to_thread(process.wait, 20) != 0
    assert await ended(reader)
