"""The front desk: everything a person does besides asking, the same on every platform. Put together in `bots`.

Its methods return Markdown in the visitor's language, or values; never more than the visitor may read. What can't be
done is a RefdeskError, whose `user_message` is all that they are told.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.desk.about_answers import AboutAnswers
from core.desk.channel_talk import ChannelTalk
from core.desk.errands import Errands
from core.desk.feedback import Receiving
from core.desk.knowing import Knowing
from core.desk.routing_told import RouterView
from core.desk.share import Sharing
from core.desk.standing_told import Overview
from core.desk.threads import Threads
from core.desk.visitor import Visitor
from core.wording import say


@dataclass(frozen=True, slots=True)
class Front:
    """The use cases, by job."""

    knowing: Knowing
    router: RouterView
    overview: Overview
    errands: Errands
    answers: AboutAnswers
    receiving: Receiving
    sharing: Sharing
    threads: Threads
    channels: ChannelTalk

    async def help(self, visitor: Visitor, command: str) -> str:
        """How to ask, the commands, and questions to begin with."""
        lines = [say("help.how", visitor.language), say("help.commands", visitor.language, command=command)]
        samples = await self.knowing.samples(visitor, 3)
        if samples:
            lines.append("\n".join([say("direct.samples", visitor.language), *(f"- {each}" for each in samples)]))
        return "\n\n".join(lines)
