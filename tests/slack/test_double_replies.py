"""One answer for one message, whatever Slack, the network and the store do. Rows of the kind “double replies”:

| seen | test |
| --- | --- |
| answers each `http_timeout` retry | test_http_timeout_retries_… |
| a function host replies two to four times; slow models repeat mentions; back-to-back answers | test_a_redelivery_… |
| `message` and `app_mention` both run the model | test_message_and_app_mention_… |
| a message was rejected, yet marked seen | test_marked_seen_only_when_stored_… |
| two apps (workspaces) share an event id | test_a_shared_event_id_… |
| redelivery after the memory of it has run out; an app that restarted | test_a_redelivery_after_a_restart_… |
| draft and final answer both sent; answer in thread and in channel | test_draft_and_final_… |
| two instances after a redeploy | test_processes.py |
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from tests.slack.conftest import Opens
from tests.slack.town import LEAVE, Town, quick
from tests.slack.voices import speaking
from tests.slack_server import Message

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAVE_ASKED = "how many days of annual leave?"


async def test_http_timeout_retries_are_acknowledged_and_nothing_is_answered_twice(opens: Opens) -> None:
    rules = quick(ack_seconds=0.2, retries=(0.0, 0.3, 0.6))
    async with opens(rules, slack={"mode": "http"}, models=speaking(before=0.3)) as town:
        async with town.service.base.database.begin() as record:  # the store is slower than Slack is patient
            await record.execute(text("UPDATE sessions SET quiet = quiet"))
            asked = town.ask(LEAVE_ASKED)
            await asyncio.sleep(0.5)
        await town.answered(asked)
        await town.calm()
        assert any("http_timeout" in each.failures for each in town.slack.deliveries)
        assert len(town.slack.bot_messages(town.general)) == 1


@pytest.mark.parametrize("when", ["at once", "while it is answered", "afterwards"])
@pytest.mark.parametrize("id", ["the same", "a new one"])
async def test_a_redelivery_is_answered_once(opens: Opens, when: str, id: str) -> None:
    async with opens(models=speaking(before=0.3)) as town:
        asked = town.ask(LEAVE_ASKED)
        if when == "while it is answered":
            await town.slack.until(lambda: town.slack.first_sign(asked))
        if when == "afterwards":
            await town.answered(asked)
        for each in list(town.slack.deliveries):
            if each.event.get("ts") == asked.ts:
                town.slack.courier.send(
                    "events_api", {**each.body, **({} if id == "the same" else {"event_id": "Ev9"})}
                )
        assert LEAVE in (await town.answered(asked)).words
        await town.calm(0.4)
        assert len(town.slack.bot_messages(town.general)) == 1


@pytest.mark.parametrize("mention_first", [False, True])
@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_message_and_app_mention_in_either_order_are_one_question(
    opens: Opens, mention_first: bool, mode: str
) -> None:
    async with opens(quick(mention_first=mention_first), slack={"mode": mode}) as town:
        asked = town.ask(LEAVE_ASKED)
        await town.answered(asked)
        await town.calm()
        kinds = [each.event["type"] for each in town.slack.deliveries if each.event.get("ts") == asked.ts]
        assert sorted(kinds) == ["app_mention", "message"]
        assert len(town.slack.bot_messages(town.general)) == 1
        assert len(town.slack.called("chat.startStream")) <= 1


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_marked_seen_only_when_stored_what_a_broken_store_refused_is_answered_when_it_comes_again(
    opens: Opens, mode: str
) -> None:
    async with opens(slack={"mode": mode}, rules=quick(ack_seconds=1.0, retries=(0.0, 0.3, 0.6))) as town:
        await town.told("CREATE TRIGGER broken BEFORE INSERT ON turns BEGIN SELECT RAISE(ABORT, 'broken'); END")
        asked = town.ask(LEAVE_ASKED)
        await town.slack.until(lambda: any(each.failures for each in town.slack.deliveries))
        assert not any(each.acked for each in town.slack.deliveries)
        await town.told("DROP TRIGGER broken")
        assert LEAVE in (await town.answered(asked)).words
        await town.calm()
        assert not any(each.lost for each in town.slack.deliveries)
        assert len(town.slack.bot_messages(town.general)) == 1


async def test_a_shared_event_id_of_two_workspaces_stands_for_two_questions(town: Town) -> None:
    asked = town.ask(LEAVE_ASKED)
    await town.answered(asked)
    other = town.slack.add_workspace("Other")
    room, eve = town.slack.channel("general", workspace=other), town.slack.user("Eve", other)
    room.members.add(eve.id)
    theirs = room.messages[asked.ts] = Message(room.id, asked.ts, eve.id, asked.text, team=other.id)
    first = next(each for each in town.slack.deliveries if each.event.get("ts") == asked.ts)
    us = town.slack.bot_of(other)
    theirs.text = f"{us} {LEAVE_ASKED}"
    event = {**first.event, "channel": room.id, "user": eve.id, "text": theirs.text, "team": other.id}
    who: dict[str, Any] = {"team_id": other.id, "authorizations": [{"team_id": other.id, "user_id": us.id}]}
    town.slack.courier.send("events_api", {**first.body, **who, "event": event})
    await town.slack.until(lambda: town.slack.bot_messages(room))
    assert len(town.slack.bot_messages(town.general)) == 1


async def test_a_redelivery_after_a_restart_is_answered_once(opens: Opens, home: Any, tmp_path: Path) -> None:
    from contextlib import AsyncExitStack

    from bots.slack_connection import connected
    from tests.slack.town import opened_service_at

    async with opens() as town:
        asked = town.ask(LEAVE_ASKED)
        await town.answered(asked)
        settings = town.service.base.settings
        town.slack.sockets.drop()  # the first process is gone as far as Slack can see
        async with AsyncExitStack() as stack:
            again = await opened_service_at(stack, home, settings, town.slack, speaking())
            await stack.enter_async_context(connected(again))
            for each in list(town.slack.deliveries):
                town.slack.courier.send("events_api", each.body)
            await town.calm(0.5)
        assert len(town.slack.bot_messages(town.general)) == 1


@pytest.mark.parametrize("streams", [frozenset({"public"}), frozenset[str]()])
async def test_draft_and_final_answer_are_one_message_in_one_place(opens: Opens, streams: frozenset[str]) -> None:
    async with opens(quick(streams_in=streams), models=speaking(between=0.25)) as town:
        asked = town.ask(LEAVE_ASKED)
        answer = await town.answered(asked)
        await town.calm()
        assert len(answer.versions) > 1
        assert [each.ts for each in town.slack.bot_messages(town.general)] == [answer.ts]
        assert answer.thread_ts == asked.ts
