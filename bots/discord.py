"""Discord's events, commands and buttons, one line each. What they do stands in `adapters.discord`, and in `core.desk`.

The first thing that a handler awaits is the hearing: Discord tells of an event once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import discord
    from discord import app_commands

    from bots.compose.discord import DiscordEars


def register(
    client: discord.AutoShardedClient, tree: app_commands.CommandTree[Any], ears: DiscordEars, pressed: type[Any]
) -> None:
    """Everything that Discord tells us."""

    @client.event
    async def on_message(message: discord.Message) -> None:
        await ears.hearing.said(message)
        ears.pulse.heard()

    @client.event
    async def on_raw_message_edit(event: discord.RawMessageUpdateEvent) -> None:
        await ears.hearing.edited(event)

    @client.event
    async def on_raw_message_delete(event: discord.RawMessageDeleteEvent) -> None:
        await ears.hearing.deleted(event)

    @client.event
    async def on_raw_bulk_message_delete(event: discord.RawBulkMessageDeleteEvent) -> None:
        await ears.hearing.purged(event)

    @client.event
    async def on_interaction(interaction: discord.Interaction) -> None:
        await ears.buttons.submitted(interaction)

    client.add_dynamic_items(pressed)
    for command in ears.menu.commands():
        tree.add_command(command)
    _register_servers(client, ears)
    _register_connections(client, ears)


def _register_servers(client: discord.AutoShardedClient, ears: DiscordEars) -> None:
    """Where we are."""

    @client.event
    async def on_guild_join(guild: discord.Guild) -> None:
        await ears.welcome.joined(guild)

    @client.event
    async def on_guild_remove(guild: discord.Guild) -> None:
        await ears.hearing.left(guild)


def _register_connections(client: discord.AutoShardedClient, ears: DiscordEars) -> None:
    """Since when, and what was missed before."""

    def up() -> None:
        """With one of several connections missing we are not."""
        if client.is_ready() and not any(shard.is_closed() for shard in client.shards.values()):
            ears.pulse.up()

    @client.event
    async def on_shard_connect(_shard: int) -> None:
        ears.bookmark.connected()

    @client.event
    async def on_ready() -> None:
        up()
        ears.missed.look()

    @client.event
    async def on_shard_ready(_shard: int) -> None:  # of the first time `on_ready` tells, when all are there
        up()
        if client.is_ready():
            ears.missed.look()

    @client.event
    async def on_shard_resumed(_shard: int) -> None:  # Discord has told what was missed
        up()

    @client.event
    async def on_disconnect() -> None:
        ears.pulse.connected = False
