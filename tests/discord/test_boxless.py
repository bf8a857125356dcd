"""Where the bot may not embed, sources are text: all of them, over as many messages as that needs, and only once."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.discord.posts import DiscordPosts
from adapters.discord.rooms import Rooms
from core.answers import Answer, Citation
from core.messages import ReplyTarget
from tests.discord.ground import Ground, opened
from tests.discord_server.server import DiscordServer

CITED = tuple(
    Citation(
        number,
        "docs",
        f"{number}.md",
        f"docs:1:{number}",
        f"Page {number} {'of many ' * 12}",
        link=f"https://d.test/{number}",
    )
    for number in range(1, 41)
)
MANY = Answer("So it is. " * 150, "supported", CITED)
FEW = Answer("Six hours [1].", "supported", CITED[:1])


@pytest.fixture
async def ground(server: DiscordServer) -> AsyncIterator[Ground]:
    """A question where embeds are dropped."""
    async with opened(server) as made:
        made.acme.bot_may_not("embed_links")
        yield made


async def test_no_source_of_many_is_lost_and_buttons_stand_on_the_last(ground: Ground) -> None:
    await (await ground.process().open(ground.turn())).finish(MANY)
    said = ground.ours()
    whole = "\n".join(each.content for each in said)
    assert all(len(each.content) <= 2000 for each in said)
    for each in CITED:
        assert whole.count(f"(<https://d.test/{each.number}>)") == 1
    assert whole.count("So it is.") == 150
    assert [bool(each.components) for each in said] == [False] * (len(said) - 1) + [True]
    assert not any(each.embeds for each in said)
    assert ground.recorded[-1].message_ids == tuple(str(each.id) for each in said)


async def test_a_shorter_answer_takes_the_place_of_all_of_them(ground: Ground) -> None:
    process = ground.process()
    await (await process.open(ground.turn())).finish(MANY)
    await (await process.open(ground.turn(revision=2))).finish(FEW)
    (only,) = ground.ours()
    assert "https://d.test/1>" in only.content
    assert only.components


async def test_a_shared_answer_keeps_its_sources_too(ground: Ground) -> None:
    posts = DiscordPosts(Rooms(ground.client))
    target = ReplyTarget("discord", str(ground.ana.guild), str(ground.general.id), "")
    posted = await posts.post(target, MANY, "0123456789abcdef")
    said = [each for each in ground.general.messages if each.author_id == ground.server.world.bot.id]
    assert posted.message_ids == tuple(str(each.id) for each in said)
    assert sum(each.content.count("(<https://d.test/") for each in said) == len(CITED)
