"""What `refdesk check` says of Discord: each thing that is missing, with its remedy, and never a token."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import pytest

from bots.compose.access import opened_counter
from bots.discord_check import discord_lines
from bots.discord_permissions import PERMISSIONS, TO_READ, Permission
from bots.settings import Settings, validated
from core.messages import Language
from core.wording import say
from tests.discord_server.faults import Fault
from tests.discord_server.places import Place
from tests.discord_server.server import DiscordServer
from tests.discord_server.world import Guild


@dataclass
class Scene:
    """A server with two channels: in one it is asked, the other is a collection."""

    server: DiscordServer
    acme: Guild
    asked: Place
    read: Place
    folder: Path

    def settings(self, **more: Any) -> Settings:
        section = {"base_url": self.server.url, "bot_token": self.server.token, **more.pop("discord", {})}
        collections = [
            {
                "name": "pages",
                "source": f"folder:{self.folder}",
                "visibility": {"channels": [f"discord/{self.acme.id}/{self.asked.id}"]},
            },
            {"name": "talk", "source": f"discord:{self.read.id}", "discord": {"token": self.server.token}},
        ]
        return validated({"data_dir": self.folder, "collections": collections, "discord": section, **more}, "scene")

    async def told(self, **more: Any) -> tuple[str, bool]:
        lines, wanting = await discord_lines(self.settings(**more))
        text = "\n".join(lines)
        assert self.server.token not in text
        assert "wrong-token" not in text
        assert self.server.rest.unknown == []
        return text, wanting


@pytest.fixture
async def scene(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Scene]:
    async with DiscordServer(**getattr(request, "param", {})) as server:
        acme = server.world.guild("Acme")
        yield Scene(server, acme, acme.text("general"), acme.forum("answers"), tmp_path)


def flag(permission: Permission) -> str:
    """discord.py's name."""
    return next(name for name, on in discord.Permissions(permission.bit) if on)


async def test_without_discord_there_is_one_line(tmp_path: Path) -> None:
    bare = {"data_dir": tmp_path, "collections": [{"name": "pages", "source": f"folder:{tmp_path}"}]}
    lines = await discord_lines(validated({**bare, "language": "en"}, "bare"))
    assert lines == (["Discord: not configured (DISCORD_BOT_TOKEN is not set)."], False)
    off = {"discord": {"mode": "off", "bot_token": "wrong-token"}, "language": "ko"}
    told, wanting = await discord_lines(validated({**bare, **off}, "bare"))
    assert (len(told), wanting) == (1, False)


async def test_a_bot_that_may_everything_lacks_nothing(scene: Scene) -> None:
    text, wanting = await scene.told(discord={"guilds": (str(scene.acme.id),)})
    assert not wanting
    assert "Message Content Intent is on" in text
    assert "all permissions are there (2)" in text
    assert [call for call in scene.server.calls if call.method != "GET"] == []


@pytest.mark.parametrize("permission", PERMISSIONS, ids=flag)
@pytest.mark.parametrize("language", ["en", "ko"])
async def test_a_permission_that_is_missing_is_named_with_its_channel_and_what_it_is_for(
    scene: Scene, permission: Permission, language: Language
) -> None:
    scene.asked.deny(scene.server.world.bot.id, flag(permission))
    text, wanting = await scene.told(language=language)
    assert wanting
    assert "refdesk discord invite" in text
    assert str(scene.asked.id) in text
    assert str(scene.read.id) not in text
    if permission.name != "View Channels":  # a channel that isn't seen has no name, nor anything else
        assert f"#general ({scene.asked.id})" in text
        assert f"{permission.name}: {say(permission.why, language)}" in text


@pytest.mark.parametrize("permission", PERMISSIONS, ids=flag)
async def test_to_make_a_collection_of_a_channel_reading_is_enough(scene: Scene, permission: Permission) -> None:
    scene.read.deny(scene.acme.id, flag(permission))
    text, wanting = await scene.told()
    assert wanting == (permission in TO_READ)
    assert (str(scene.read.id) in text) == wanting


