"""The shelf of runs in flight, in the database: a run that is taken up again finds what it had looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import delete, select

from adapters.sql.database import Database
from adapters.sql.schema import run_passages
from core.answers import Retrieved

ABANDONED = timedelta(days=1)
"""A run so old was given up with its turn; what it left is swept away when another run is put down."""


AT_HAND = 256
"""Runs whose passages are kept in memory as well: who wrote them down need not read them back at every step."""


@dataclass(frozen=True, slots=True)
class _Held:
    begun: datetime
    passages: dict[str, Retrieved] = field(default_factory=dict)


class SqlShelf:
    """RunPassages in the database. A run has one owner at a time, so what it put down here is what there is."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._at_hand: OrderedDict[str, _Held] = OrderedDict()

    async def put(self, run: str, retrieved: Sequence[Retrieved]) -> None:
        """Keep these for the run; one that is there already stays as it is."""
        if not retrieved:
            return
        now = self._database.clock.now()
        rows = [
            {"run": run, "passage": each.passage.id, "retrieved": each, "created_at": now}
            for each in {each.passage.id: each for each in reversed(retrieved)}.values()
        ]
        async with self._database.begin() as connection:
            await connection.execute(self._database.insert(run_passages).on_conflict_do_nothing(), rows)
        held = self._held(run).passages
        for each in retrieved:
            held.setdefault(each.passage.id, each)

    async def get(self, run: str, ids: Sequence[str]) -> Sequence[Retrieved]:
        """Those of the ids that the run holds, in the order asked for."""
        held = self._held(run).passages
        missing = [id for id in ids if id not in held]
        if missing:
            held |= {each.passage.id: each for each in await self._read(run, missing)}
        return [held[id] for id in ids if id in held]

    async def drop(self, run: str) -> None:
        """Forget the run, and runs that nobody will take up again."""
        before = self._database.clock.now() - ABANDONED
        for name in [name for name, held in self._at_hand.items() if name == run or held.begun < before]:
            del self._at_hand[name]
        old = run_passages.c.created_at < before
        async with self._database.begin() as connection:
            await connection.execute(delete(run_passages).where((run_passages.c.run == run) | old))

    async def _read(self, run: str, ids: Sequence[str]) -> list[Retrieved]:
        query = select(run_passages.c.retrieved).where(run_passages.c.run == run, run_passages.c.passage.in_(list(ids)))
        async with self._database.begin() as connection:
            return [row.retrieved for row in (await connection.execute(query)).all()]

    def _held(self, run: str) -> _Held:
        """What is at hand of the run, which is the one used last from now on."""
        held = self._at_hand.setdefault(run, _Held(self._database.clock.now()))
        self._at_hand.move_to_end(run)
        while len(self._at_hand) > AT_HAND:
            self._at_hand.popitem(last=False)
        return held
