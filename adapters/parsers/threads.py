"""Work in a thread of its own, with a limit of time. A thread can't be ended: only what ends by itself belongs here."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable

from core.documents import Parsed
from core.errors import ParseError


async def in_thread(work: Callable[[], Parsed], seconds: float) -> Parsed:
    """The result of `work`; raises what it raises of ParseError, and `parse.timeout` when it takes too long."""
    try:
        async with asyncio.timeout(seconds):
            return await _in_thread(work)
    except TimeoutError as error:
        raise ParseError("parse.timeout", detail=f"{seconds:g} s") from error


async def _in_thread(work: Callable[[], Parsed]) -> Parsed:
    """The result of `work` from a thread that, unlike an executor's, can't hold up the exit."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Parsed] = loop.create_future()

    def settle(result: Parsed | None, error: BaseException | None) -> None:
        if done.done():  # nobody waits any more
            return
        if error is not None:
            done.set_exception(error)
        elif result is not None:
            done.set_result(result)

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except ParseError as refused:
            error = refused
        with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, name="refdesk-parse", daemon=True).start()
    return await done
