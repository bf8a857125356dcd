"""kill -9 at any moment of a sync, and several syncs at once: nothing is lost, nothing is done twice."""

from __future__ import annotations

import asyncio
import random
import shutil
from dataclasses import dataclass, replace
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from tests.indexing.folder_desk import Place, as_process, contents, opened, sync
from tests.indexing.victims import AFTER, BEFORE, SEED, Victim, write

MOMENTS = 20
PAUSE = 0.004


@dataclass(frozen=True)
class Beginnings:
    """What to copy: `later` documents, data that knows none yet, data of a sync before documents came, changed, went.

    `wanted` is what an index of the later documents holds that was never interrupted.
    """

    later: Path
    new: Path
    old: Path
    wanted: dict[str, object]

    def copied(self, root: Path, *, new: bool) -> Place:
        """A place of its own."""
        place = Place(root / "docs", root / "data", PAUSE)
        shutil.copytree(self.later, place.folder)
        shutil.copytree(self.new if new else self.old, place.data)
        return place


@pytest.fixture(scope="module")
def beginnings(tmp_path_factory: pytest.TempPathFactory) -> Beginnings:
    return asyncio.run(_beginnings(tmp_path_factory.mktemp("beginnings")))


async def _beginnings(root: Path) -> Beginnings:
    folder, new, old, whole = root / "docs", root / "new", root / "old", root / "whole"
    new.mkdir()
    async with opened(Place(folder, new)):
        pass
    write(folder, BEFORE)
    shutil.copytree(new, old)
    await sync(Place(folder, old))
    write(folder, AFTER)
    shutil.copytree(new, whole)
    await sync(Place(folder, whole))
    return Beginnings(folder, new, old, await contents(Place(folder, whole)))


async def test_after_a_kill_at_any_moment_the_next_sync_gives_what_a_fresh_build_gives(
    tmp_path: Path, processes: ForkServerContext, beginnings: Beginnings
) -> None:
    chance = random.Random(SEED)
    lengths = {}
    for new in (True, False):  # the shorter of two, for a machine that is busy for a moment
        whole = [Victim(beginnings.copied(tmp_path / f"whole-{new}-{n}", new=new), processes) for n in range(2)]
        lengths[new] = min([await victim.duration() for victim in whole])
    slots = asyncio.Semaphore(2)

    async def one(number: int) -> int:
        new = number % 2 == 0
        moment = (number // 2 + chance.random()) / (MOMENTS / 2) * lengths[new]
        async with slots:
            victim = Victim(beginnings.copied(tmp_path / f"moment-{number}", new=new), processes)
            for _ in range(1 + (number % 5 == 0)):  # some are killed twice
                await victim.kill_after(moment)
            job = await sync(replace(victim.place, pause=0.0), "next")
            assert job.status == "done", (SEED, number, job)
            assert await contents(victim.place) == beginnings.wanted, (SEED, number)
            return victim.killed

    killed = await asyncio.gather(*map(one, range(MOMENTS)))
    assert sum(map(bool, killed)) >= MOMENTS // 4, "the moments must lie within the syncs"


async def test_a_killed_sync_goes_on_in_the_same_job_and_embeds_little_twice(
    tmp_path: Path, processes: ForkServerContext, beginnings: Beginnings
) -> None:
    place = replace(beginnings.copied(tmp_path / "killed", new=True), pause=0.05)
    await Victim(place, processes).kill_after(0.6)
    assert place.noted("embedded")
    job = await sync(replace(place, pause=0.0), "next")
    assert (job.status, [asker.by for asker in job.askers]) == ("done", ["doomed", "next"])
    embedded = place.noted("embedded")
    assert len(embedded) - len(set(embedded)) <= 4  # the batch that was in hand


async def test_three_processes_that_sync_a_folder_at_once_do_the_work_once(
    tmp_path: Path, processes: ForkServerContext, beginnings: Beginnings
) -> None:
    place = replace(beginnings.copied(tmp_path / "three", new=True), pause=0.01)
    for file in place.data.iterdir():
        file.unlink()  # nothing is there yet, not even the databases
    here, there = processes.Pipe(duplex=False)
    running = [processes.Process(target=as_process, args=(place, f"u{n}", there)) for n in range(3)]
    with here, there:
        for process in running:
            process.start()
        for process in running:
            await asyncio.to_thread(process.join, 60)
    assert [process.exitcode for process in running] == [0, 0, 0]
    fetched, embedded = place.noted("fetched"), place.noted("embedded")
    assert len(fetched) == len(set(fetched)) == len(AFTER)
    assert len(embedded) == len(set(embedded))
    assert await contents(place) == beginnings.wanted


async def test_three_syncs_at_once_in_one_process_do_the_work_once(tmp_path: Path, beginnings: Beginnings) -> None:
    place = beginnings.copied(tmp_path / "three", new=True)
    jobs = await asyncio.gather(*(sync(place, f"u{n}") for n in range(3)))
    assert {job.status for job in jobs} == {"done"}
    assert len(place.noted("fetched")) == len(AFTER)
    embedded = place.noted("embedded")
    assert len(embedded) == len(set(embedded))
