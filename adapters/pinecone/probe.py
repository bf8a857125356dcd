"""The probe sample: passages of a generation by whose scores all scores are standardised.

A search gives only the best scores, and the fusion needs mean and deviation of all. Every passage has drawn a
lot by its id; for each language the published passages with the lowest lots are the sample. It is a function of
the generation alone: nothing has to be written for it, no process can have another, and a reader of an older
generation keeps that one's. A small collection is its own sample, and its moments are exact.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adapters.pinecone.bounded import each
from adapters.pinecone.latest import Latest
from adapters.pinecone.names import LOTS, Pins, lot, passage_of
from core.errors import UpstreamError
from core.ports import Moments, Vectors

if TYPE_CHECKING:
    from adapters.pinecone.space import Space

SAMPLE = 256
"""Passages a language: the deviation is then right within about 4 %."""
MOST = 10_000
"""Records that a search gives at most."""
_DRAWN = 6_000
"""Ids to draw from, so that a language of a few per cent has enough of them."""
_FETCHED = 64
_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Stratum:
    """The sample of one language: its record ids, their vectors as rows, how many passages it stands for."""

    ids: tuple[str, ...]
    rows: Vectors
    population: float


Probe = Mapping[str, Stratum]


def moments(probes: Sequence[Probe], vector: Vectors) -> dict[str, Moments]:
    """By language, for one question, over all collections: each counts by its size."""
    sums: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for probe in probes:
        for language, stratum in probe.items():
            scores = stratum.rows @ vector
            total = sums[language]
            total[0] += stratum.population
            total[1] += stratum.population * float(scores.mean())
            total[2] += stratum.population * float((scores * scores).mean())
    found = {}
    for language, (count, first, second) in sums.items():
        mean = first / count
        found[language] = Moments(mean, max(second / count - mean * mean, 0.0) ** 0.5, round(count))
    return found


class Probes:
    """The samples of the generations that are read, each loaded once."""

    def __init__(self) -> None:
        self._kept: Latest[asyncio.Task[Probe]] = Latest(in_use=lambda task: not task.done())

    async def of(self, space: Space, pins: Pins, vector: Vectors) -> Probe:
        """The generation's sample; the first question waits for it, a new generation takes over what still holds.

        Raises UpstreamError when somebody else than who asks ended the load.
        """
        task = self._kept.get(space.name, pins.generation, lambda: self._loading(space, pins, vector))
        await asyncio.wait({task})  # whoever asks may be cancelled, the others still wait for it
        if task.cancelled():
            raise UpstreamError("error.index_down", detail="the load of a sample was ended")
        return task.result()

    async def close(self) -> None:
        """End what is still being loaded."""
        tasks = self._kept.taken()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _loading(self, space: Space, pins: Pins, vector: Vectors) -> asyncio.Task[Probe]:
        task = asyncio.create_task(_load(space, pins, vector, self._vectors(space.name)))
        task.add_done_callback(lambda done: None if _loaded(done) else self._kept.drop(space.name, done))
        return task

    def _vectors(self, space: str) -> dict[str, Vectors]:
        """What earlier generations' samples hold."""
        probes = [task.result() for task in self._kept.of(space) if task.done() and _loaded(task)]
        strata = [stratum for probe in probes for stratum in probe.values()]
        return {id_: row for stratum in strata for id_, row in zip(stratum.ids, stratum.rows, strict=True)}


def _loaded(done: asyncio.Task[Probe]) -> bool:
    return not done.cancelled() and done.exception() is None


async def _load(space: Space, pins: Pins, vector: Vectors, held: Mapping[str, Vectors]) -> Probe:
    drawn, share = await _drawn(space, pins, vector)
    chosen = {language: ids[:SAMPLE] for language, ids in drawn.items()}
    wanted = [id_ for ids in chosen.values() for id_ in ids if id_ not in held]
    parts = [wanted[start : start + _FETCHED] for start in range(0, len(wanted), _FETCHED)]
    rows = dict(held)
    for fetched in await each(parts, space.vectors, 4):
        rows.update(fetched)
    probe = {}
    for language, ids in chosen.items():
        present = tuple(id_ for id_ in ids if id_ in rows)
        if present:
            stacked = np.stack([rows[id_] for id_ in present]).astype(np.float32)
            probe[language] = Stratum(present, _directions(stacked), len(drawn[language]) / share)
    return probe


async def _drawn(space: Space, pins: Pins, vector: Vectors) -> tuple[dict[str, list[str]], float]:
    """Published records by language, lowest lots first, and the share of all lots that they are drawn from."""
    asked, share = vector.tolist(), min(1.0, _DRAWN / max(space.count, 1))
    for _ in range(_ROUNDS):
        only = {"lot": {"$lt": round(share * LOTS)}} if share < 1 else None
        found = await space.search(asked, MOST, only, patient=True)
        if len(found.records) >= MOST:  # the count lags behind: there are more than were counted
            share /= 4
        elif share < 1 and len(found.records) < _DRAWN / 4:
            share = min(1.0, share * 4)
        else:
            break
    return by_language((id_ for id_, _ in found.records), pins), share


def by_language(records: Iterable[str], pins: Pins) -> dict[str, list[str]]:
    """The published ones of these records by language, lowest lots first."""
    languages: defaultdict[str, list[str]] = defaultdict(list)
    for id_ in records:
        _, version, language, _ = id_.split(":", 3)
        if version in pins.versions:
            languages[language].append(id_)
    return {language: sorted(ids, key=lambda id_: (lot(passage_of(id_)), id_)) for language, ids in languages.items()}


def _directions(rows: Vectors) -> Vectors:
    """Unit rows: the service measures cosines."""
    unit: Vectors = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return unit
