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
    _register_connection(client, ears)


def _register_connection(client: discord.AutoShardedClient, ears: DiscordEars) -> None:
    """Where we are, and since when."""

    @client.event
    async def on_guild_join(guild: discord.Guild) -> None:
        await ears.welcome.joined(guild)

    @client.event
    async def on_ready() -> None:
        ears.pulse.up()
        ears.missed.look()

    @client.event
    async def on_disconnect() -> None:
        ears.pulse.connected = False

    @client.event
    async def on_shard_resumed(shard: int) -> None:
        ears.pulse.up()
        ears.missed.look()
