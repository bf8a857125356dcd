"""The answers where Discord's REST API does more than simcord: one line for each."""

from __future__ import annotations

from tests.discord_server.asking import Answer
from tests.discord_server.asking_application import application, connecting, gateway, guilds
from tests.discord_server.asking_embeds import edited
from tests.discord_server.asking_history import history
from tests.discord_server.asking_interactions import expired, expired_callback
from tests.discord_server.asking_threads import active, archived, begun, changed, closed, sent

ANSWERS = (
    Answer("GET", "/gateway", gateway),
    Answer("GET", "/gateway/bot", connecting),
    Answer("GET", "/applications/@me", application),
    Answer("GET", "/oauth2/applications/@me", application),
    Answer("GET", "/users/@me/guilds", guilds),
    Answer("GET", "/channels/*/messages", history),
    Answer("POST", "/channels/*/messages", sent),
    Answer("POST", "/channels/*/messages/*/threads", begun),
    Answer("PATCH", "/channels/*/messages/*", closed),
    Answer("PATCH", "/channels/*/messages/*", edited),
    Answer("DELETE", "/channels/*/messages/*", closed),
    Answer("PUT", "/channels/*/messages/*/reactions/*/@me", closed),
    Answer("GET", "/guilds/*/threads/active", active),
    Answer("GET", "/channels/*/threads/archived/public", archived),
    Answer("PATCH", "/channels/*", changed),
    Answer("POST", "/interactions/*/*/callback", expired_callback),
    Answer("POST", "/webhooks/*/*", expired),
    Answer("GET", "/webhooks/*/*/messages/*", expired),
    Answer("PATCH", "/webhooks/*/*/messages/*", expired),
    Answer("DELETE", "/webhooks/*/*/messages/*", expired),
)