async def test_a_channel_that_is_set_from_chat_is_looked_at_too(scene: Scene) -> None:
    other, place = scene.acme.text("other"), f"discord/{scene.acme.id}"
    other.deny(scene.server.world.bot.id, "send_messages_in_threads")
    assert not (await scene.told())[1]
    async with opened_counter(scene.settings()) as counter:
        for channel in (f"{place}/{other.id}", f"discord/dm/{other.id}", "slack/T1/C1"):
            await counter.channels.set_mode(counter.inquiry(channel), "auto")
    text, wanting = await scene.told()
    assert wanting
    assert f"#other ({other.id})" in text
    assert "C1" not in text


async def test_what_everybody_lost_a_role_of_the_bot_may_have(scene: Scene) -> None:
    scene.acme.bot_may_not("send_messages")
    assert "Send Messages" in (await scene.told())[0]
    role = scene.acme.role("desks", "send_messages")
    guild = scene.server.backend.get_guild(scene.acme.id)
    guild.members[scene.server.world.bot.id].role_ids.append(role.id)
    assert not (await scene.told())[1]


async def test_an_administrator_needs_no_permission_of_a_channel(scene: Scene) -> None:
    role = scene.acme.role("root", "administrator")
    scene.server.backend.get_guild(scene.acme.id).members[scene.server.world.bot.id].role_ids.append(role.id)
    scene.asked.deny(scene.acme.id, "send_messages")
    assert not (await scene.told())[1]


async def test_a_channel_that_is_gone_is_named(scene: Scene) -> None:
    scene.asked.delete()
    text, wanting = await scene.told()
    assert wanting
    assert f"channel {scene.asked.id}: not there" in text


async def test_a_thread_has_the_rights_of_its_channel(scene: Scene) -> None:
    thread = scene.acme.person("Ana").posts(scene.read, "Q", "Why?")
    named = {"channels": [f"discord/{scene.acme.id}/{thread.id}"]}
    pages = {"name": "pages", "source": f"folder:{scene.folder}", "visibility": named}
    assert not (await scene.told(collections=[pages]))[1]
    scene.read.deny(scene.acme.id, "send_messages_in_threads")
    text, wanting = await scene.told(collections=[pages])
    assert wanting
    assert "Send Messages in Threads" in text


async def test_a_server_without_the_bot_is_named(scene: Scene) -> None:
    text, wanting = await scene.told(discord={"guilds": (str(scene.acme.id), "1029384756102938475")})
    assert wanting
    assert "not on the server 1029384756102938475" in text
    assert str(scene.acme.id) not in text


@pytest.mark.parametrize("scene", [{"content": False}], indirect=True)
async def test_without_the_intent_it_says_what_still_works(scene: Scene) -> None:
    text, wanting = await scene.told()
    assert wanting
    assert f"applications/{scene.server.backend.application_id}/bot" in text
    assert "collections of Discord channels stay empty" in text
    pages = {"collections": [{"name": "pages", "source": f"folder:{scene.folder}"}]}
    assert "message_content = false" in (await scene.told(**pages))[0]
    assert (await scene.told(**pages))[1]
    text, wanting = await scene.told(**pages, discord={"message_content": False})
    assert not wanting
    assert "follow-ups without a mention are not heard" in text


async def test_a_token_that_discord_does_not_know_is_told(scene: Scene) -> None:
    talk = {"name": "talk", "source": f"discord:{scene.read.id}", "discord": {"token_env": "TALK", "token": "x"}}
    text, wanting = await scene.told(discord={"bot_token": "wrong-token"}, collections=[talk])
    assert wanting
    assert "DISCORD_BOT_TOKEN" in text
    assert "TALK" in text


async def test_a_bot_that_only_reads_needs_nothing_of_the_one_that_speaks(scene: Scene) -> None:
    talk = {"name": "talk", "source": f"discord:{scene.read.id}", "discord": {"token": scene.server.token}}
    text, wanting = await scene.told(discord={"bot_token": ""}, collections=[talk])
    assert not wanting
    assert "reads channels for collections" in text


async def test_discord_being_down_is_no_missing_permission(scene: Scene) -> None:
    scene.server.faults.extend(Fault(503) for _ in range(6))
    text, wanting = await scene.told()
    assert wanting
    assert "permission" not in text
