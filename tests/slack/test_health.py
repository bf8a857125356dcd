"""The health of a running desk in Slack: its stores, its connection, its calls; no collection is named."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from adapters.clock import SystemClock
from adapters.sql.database import Database
from bots.compose.health import watched
from tests.slack.town import PAGES, Town
from tests.slack_server import Refused

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_desk_that_answers_is_well_and_counts_what_it_did(town: Town) -> None:
    pages = watched(town.service)
    await town.answered(town.ask("how many days of annual leave?"))
    await town.calm(0.2)
    found = (await pages.health()).plain()
    assert found["status"] == "ok", found
    assert found["platforms"]["slack"]["last_inbound_seconds"] < 20
    numbers = (await pages.metrics()).decode()
    assert 'refdesk_turns{status="answered"} 1.0' in numbers
    assert "refdesk_turn_seconds_count 1.0" in numbers
    assert 'refdesk_api_calls_total{method="auth.test",outcome="ok",platform="slack"}' in numbers
    told = json.dumps(found) + numbers
    assert not [name for name in {path.partition("/")[0] for path in PAGES} if name in told]


async def test_a_refusal_of_slack_is_counted_by_its_code(town: Town) -> None:
    town.slack.faults.add("assistant.threads.setStatus", Refused("channel_type_not_supported"), times=None)
    await town.answered(town.ask("how many days of annual leave?"))
    numbers = (await watched(town.service).metrics()).decode()
    assert 'method="assistant.threads.setStatus",outcome="channel_type_not_supported"' in numbers


async def test_a_desk_whose_record_is_gone_is_not_well(town: Town) -> None:
    gone = Database(town.service.base.settings.record_url, SystemClock())  # closed, as after an error
    service = replace(town.service, base=replace(town.service.base, database=gone))
    found = (await watched(service).health()).plain()
    assert found["status"] == "failing"
    assert found["index"]["ok"]
