"""The fence around the tests is really there, and importing anything of ours does nothing."""

from __future__ import annotations

import os
import pkgutil
import socket
import subprocess
import sys

import pytest

import adapters
import bots
import core

OPTIONAL = {"adapters.local.morphemes", "adapters.local.e5"}


def test_a_connection_that_leaves_the_machine_is_refused() -> None:
    with socket.socket() as sock, pytest.raises(PermissionError):
        sock.connect(("192.0.2.1", 80))


def test_the_environment_configures_nothing() -> None:
    assert not [name for name in os.environ if name.startswith(("REFDESK_", "OPENAI_", "SLACK_"))]


def test_importing_any_module_has_no_side_effect() -> None:
    """In a fresh process: no thread, no output, no file opened for writing, no connection, no child."""
    names = sorted(
        module.name
        for package in (core, adapters, bots)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if module.name not in OPTIONAL and ".migrations." not in module.name
    )
    watch = """
import importlib, sys, threading
sys.dont_write_bytecode = True
seen = []
def hook(event, args):
    if event in ("socket.connect", "subprocess.Popen", "os.fork") or (
        event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+")):
        seen.append((event, str(args)[:200]))
sys.addaudithook(hook)
for name in sys.argv[1:]:
    importlib.import_module(name)
assert threading.active_count() == 1, threading.enumerate()
assert not seen, seen
"""
    done = subprocess.run([sys.executable, "-c", watch, *names], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
