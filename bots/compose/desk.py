"""A desk over a base: who hears, who answers, and where replies go."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapters.clock import SystemClock
from core.ports import Audiences, ReplyFactory, ThreadReader

if TYPE_CHECKING:
    from bots.compose.base import Base
    from core.desk.desk import Desk


def desk_over(
    base: Base,
    replies: ReplyFactory,
    platforms: frozenset[str],
    *,
    reader: ThreadReader | None = None,
    audiences: Audiences | None = None,
    greets: bool = False,
) -> Desk:
    """The desk for these platforms; it runs while it is open.

    One that `greets` stays: it shows a sign of life at once, and takes up what earlier processes were to take down.
    """
    from adapters.sql.sessions import SqlAttendances
    from adapters.sql.turns import SqlTurnEdits
    from core.desk.answer import Answering
    from core.desk.desk import Desk, Work
    from core.desk.edits import Editing
    from core.desk.greeting import Greeter
    from core.desk.hear import Ear, Hearing
    from core.desk.taking_down import TakingDown

    room, edits = replace(base.room, reader=reader, audiences=audiences), SqlTurnEdits(base.database)
    greeter = Greeter(replies, base.settings.language) if greets else None
    work = Work(width=base.settings.at_once, greeter=greeter, platforms=platforms)
    ear = Ear(base.gates.access, SqlAttendances(base.database), SystemClock(), work.owner)
    answering = Answering(base.stores, replies, base.steps, base.shelf, room)
    down = TakingDown(replies, base.stores.record, edits if greets else None)
    editing = Editing(edits, edits, room.interrupts, down, edits)
    return Desk(Hearing(base.stores.queue, ear), answering, base.stores, editing, work)
