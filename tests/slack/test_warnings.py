"""What the router's self-test warns of, as admins hear of it in Slack: a direct message, and the status."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import insert

from adapters.sql.schema import self_tests
from bots.compose.front import Platforms, router_warnings
from core.access_commands import Named
from core.catalog.tested import Confusion, SelfTest, Tally
from tests.slack.test_commands import told
from tests.slack.town import Town

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_admin_is_told_directly_and_finds_it_in_the_status_and_nobody_else_does(town: Town) -> None:
    service, root = town.service, town.slack.user("Root", admin=True)
    assert service.slack is not None
    tallies = {name: Tally(10, 3 if name == "handbook" else 10, 10) for name in service.base.targets}
    taken = (Confusion("handbook", "runbooks", 7, ("Travel expenses",)),)
    test = SelfTest(datetime.now(UTC), "local", tallies, Tally(), Tally(), taken, {}, "h")
    row = {"collection": "handbook", "generation": 9, "at": test.at, "test": test}
    async with service.base.database.begin() as record:
        await record.execute(insert(self_tests).values(row))
    platforms = Platforms(service.posts, {}, service.pulses, {"slack": service.slack.directs})
    warnings = router_warnings(service.base, platforms)
    before = len(town.slack.bot_messages(town.general))
    for _ in range(2):
        await replace(warnings, admins=Named(frozenset({root.id}))).look()
    (message,) = town.slack.bot_messages(town.slack.dm(root))
    assert "handbook → runbooks: 7, such as “Travel expenses”" in message.words
    assert len(town.slack.bot_messages(town.general)) == before
    assert "handbook is routed right for" in (await told(town, "status", root)).words
