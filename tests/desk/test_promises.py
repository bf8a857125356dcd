"""What was promised when the process ends: done if that takes a moment, else called off, and said so."""

from __future__ import annotations

import asyncio

from core.desk.promises import Promises


async def test_what_takes_a_moment_is_done_and_what_takes_longer_is_called_off() -> None:
    promises, ends = Promises(0.1), dict[str, str]()

    async def deed(name: str, seconds: float) -> None:
        with promises.kept():
            try:
                await asyncio.sleep(seconds)
                ends[name] = "done"
            except asyncio.CancelledError:
                await asyncio.sleep(0.01)  # telling takes a moment, too
                ends[name] = "told"
                raise

    tasks = [asyncio.create_task(deed("short", 0.02)), asyncio.create_task(deed("long", 60))]
    await asyncio.sleep(0)
    await promises.close()
    assert ends == {"short": "done", "long": "told"}
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_task_goes_on_once_it_has_kept_its_promise() -> None:
    promises = Promises(5.0)

    async def both() -> None:
        with promises.kept():
            await asyncio.sleep(0.01)
        await asyncio.sleep(60)

    task = asyncio.create_task(both())
    await asyncio.sleep(0)
    async with asyncio.timeout(2):
        await promises.close()
    assert not task.cancelling()
    task.cancel()
