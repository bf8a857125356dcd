"""What a process that serves tells of itself: well or not, with numbers, and without a name of any collection."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapters.prometheus import KIND, Numbers, exposition
from adapters.sql.counts import SqlCounts
from adapters.sql.database import Database, sqlite_url
from bots.health import Watched, told
from bots.health_settings import HealthSettings
from core.errors import StoreError, UpstreamError
from core.health import GRACE, Health, examined
from core.metering import BUCKETS, Meter, Metered
from core.pulse import Pulse
from core.telemetry import UNTRACED
from tests.slack.town import free_port
from tests.stores.values import MovingClock


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


def pulse(hands: Hands | None = None, *, up: bool = True) -> Pulse:
    made = Pulse(hands or Hands())
    if up:
        made.up()
    return made


async def fine() -> None:
    """A store that answers."""


async def broken() -> None:
    raise StoreError("error.store_access", path="refdesk.db", what="disk full")


async def stuck() -> None:
    await asyncio.sleep(60)


async def strange() -> None:
    raise RuntimeError("xoxb-secret")


async def test_all_is_well() -> None:
    found = await examined({"database": fine, "index": fine}, {"slack": pulse()}, "en")
    assert found.ok
    assert found.plain()["status"] == "ok"
    assert found.plain()["database"] == {"ok": True, "error": None}


@pytest.mark.parametrize("probe", [broken, strange])
async def test_a_store_that_fails_makes_the_process_unhealthy_and_says_why(probe: Any) -> None:
    found = await examined({"database": fine, "index": probe}, {}, "en")
    assert not found.ok
    assert found.plain()["index"]["error"]
    assert "xoxb" not in json.dumps(found.plain())


async def test_a_store_that_does_not_answer_is_not_waited_for() -> None:
    assert not (await examined({"database": stuck}, {}, "en", patience=0.05)).ok


async def test_a_connection_that_is_replaced_is_no_reason_to_restart_but_a_lost_one_is() -> None:
    hands = Hands()
    connection = pulse(hands)
    connection.down(UpstreamError("error.slack_down"))
    hands.at += GRACE / 2
    found = await examined({}, {"slack": connection}, "en")
    assert found.ok
    assert found.platforms["slack"]["connected"] is False
    hands.at += GRACE
    found = await examined({}, {"slack": connection}, "en")
    assert not found.ok
    assert "Slack" in found.platforms["slack"]["error"]
    connection.up()
    assert (await examined({}, {"slack": connection}, "en")).ok


async def test_a_token_that_was_revoked_counts_at_once_also_while_connected() -> None:
    connection = pulse()
    connection.refused(UpstreamError("error.slack_signed_out", code="token_revoked"))
    found = await examined({}, {"slack": connection}, "en")
    assert not found.ok
    assert found.platforms["slack"]["connected"] is True
    connection.welcome()
    assert (await examined({}, {"slack": connection}, "en")).ok


def test_silence_is_counted_from_the_last_thing_that_came_in() -> None:
    hands = Hands()
    connection = pulse(hands)
    hands.at += 5
    assert connection.silence == 5
    connection.heard()
    hands.at += 2
    assert connection.silence == 2


def test_bad_news_is_news_once() -> None:
    connection = pulse()
    assert connection.down(UpstreamError("error.slack_down"))
    assert not connection.down(UpstreamError("error.slack_down"))
    assert connection.down(UpstreamError("error.slack_socket_off"))
    connection.up()
    assert connection.down(UpstreamError("error.slack_socket_off"))


def test_turns_are_timed_and_other_spans_are_not() -> None:
    meter = Meter()
    tracer = Metered(UNTRACED, meter)
    with tracer.span("node", "plan"):
        pass
    with tracer.span("turn", "turn") as span:
        span.tell(ended="answered")
    assert sum(meter.counts) == 1
    meter.took(0.3)
    meter.took(1000)
    assert meter.counts[-1] == 1
    assert meter.seconds > 1000


def numbers(**more: Any) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """The samples of a page, by name and labels."""
    meter = Meter()
    for seconds in (0.05, 0.3, 200.0):
        meter.took(seconds)
    given: dict[str, Any] = {"turns": {"answered": 3, "waiting": 1}, "jobs": {}, "oldest": 2.5}
    page = exposition(Numbers(**{**given, "meter": meter, "pulses": {"slack": pulse()}, **more}))
    families = list(text_string_to_metric_families(page.decode()))
    return {(s.name, tuple(sorted(s.labels.items()))): s.value for family in families for s in family.samples}


def test_the_numbers_are_as_prometheus_reads_them() -> None:
    found = numbers(calls={"slack": {("chat.update", "ok"): 7, ("chat.update", "ratelimited"): 1}})
    assert found["refdesk_turns", (("status", "answered"),)] == 3
    assert found["refdesk_oldest_waiting_seconds", ()] == 2.5
    assert found["refdesk_connected", (("platform", "slack"),)] == 1
    assert found["refdesk_turn_seconds_count", ()] == 3
    assert found["refdesk_turn_seconds_bucket", (("le", str(BUCKETS[-1])),)] == 2
    refused = (("method", "chat.update"), ("outcome", "ratelimited"), ("platform", "slack"))
    assert found["refdesk_api_calls_total", refused] == 1


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with Database(sqlite_url(tmp_path / "refdesk.db"), MovingClock()) as opened:
        yield opened


async def test_an_empty_record_counts_nothing(database: Database) -> None:
    counts = await SqlCounts(database).now()
    assert (counts.turns, counts.jobs, counts.oldest) == ({}, {}, 0.0)
    await SqlCounts(database).ping()


async def test_a_closed_record_is_unhealthy(database: Database) -> None:
    await database.close()
    assert not (await examined({"database": SqlCounts(database).ping}, {}, "en")).ok


def watched(*, ok: bool) -> Watched:
    async def health() -> Health:
        return Health({"database": "" if ok else "disk full"})

    async def metrics() -> bytes:
        return b"refdesk_turns 1\n"

    return Watched(health, metrics, KIND)


@pytest.mark.parametrize(("ok", "status"), [(True, 200), (False, 503)])
async def test_the_pages_are_there_while_the_process_serves(ok: bool, status: int) -> None:
    port = free_port()
    async with told(watched(ok=ok), HealthSettings(port=port)), aiohttp.ClientSession() as session:
        async with session.get(f"http://127.0.0.1:{port}/healthz") as answer:
            assert answer.status == status
            assert (await answer.json())["database"]["ok"] is ok
        async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
            assert answer.headers["Content-Type"] == KIND
            assert await answer.text() == "refdesk_turns 1\n"
        async with session.get(f"http://127.0.0.1:{port}/") as answer:
            assert answer.status == 404


async def test_a_port_that_is_taken_is_no_reason_not_to_serve(caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        async with told(watched(ok=True), HealthSettings(port=taken.getsockname()[1])):
            assert "[health]" in caplog.text


async def test_port_zero_switches_the_pages_off() -> None:
    async with told(watched(ok=True), HealthSettings(port=0)):
        pass
