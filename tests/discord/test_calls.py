"""What is counted of the calls: kinds and outcomes, never whom they are about nor a token."""

from __future__ import annotations

import pytest

from adapters.discord.calls import kind
from tests.discord.town import Town
from tests.discord_server.faults import Fault
from tests.slack.town import LEAVE


@pytest.mark.parametrize(
    ("method", "path", "counted"),
    [
        ("POST", "/api/v10/channels/1029384756102938475/messages", "POST channels/messages"),
        ("PATCH", "/api/v10/channels/1/messages/2", "PATCH channels/messages"),
        ("POST", "/api/v10/interactions/1/aW50ZXJhY3Rpb246/callback", "POST interactions/callback"),
        ("POST", "/api/v10/webhooks/1/secret", "POST webhooks"),
        ("PATCH", "/api/v10/webhooks/1/secret/messages/@original", "PATCH webhooks/messages/@original"),
        ("PUT", "/api/v10/channels/1/messages/2/reactions/smile/@me", "PUT channels/messages/reactions"),
        ("GET", "/api/v10/guilds/1/audit-logs", "GET guilds/audit-logs"),
    ],
)
def test_a_kind_has_no_ids_and_no_tokens(method: str, path: str, counted: str) -> None:
    assert kind(method, path) == counted


async def test_calls_are_counted_with_their_outcome(town: Town) -> None:
    town.discord.faults.append(Fault(503, method="POST", path="/channels/*/messages"))
    asked = town.ask("how many days of annual leave?")
    assert LEAVE in (await town.answered(asked.id))[0].content
    made = town.service.calls["discord"]
    assert made["POST channels/messages", "503"] == 1
    assert made["POST channels/messages", "ok"] == len(town.ours(asked.id)) == 1
    assert sum(made.values()) == len(town.discord.calls)
