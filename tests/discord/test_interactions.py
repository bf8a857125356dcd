"""Commands, buttons and forms of the stand-in: in time, too late, and after the token is gone."""

from __future__ import annotations

import asyncio

import discord
import pytest
from discord import app_commands, ui

from tests.discord.clients import Client, running
from tests.discord_server.server import DiscordServer


class Answering(Client):
    """A client with a command, a menu, a button and a form."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[BaseException] = []
        self.delay = 0.0

        @self.tree.command(description="Ask")
        @app_commands.default_permissions()
        async def reindex(itx: discord.Interaction, collection: str) -> None:
            await itx.response.send_message(collection, ephemeral=True)

        @reindex.autocomplete("collection")
        async def names(itx: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
            found = [name for name in ("handbook", "help") if typed in name]
            return [app_commands.Choice(name=name, value=name) for name in found]

        @self.tree.command(description="Ask")
        async def ask(itx: discord.Interaction, question: str, where: discord.TextChannel | None = None) -> None:
            await asyncio.sleep(self.delay)
            await itx.response.defer(thinking=True, ephemeral=True)
            view = ui.View(timeout=None)
            view.add_item(ui.Button(label="Wrong", custom_id="wrong"))
            await itx.followup.send(f"{question} in {where}", view=view)
            await itx.followup.send("and more", ephemeral=True)

        @self.tree.context_menu(name="Ask about this")
        async def about(itx: discord.Interaction, message: discord.Message) -> None:
            await itx.response.send_message(f"about: {message.content}")

        @self.tree.error
        async def failed(itx: discord.Interaction, error: app_commands.AppCommandError) -> None:
            self.errors.append(getattr(error, "original", error))

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_interaction(self, itx: discord.Interaction) -> None:
        if itx.type is discord.InteractionType.component:
            form = ui.Modal(title="What is right?", custom_id="right")
            form.add_item(ui.TextInput(label="Answer", custom_id="answer"))
            await itx.response.send_modal(form)
        elif itx.type is discord.InteractionType.modal_submit:
            value = itx.data["components"][0]["components"][0]["value"]
            await itx.response.send_message(f"Noted: {value}", ephemeral=True)


async def test_a_deferred_command_is_answered_privately_and_the_button_leads_to_a_form(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    async with running(server, Answering()):
        asked = await alice.slash(general, "ask", question="why?", where=general).answered()
        assert asked.is_private
        assert asked.message.content == "why? in general"
        await server.until(lambda: asked.followups)
        assert asked.followups[0].content == "and more"
        assert general.texts == ["why? in general", "and more"]
        shown = await alice.clicks(asked.message, "wrong").acknowledged()
        thanked = await alice.submits(shown, answer="because").answered()
        assert thanked.message.content == "Noted: because"
        with pytest.raises(LookupError):
            alice.clicks(asked.message, "right")


async def test_menus_complete_and_only_who_may_can_call(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    boss = acme.person("Boss", roles=[acme.role("admin", "administrator")])
    said = alice.says(general, "a claim")
    async with running(server, Answering()):
        chosen = await boss.chooses(said, "Ask about this").answered()
        assert chosen.message.content == "about: a claim"
        offered = await boss.completes(general, "reindex", "collection", "hand").acknowledged()
        assert offered.choices == ["handbook"]
        with pytest.raises(LookupError):
            alice.slash(general, "reindex", collection="handbook")


async def test_after_three_seconds_an_interaction_is_unknown(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    async with running(server, Answering()) as client:
        client.delay = 0.1
        late = alice.slash(general, "ask", question="why?")
        server.clock.advance(3)
        await server.until(lambda: client.errors)
        assert isinstance(client.errors[0], discord.NotFound)
        assert client.errors[0].code == 10062
        assert not late.record.responded


async def test_after_a_quarter_of_an_hour_the_token_is_gone(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    async with running(server, Answering()) as client:
        asked = await alice.slash(general, "ask", question="why?").answered()
        await server.until(lambda: asked.followups)
        server.clock.advance(15 * 60)
        webhook = discord.Webhook.from_state(
            {"id": client.application_id, "type": 3, "token": asked.record.token}, state=client._connection
        )
        with pytest.raises(discord.HTTPException) as caught:
            await webhook.send("late")
        assert (caught.value.status, caught.value.code) == (401, 50027)


async def test_two_hundred_at_once_are_all_answered(server: DiscordServer) -> None:
    """By a clock that stands: how fast this machine is today is not the question."""
    acme = server.world.guild("Acme")
    general, people = acme.text("general"), [acme.person(f"Person {number}") for number in range(20)]
    async with running(server, Answering()):
        with server.world.at(server.clock.now()):
            asked = [people[number % 20].slash(general, "ask", question=str(number)) for number in range(200)]
            await asyncio.gather(*(each.answered(30) for each in asked))
