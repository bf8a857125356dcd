"""What of discord.py this project rests on beyond its documented interface: a release that moves it fails here."""

from __future__ import annotations

import inspect
import logging

import discord
import pytest
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route
from discord.state import ConnectionState
from discord.voice_client import VoiceClient
from yarl import URL

from adapters.discord.client import client, intents, pointed


def test_where_discord_is_can_be_said_by_two_class_attributes() -> None:
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    assert before == ("https://discord.com/api/v10", URL("wss://gateway.discord.gg/"))
    try:
        pointed("http://127.0.0.1:9/api/v10/", "ws://127.0.0.1:9/")
        assert Route("GET", "/users/@me").url == "http://127.0.0.1:9/api/v10/users/@me"
        assert URL("ws://127.0.0.1:9/") == DiscordWebSocket.DEFAULT_GATEWAY
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before
    assert "cls.DEFAULT_GATEWAY" in inspect.getsource(DiscordWebSocket.from_client)


def test_nobody_is_warned_that_we_can_t_speak_aloud(caplog: pytest.LogCaptureFixture) -> None:
    before = VoiceClient.warn_nacl, VoiceClient.warn_dave
    try:
        VoiceClient.warn_nacl = VoiceClient.warn_dave = True  # as in a process that has just begun
        client(words=True)
        assert not VoiceClient.warn_nacl  # it would have warned
        assert caplog.records == []
        logging.getLogger("discord.client").warning("voice will NOT be supported")
        assert len(caplog.records) == 1
    finally:
        VoiceClient.warn_nacl, VoiceClient.warn_dave = before


def test_the_calls_that_need_no_cache_are_there() -> None:
    wanted = {
        HTTPClient.start_thread_with_message: {"channel_id", "message_id", "name", "auto_archive_duration"},
        HTTPClient.send_typing: {"channel_id"},
        HTTPClient.start_private_message: {"user_id"},
        HTTPClient.edit_channel: {"channel_id", "options"},
    }
    for call, names in wanted.items():
        assert names <= set(inspect.signature(call).parameters), call


def test_a_nonce_is_enforced_and_a_view_that_has_ended_is_not_kept() -> None:
    from discord.http import handle_message_parameters

    with handle_message_parameters(content="x", nonce="abc") as made:
        assert made.payload is not None
        assert (made.payload["nonce"], made.payload["enforce_nonce"]) == ("abc", True)
    assert "is_finished" in inspect.getsource(discord.abc.Messageable.send)
    assert "_view_store" in inspect.getsource(ConnectionState)


def test_a_client_calls_nobody_and_hears_what_it_must() -> None:
    made = client(words=False)
    assert made.allowed_mentions is not None
    assert made.allowed_mentions.to_dict() == {"parse": []}
    assert not intents(words=False).message_content
    assert intents(words=True).message_content
    assert not intents(words=True).members
