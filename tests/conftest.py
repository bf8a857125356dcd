"""What holds for every test: no way out to the network, and nothing of the machine's own settings."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator

import pytest

# Tests start processes by the hundred: none of them should compile again what another has compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

OURS = ("REFDESK_", "OPENAI_", "SLACK_", "DISCORD_", "PINECONE_", "TAVILY_", "LANGSMITH_", "LANGCHAIN_", "OTEL_")


_out: list[str] = []
"""Tests that may reach the network: they ask a real service, with a key that somebody set for it."""


def _stay_home(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse every connection that leaves this machine; an audit hook sees them all, whoever makes them."""
    if event != "socket.connect":
        return
    sock, address = arguments
    if not isinstance(sock, socket.socket) or sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    host = address[0] if isinstance(address, tuple) else ""
    if not _out and not (str(host).startswith("127.") or host in ("localhost", "::1")):
        raise PermissionError(f"a test tried to connect to {host}")


sys.addaudithook(_stay_home)


@pytest.fixture
def real_service(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let this one test out."""
    _out.append(request.node.name)
    yield
    _out.remove(request.node.name)


@pytest.fixture(autouse=True)
def clean_environment() -> Iterator[None]:
    """The tests' environment without anything that configures Refdesk or a vendor, and in plain English."""
    before = dict(os.environ)
    for name in [name for name in os.environ if name.startswith(OURS)]:
        del os.environ[name]
    os.environ["LANG"] = os.environ["LC_ALL"] = "C.UTF-8"
    yield
    os.environ.clear()
    os.environ.update(before)
