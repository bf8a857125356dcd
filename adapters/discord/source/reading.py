"""Reading one thread: all of its messages, as the document that they make."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.discord.source.guilds import Payload
from adapters.discord.source.rest import Rest
from adapters.discord.source.visiting import Listed
from adapters.discord.spoken import spoken
from core.indexing.accepting import is_worth
from core.indexing.threads import Conversation

_PAGE = 100


class TooLong(Exception):
    """The thread holds more words than a document may."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads threads of at most `max_bytes`."""

    rest: Rest
    max_bytes: int

    async def read(self, thread: Listed) -> str:
        """The thread as Markdown, empty when it is not worth being found; raises TooLong and Rest's own."""
        messages = await self._messages(thread.id)
        return await asyncio.to_thread(_written, thread, messages)

    async def _messages(self, id_: str) -> list[Payload]:
        """Oldest first."""
        found: list[Payload] = []
        size, after = 0, "0"
        while True:
            page = await self.rest.get(f"/channels/{id_}/messages", limit=_PAGE, after=after)
            page.sort(key=lambda message: int(message["id"]))
            found.extend(page)
            size += sum(len(str(message.get("content") or "").encode("utf-8", "replace")) for message in page)
            if size > self.max_bytes:
                raise TooLong
            if len(page) < _PAGE:
                return found
            after = str(page[-1]["id"])


def _written(thread: Listed, messages: Sequence[Payload]) -> str:
    posts = spoken(messages, thread.guild)
    opening = next((post.said.text for post in posts if post.opens), "")
    if not is_worth(len({post.by for post in posts}), opening):
        return ""
    return Conversation(thread.title, [post.said for post in posts], thread.place, thread.tags).markdown().decode()
