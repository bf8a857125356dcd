"""Spans on their way: over real HTTP to a collector, which may be down; off unless somebody names one."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from adapters.otel import OtelTracer, collector
from bots.settings import load
from core.errors import ConfigError
from tests.telemetry.receiver import Receiver, receiving

CONFIG = '[[collections]]\nname = "docs"\nsource = "folder:docs"\n'
ASK = """
import asyncio, sys
from pathlib import Path
from bots.compose import opened
from bots.settings import load

async def main():
    async with opened(load(Path("refdesk.toml")), quiet=True) as app:
        await app.prepare(refresh=False)
        turn = await app.desk.ask(app.terminal.message("How often does the VPN password change?", "t"))
        print(turn.status, "adapters.otel" in sys.modules, "opentelemetry.exporter" in sys.modules)
asyncio.run(main())
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one document; what was unpacked and indexed once serves all tests."""
    place = tmp_path_factory.mktemp("watched")
    (place / "docs").mkdir()
    (place / "docs" / "vpn.md").write_text("# VPN\n\nThe VPN password changes every 90 days.\n", encoding="utf-8")
    return place


def configured(place: Path, telemetry: str = "") -> Path:
    path = place / "refdesk.toml"
    path.write_text(CONFIG + telemetry, encoding="utf-8")
    return path


def asked(place: Path, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=place,
        env={**os.environ, "REFDESK_DATA_DIR": str(place / "data"), **env},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout


def names(receiver: Receiver) -> list[str]:
    exports = [ExportTraceServiceRequest.FromString(each.body) for each in receiver.posted]
    return [
        span.name
        for export in exports
        for resource in export.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


async def test_spans_are_posted_with_service_version_and_the_headers_of_the_environment() -> None:
    os.environ["OTEL_EXPORTER_OTLP_HEADERS"] = "authorization=Bearer%20abc"
    with receiving() as receiver:
        async with OtelTracer(collector(receiver.address + "/"), version="1.2") as tracer:
            with tracer.span("turn", "turn", run="t/1"):
                pass
    (posted,) = receiver.posted
    assert (posted.path, posted.headers["authorization"]) == ("/v1/traces", "Bearer abc")
    (told,) = ExportTraceServiceRequest.FromString(posted.body).resource_spans
    resource = {each.key: each.value.string_value for each in told.resource.attributes}
    assert (resource["service.name"], resource["service.version"]) == ("refdesk", "1.2")
    assert names(receiver) == ["invoke_workflow refdesk"]


async def test_the_service_may_be_named_in_the_environment() -> None:
    os.environ["OTEL_SERVICE_NAME"] = "desk-of-ours"
    with receiving() as receiver:
        async with OtelTracer(collector(receiver.address)) as tracer:
            with tracer.span("node", "plan"):
                pass
    assert b"desk-of-ours" in receiver.posted[0].body


async def test_a_collector_that_is_down_holds_nothing_up(caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{free.getsockname()[1]}"
    begun = time.monotonic()
    with caplog.at_level(logging.CRITICAL, "opentelemetry"):
        async with OtelTracer(collector(nowhere)) as tracer:
            with tracer.span("node", "plan"):
                pass
            assert time.monotonic() - begun < 1
    assert time.monotonic() - begun < 6


async def test_a_collector_that_refuses_is_not_asked_for_ever() -> None:
    with receiving(status=400) as receiver:
        async with OtelTracer(collector(receiver.address)) as tracer:
            with tracer.span("node", "plan"):
                pass
    assert len(receiver.posted) == 1


def test_a_desk_sends_its_spans_where_the_configuration_says(place: Path) -> None:
    with receiving() as receiver:
        configured(place, f'[telemetry]\notlp = "{receiver.address}"\n')
        assert asked(place).split() == ["answered", "True", "True"]
    assert {"invoke_workflow refdesk", "plan", "retrieve", "retrieval", "grade", "generate"} <= set(names(receiver))
    assert b"VPN" not in b"".join(each.body for each in receiver.posted)


def test_nobody_watches_by_default_and_nothing_is_loaded(place: Path) -> None:
    configured(place)
    assert asked(place, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9").split() == ["answered", "False", "False"]


@pytest.mark.parametrize("address", ["127.0.0.1:4318", "ftp://host", "http://me:secret@host:4318", "http://"])
def test_an_address_that_cannot_be_used_is_refused_with_the_way_to_write_it(place: Path, address: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load(configured(place, f'[telemetry]\notlp = "{address}"\n'), {})
    assert "http://host:4318" in refused.value.user_message("en")
    assert "secret" not in refused.value.user_message("en")
