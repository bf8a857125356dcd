"""A text over several messages: they stand in its order, where there are some in their place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from adapters.discord.looks import DiscordMessage, boxless


class Wall(Protocol):
    """Where messages of ours stand."""

    async def replace(self, id: str, message: DiscordMessage) -> bool:
        """Put it in the place of one; False when that is gone or can't be changed any more."""
        ...

    async def post(self, message: DiscordMessage) -> str:
        """Put it behind all others; its id."""
        ...

    async def delete(self, id: str) -> bool:
        """Take one away; False when Discord won't."""
        ...

    async def bare(self) -> bool:
        """Whether embeds are dropped there."""
        ...


async def put_in_order(wall: Wall, messages: Sequence[DiscordMessage], there: Sequence[str]) -> list[str]:
    """These and nothing else are there in the end: the ids. What is replaced goes only when the new ones stand.

    Where embeds are dropped their sources are text, in as many messages as that needs.
    """
    stand = await _put(wall, messages, there)
    replaced = [each for each in there if each not in stand]
    if any(each.sources for each in messages) and await wall.bare():
        first = stand
        stand = await _put(wall, boxless(messages), first)
        replaced += [each for each in first if each not in stand]
    for id in replaced:
        await wall.delete(id)
    return stand


async def _put(wall: Wall, messages: Sequence[DiscordMessage], there: Sequence[str]) -> list[str]:
    """Show them, up to one that loses its sources there; the ids."""
    stand: list[str] = []
    for message in messages:
        old = there[len(stand)] if len(stand) < len(there) else ""
        if old and await wall.replace(old, message):
            stand.append(old)
        else:
            there = ()  # what comes after it would stand before it
            stand.append(await wall.post(message))
        if message.sources and await wall.bare():
            break
    return stand
