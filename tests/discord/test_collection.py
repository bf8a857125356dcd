"""Discord's channels as a collection: synced from the stand-in, answered from, cited by link; what is gone is gone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bots.compose import opened
from bots.settings import load
from core.errors import ConfigError
from core.indexing.report import told_all
from tests.bots.test_sources import addresses, asked, counts
from tests.discord_server.faults import Fault
from tests.discord_server.server import DiscordServer

CONFIG = """
[[collections]]
name = "community"
title = "Community help"
source = "discord:{channels}"
[discord]
base_url = "{url}"
"""
REFUNDED = "How many working days does a refund take?"
ROTATED = "How often is the gateway certificate rotated?"


async def test_threads_are_answered_from_and_cited_by_link_and_what_is_deleted_or_closed_is_not(
    server: DiscordServer, tmp_path: Path
) -> None:
    acme = server.world.guild("Acme")
    forum, ops = acme.forum("help", ["billing", "solved"]), acme.text("ops")
    alice, ben = acme.person("Alice"), acme.person("Ben")
    with server.world.at(datetime.now(UTC) - timedelta(days=3)):
        refund = alice.posts(forum, "Refunds", "How many working days does a refund take?", ["billing"])
        ben.says(refund, "A refund is paid out within nine working days after the parcel has come back.")
        server.world.bot.says(refund, "I believe a refund takes fifty working days.")
        certificate = alice.opens(alice.says(ops, "How often is the gateway certificate rotated?"), "Certificates")
        ben.says(certificate, "The gateway certificate is rotated every 47 days by the platform team.")
    path = tmp_path / "refdesk.toml"
    path.write_text(CONFIG.format(channels=f"{forum.id}, {ops.id}", url=server.url), encoding="utf-8")
    settings = load(path, {"REFDESK_DATA_DIR": str(tmp_path / "data"), "DISCORD_BOT_TOKEN": server.token})
    async with opened(settings, quiet=True) as app:
        (first,) = await app.sync(app.names)
        assert counts(first) == (2, 0, 0, 0)
        answer = await asked(app, REFUNDED)
        assert "nine working days" in answer["answer"]
        assert "fifty" not in answer["answer"]
        assert refund.link in {each.partition("#")[0] for each in addresses(answer)}
        assert "47 days" in (await asked(app, ROTATED))["answer"]

        refund.delete()
        ops.deny(acme.id, "view_channel")
        server.faults.extend(Fault(status=500, path=f"/channels/{forum.id}/threads/archived/public") for _ in range(3))
        (second,) = await app.sync(app.names)
        assert counts(second) == (0, 0, 1, 1)  # the list of the forum was not whole: what is missing there may be there
        assert any("#ops" in line and "allow_closed" in line for line in told_all(second.problems, "en"))
        assert "47 days" not in (await asked(app, ROTATED))["answer"]

        (third,) = await app.sync(app.names)
        assert counts(third) == (0, 0, 1, 0)
        assert "nine working days" not in (await asked(app, REFUNDED))["answer"]
    kept = [found for found in (tmp_path / "data").rglob("*") if found.is_file()]
    assert not any(server.token.encode() in found.read_bytes() for found in kept)


def refused(folder: Path, line: str) -> str:
    path = folder / "refdesk.toml"
    path.write_text(f'[[collections]]\nname = "docs"\n{line}\n', encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(path, {})
    return caught.value.user_message("en")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('source = "discord:help"', "Developer Mode"),
        ('source = "discord:123456789012345678,"', "Developer Mode"),
        ('source = "discord:123456789012345678"\n[collections.discord]\ntoken = "x"', "token_env"),
        ('source = "discord:123456789012345678"\n[collections.discord]\nmax_days = 0', "max_days"),
        (
            'source = "discord:123456789012345678"\n[collections.discord]\nallow_closed = ["223456789012345678"]',
            "which the source does not",
        ),
        (
            'source = "discord:123456789012345678"\n[collections.discord]\nallow_closed = ["123456789012345678"]',
            "collections.visibility",
        ),
        (
            'source = "discord:123456789012345678"\n[collections.discord]\nallow_closed = ["123456789012345678"]\n'
            '[collections.visibility]\nworkspaces = ["discord/323456789012345678"]',
            "collections.visibility",
        ),
        ('source = "folder:docs"\n[collections.discord]\nmax_days = 3', "collections.discord"),
        ('source = "folder:docs"\n[discord]\nbase_url = "http://discord.example/api"', "only https"),
        ('source = "folder:docs"\n[discord]\nbase_url = "discord.example"', "https://"),
    ],
)
def test_what_a_discord_source_can_not_be_is_refused_with_the_remedy(tmp_path: Path, line: str, said: str) -> None:
    assert said in refused(tmp_path, line)


def test_a_closed_channel_is_accepted_where_few_may_read_the_collection(tmp_path: Path) -> None:
    path = tmp_path / "refdesk.toml"
    path.write_text(
        '[[collections]]\nname = "staff"\nsource = "discord:123456789012345678"\n'
        '[collections.discord]\nallow_closed = ["123456789012345678"]\n'
        '[collections.visibility]\nroles = ["discord/323456789012345678/423456789012345678"]\n',
        encoding="utf-8",
    )
    (found,) = load(path, {}).collections
    assert found.discord.allow_closed == ("123456789012345678",)
