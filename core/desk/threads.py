"""Conversations as people speak of them: be quiet here, go on here, forget this, forget me, what did I ask.

Forgetting takes turns, answers, footnotes and views out of our record. A session in which nobody else asked goes
whole; in others the person's own turns lose their words, and others keep theirs. An answer that stands in a channel
stays there: it is the channel's, and whoever deletes their question there takes its answer down. What has no answer
yet gets none, and its sign of life goes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.access_answers import may_show
from core.answers import Answer
from core.desk.visitor import Visitor
from core.errors import InputError
from core.messages import Forgotten, SessionKey, Turn
from core.ports import Access, Attendances, Belongings
from core.wording import say

LOOKED_AT = 20
QUOTED = 80


@dataclass(frozen=True, slots=True)
class Past:
    """A question that somebody asked, and its answer as far as they may still read it."""

    turn: Turn
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class Threads:
    """The use cases. `dropped` is told of each turn that was forgotten before its end."""

    attendances: Attendances
    belongings: Belongings
    access: Access
    dropped: Callable[[Turn], None] = lambda turn: None

    async def quiet(self, key: SessionKey, visitor: Visitor, *, quiet: bool = True) -> str:
        """Answer in this thread only when named, or again as the channel's rules say."""
        await self.attendances.hush(key, quiet)
        return say("thread.quiet" if quiet else "thread.loud", visitor.language)

    async def quiet_latest(self, visitor: Visitor, *, quiet: bool = True) -> str:
        """The same for the thread in which they asked last where they are: commands don't say in which thread."""
        turn = await self._latest(visitor, shared=True)
        await self.attendances.hush(turn.key, quiet)
        key = "thread.quiet_about" if quiet else "thread.loud_about"
        return say(key, visitor.language, question=_quoted(turn.question))

    async def forget_latest(self, visitor: Visitor) -> str:
        """What they asked in the thread in which they asked last where they are."""
        turn = await self._latest(visitor, shared=False)
        count = self._counted(await self.belongings.forget_in(turn.key, visitor.person.id))
        return say("thread.forgotten", visitor.language, question=_quoted(turn.question), count=count)

    async def forget_me(self, visitor: Visitor) -> str:
        """Everything that they asked in this workspace."""
        place = visitor.audience
        count = self._counted(await self.belongings.forget(place.platform, place.workspace, visitor.person.id))
        return say("thread.forgotten_me", visitor.language, count=count)

    def _counted(self, forgotten: Forgotten) -> int:
        for turn in forgotten.unended:
            self.dropped(turn)
        return forgotten.count

    async def recent(self, visitor: Visitor, limit: int) -> Sequence[Past]:
        """Their latest questions, newest first; an answer that they may not read any more is left out."""
        place = visitor.audience
        found = await self.belongings.recent(place.platform, place.workspace, visitor.person.id, limit)
        readable = await self.access.readable(place)
        return [
            Past(turn, turn.answer if turn.answer is not None and may_show(turn.answer, readable) else None)
            for turn in found
        ]

    async def _latest(self, visitor: Visitor, *, shared: bool) -> Turn:
        place = visitor.audience
        where = (place.platform, place.workspace, visitor.person.id)
        found = await self.belongings.recent(*where, LOOKED_AT, place.channel)
        turn = next((each for each in found if not (shared and each.key.private)), None)
        if turn is None:
            raise InputError("error.no_thread")
        return turn


def _quoted(question: str) -> str:
    line = " ".join(question.split())
    return line if len(line) <= QUOTED else f"{line[:QUOTED].rstrip()}…"
