"""What a reading process does to itself before it looks at anything: limits that it can't lift again.

Linux keeps to all of them; macOS knows no limit of memory, so how much is in use is looked at as well.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
from pathlib import Path

_FORBIDDEN = ("socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.kill")
_DEEPEST = 6000  # calls in calls: documents nest deeper than Python's own limit, and a crash is only ours


def confine(memory: int) -> None:
    """Low priority, so much memory, no files, no network, no programs; deaf to Ctrl-C, which is for its owner."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        os.nice(10)  # answers go first
    for name, most in {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": 0, "RLIMIT_DATA": memory}.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (most, most))
    sys.setrecursionlimit(_DEEPEST)
    sys.addaudithook(_refuse)


def own_output() -> int:
    """A descriptor of the standard output for us alone; what libraries print goes nowhere."""
    replies = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return replies


def end_after(seconds: float) -> None:
    """The kernel ends us then, though the interpreter never comes free and our owner is gone; 0: it does not."""
    signal.setitimer(signal.ITIMER_REAL, seconds)


def in_use() -> int:
    """Bytes of memory in use; where the system doesn't say, the most there ever were."""
    try:
        return int(Path("/proc/self/statm").read_bytes().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    """Reading a document needs no network and no other program."""
    if event.startswith(_FORBIDDEN):
        raise PermissionError(f"{event} while a document is read")
