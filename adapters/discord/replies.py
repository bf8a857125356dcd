"""Opening Discord's replies."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from adapters.discord.insisting import PAUSES
from adapters.discord.own import OwnMessages, Record
from adapters.discord.pace import Pace
from adapters.discord.reply import DiscordReply
from adapters.discord.rooms import Rooms
from core.desk.open_replies import OpenReplies
from core.messages import Language, Turn


@dataclass
class DiscordReplies:
    """The ReplyFactory for Discord. `record` stores where a reply stands; `language` is that of the desk."""

    rooms: Rooms
    record: Record
    pace: Pace = field(default_factory=Pace)
    pauses: tuple[float, ...] = PAUSES
    language: Language = "en"
    _open: OpenReplies[DiscordReply] = field(init=False)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._open = OpenReplies(self._new)

    async def open(self, turn: Turn) -> DiscordReply:
        """The reply of the turn; the same for everybody in this process who is at it."""
        return await self._open.of(turn)

    def let_go(self, turn: Turn) -> None:
        """Nobody here is at this try of the turn any more."""
        self._open.let_go(turn)

    async def close(self) -> None:
        """Nothing is being shown any more; to be called before what they are recorded in is closed."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _new(self, turn: Turn) -> DiscordReply:
        own = OwnMessages(self.rooms, turn, self.record, turn.target, self.pauses)
        return DiscordReply(own, self.pace, self._tasks, self.language)
