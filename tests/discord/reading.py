"""What the tests of the source have in common: a source of some channels, and what it gives."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.discord.source.channels import Wanted
from adapters.discord.source.rest import Door, Pace
from adapters.discord.source.threads import DiscordSource
from core.documents import Listing
from tests.discord_server.places import Place
from tests.discord_server.server import DiscordServer

DAY = datetime(2026, 5, 1, 9, tzinfo=UTC)
NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


def source(server: DiscordServer, folder: Path, *places: Place, **changed: Any) -> DiscordSource:
    """A source of these places; `closed` names those that may be read though not everybody may."""
    wanted = Wanted([str(place.id) for place in places], [str(place.id) for place in changed.pop("closed", ())])
    door = Door(changed.pop("token", server.token), server.url)
    made = DiscordSource(wanted, door, folder, pace=Pace(patience=changed.pop("patience", 60.0)), now=lambda: NOW)
    return replace(made, **changed)


async def texts(made: DiscordSource) -> dict[str, str]:
    """The documents by their title."""
    found = {}
    for entry in (await made.list()).entries:
        text = (await made.fetch(entry)).decode()
        found[text.split('"', 2)[1]] = text
    return found


def troubles(listing: Listing) -> list[tuple[str, str]]:
    """What a listing complains of."""
    return [(problem.document, problem.reason) for problem in listing.problems]
