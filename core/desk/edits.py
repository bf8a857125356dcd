"""What people do to a question after they asked it: edit it, delete it, stop its answer."""

from __future__ import annotations

from dataclasses import dataclass

from core.asking import halts, hushes
from core.desk.hear import Complete, Heard, Hearing, question_of
from core.desk.interrupts import Interrupts
from core.desk.taking_down import TakingDown
from core.errors import InputError
from core.messages import Accepted, Halted, Ignore, Message, Turn
from core.ports import TurnEdits, TurnStops, TurnSweep


@dataclass(frozen=True, slots=True)
class Editing:
    """The use cases over one record; `interrupts` reaches the runs of this process at once."""

    edits: TurnEdits
    stops: TurnStops
    interrupts: Interrupts
    down: TakingDown
    sweep: TurnSweep | None = None

    async def revise(self, message: Message, hearing: Hearing, complete: Complete | None = None) -> Heard:
        """The message was edited: the same answer is written anew. One that now names us is heard like a new one.

        An edit that leaves the words as they were (a preview, a reaction, formatting) is none, unless it names us in a
        question that nobody had put to us. Raises InputError.
        """
        stored = await self.edits.identified(message.key.platform, message.key.workspace, message.identity)
        if stored is None:
            named = message.mentions_us
            return await hearing.hear(message, complete) if named else Ignore("edit of a message that is not ours")
        if stored.author.id != message.author.id:
            return Ignore("edited by somebody else")
        if halts(message.text) or hushes(message.text):
            return Halted(int(await self.stop(stored.id)))
        whole = await complete(message) if complete else message
        try:
            return await self._revised(stored, question_of(whole.text), addressed=message.mentions_us)
        except InputError:
            if not stored.quiet or message.mentions_us:
                raise
            # Nobody put it to us, so nobody is told what is wrong with it.
            await self.withdraw(message.key.platform, message.key.workspace, message.identity)
            return Ignore("no usable question any more")

    async def _revised(self, stored: Turn, question: str, *, addressed: bool) -> Heard:
        revised = await self.edits.revise(stored.id, question, addressed=addressed)
        if revised is None:
            return Ignore("nothing changed")
        self.interrupts.recheck(stored.id)
        return Accepted(revised)

    async def withdraw(self, platform: str, workspace: str, identity: str) -> Turn | None:
        """The message was deleted: its words are forgotten, and its answer is going to be taken down.

        None: it was not ours, or that was known; what of its answer still stands is taken down all the same. One that
        is not known may still come: events come in any order, and are sent again.
        """
        stored = await self.edits.identified(platform, workspace, identity)
        if stored is None:
            await self.edits.take_back(platform, workspace, identity)
            stored = await self.edits.identified(platform, workspace, identity)  # stored meanwhile
        gone = await self.edits.withdraw(stored.id) if stored else None
        if gone is not None:
            self.interrupts.recheck(gone.id)
            # Who is at it takes it down too, but it may just have ended after its last look.
            self.down.begin(gone)
        elif stored is not None and stored.target.message_ids:
            self.down.begin(stored)
        return gone

    def drop(self, turn: Turn) -> None:
        """It was forgotten before its end: nobody is at it any more, and its sign of life goes."""
        self.interrupts.recheck(turn.id)
        self.down.begin(turn)

    async def stop(self, turn_id: str) -> bool:
        """End the run with what it has; False when it had ended."""
        return self.interrupts.stop(turn_id) or await self.stops.stop(turn_id)

    async def halt(self, message: Message) -> Heard:
        """“stop” was said: what its author asked in this thread, or out of one in the channel, ends with what there is.

        Raises InputError when they said it to us and nothing is under way.
        """
        asked = await self.stops.asked_by(message.key, message.author.id, anywhere=not message.in_thread)
        stopped = [id for id in asked if await self.stop(id)]
        if not stopped and (message.mentions_us or message.key.private):
            raise InputError("error.nothing_to_stop")
        return Halted(len(stopped))

    async def leave(self, platform: str, workspace: str) -> int:
        """Nobody can be answered in a workspace any more: its open turns end without a word; how many there were."""
        ids = await self.sweep.unfinished(platform, workspace) if self.sweep else ()
        for id in ids:
            await self.edits.withdraw(id)
            self.interrupts.recheck(id)
        return len(ids)
