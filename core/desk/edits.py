"""What people do to a question after they asked it: edit it, delete it, stop its answer."""

from __future__ import annotations

from dataclasses import dataclass

from core.desk.hear import Complete, Heard, Hearing, question_of
from core.desk.interrupts import Interrupts
from core.messages import Accepted, Ignore, Message, Turn
from core.ports import ReplyFactory, TurnEdits, TurnStops, TurnSweep


@dataclass(frozen=True, slots=True)
class Editing:
    """The use cases over one record; `interrupts` reaches the runs of this process at once."""

    edits: TurnEdits
    stops: TurnStops
    replies: ReplyFactory
    interrupts: Interrupts
    sweep: TurnSweep | None = None

    async def revise(self, message: Message, hearing: Hearing, complete: Complete | None = None) -> Heard:
        """The message was edited: the same answer is written anew. One that now names us is heard like a new one.

        An edit that leaves the words as they were (a preview, a reaction, formatting) is none. Raises InputError.
        """
        stored = await self.edits.identified(message.key.platform, message.key.workspace, message.identity)
        if stored is None:
            named = message.mentions_us
            return await hearing.hear(message, complete) if named else Ignore("edit of a message that is not ours")
        if stored.author.id != message.author.id:
            return Ignore("edited by somebody else")
        whole = await complete(message) if complete else message
        revised = await self.edits.revise(stored.id, question_of(whole.text))
        if revised is None:
            return Ignore("nothing changed")
        self.interrupts.recheck(stored.id)
        return Accepted(revised)

    async def withdraw(self, platform: str, workspace: str, identity: str) -> Turn | None:
        """The message was deleted: its words are forgotten and its answer is taken down. None: it was not ours."""
        stored = await self.edits.identified(platform, workspace, identity)
        gone = await self.edits.withdraw(stored.id) if stored else None
        if stored is None or gone is None:
            return None
        self.interrupts.recheck(gone.id)
        # Who is at it takes it down too, but it may just have ended after its last look; twice does no harm.
        reply = await self.replies.open(gone)
        await reply.finish("withdrawn")
        return gone

    async def stop(self, turn_id: str) -> bool:
        """End the run with what it has; False when it had ended."""
        return self.interrupts.stop(turn_id) or await self.stops.stop(turn_id)

    async def leave(self, platform: str, workspace: str) -> int:
        """Nobody can be answered in a workspace any more: its open turns end without a word; how many there were."""
        ids = await self.sweep.unfinished(platform, workspace) if self.sweep else ()
        for id in ids:
            await self.edits.withdraw(id)
            self.interrupts.recheck(id)
        return len(ids)
