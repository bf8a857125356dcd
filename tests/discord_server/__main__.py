"""`python -m tests.discord_server [PORT]`: a small Discord on this machine, to try the other side against.

It prints what to write into refdesk.toml and into the environment.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from tests.discord_server.server import DiscordServer
from tests.discord_server.world import World

_POSTS = (
    ("Refunds", "How many working days does a refund take?", "Nine working days after the parcel has come back."),
    ("Certificates", "How often is the gateway certificate rotated?", "Every 47 days, by the platform team."),
    ("Parking", "Where do visitors park?", "On level three of the garage; the barrier opens with the code of the day."),
)


def furnished(world: World) -> tuple[int, int]:
    """A guild with a forum that everybody may read and a channel for few; their ids."""
    acme = world.guild("Acme")
    forum, board = acme.forum("help", ["billing", "solved"]), acme.text("board", hidden_from=[acme.id])
    alice, ben = acme.person("Alice"), acme.person("Ben")
    with world.at(datetime.now(UTC) - timedelta(days=10)):
        for title, question, answer in _POSTS:
            ben.says(alice.posts(forum, title, question, ["solved"]), answer)
        ben.says(alice.opens(alice.says(board, "Whom do we hire?"), "Hiring"), "Nobody before May.")
    return forum.id, board.id


async def serve(port: int) -> None:
    """Until it is interrupted."""
    async with DiscordServer(port=port) as server:
        forum, board = furnished(server.world)
        print(f"export DISCORD_BOT_TOKEN={server.token}")
        print(f'[discord]\nbase_url = "{server.url}"')
        print(f'[[collections]]\nname = "community"\nsource = "discord:{forum},{board}"', flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
