"""Who reads along decides what is read: people from outside see what is marked for them, and nothing of the rest."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from adapters.sql.settings import SqlSettings
from core.channels import Setting
from tests.slack.conftest import Opens
from tests.slack.town import LEAVE, Town, collections
from tests.slack.voices import doubtful, speaking

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAVE_ASKED, PRICE_ASKED, PRICE = "how many days of annual leave?", "what does the Pro plan cost?", "40 euros a month"


async def kept_from(town: Town, question: Any, **more: Any) -> str:
    """What was answered and what the models were told; nothing internal is in either."""
    answer = await town.answered(question, **more)
    assert LEAVE not in answer.words + town.heard()
    assert "Annual leave" not in answer.words + town.heard()
    return answer.words


async def test_a_channel_shared_with_another_organisation_reads_what_is_marked_for_outside(town: Town) -> None:
    other = town.slack.add_workspace("Other", None)
    shared = town.slack.channel("with-other")
    town.slack.share(shared, other)
    eve = town.slack.user("Eve", other)
    await kept_from(town, town.ask(LEAVE_ASKED, channel=shared, user=eve))
    assert PRICE in await kept_from(town, town.ask(PRICE_ASKED, channel=shared, user=eve))
    await kept_from(town, town.ask(LEAVE_ASKED, channel=shared))  # also when one of us asks there


@pytest.mark.parametrize("guest", [1, 2])
async def test_guests_read_what_is_marked_for_outside(town: Town, guest: int) -> None:
    gil = town.slack.user("Gil", guest=guest)
    await kept_from(town, town.ask(LEAVE_ASKED, user=gil))
    direct = town.slack.say(town.slack.dm(gil), gil, PRICE_ASKED)
    await town.slack.until(lambda: PRICE in "".join(each.words for each in town.slack.bot_messages(town.slack.dm(gil))))
    assert direct.thread_ts is None


@pytest.mark.parametrize("guest", [1, 2])
async def test_where_a_guest_reads_along_members_are_answered_from_what_is_marked_for_outside(
    town: Town, guest: int
) -> None:
    gil = town.slack.user("Gil", guest=guest)
    town.slack.join(town.general, gil)
    await town.slack.until(lambda: town.slack.called("users.info", user=gil.id))
    await kept_from(town, town.ask(LEAVE_ASKED))
    assert PRICE in await kept_from(town, town.ask(PRICE_ASKED))
    elsewhere = town.slack.channel("elsewhere")
    assert LEAVE in (await town.answered(town.ask(LEAVE_ASKED, channel=elsewhere))).words


@pytest.mark.parametrize(
    ("asked", "said"), [(LEAVE_ASKED, "from outside read along"), ("연차는 며칠이야?", "외부 사람")]
)
async def test_where_nothing_is_marked_for_outside_people_are_told_who_reads_along(
    opens: Opens, home: Any, asked: str, said: str
) -> None:
    internal = [each for each in collections(home.folder) if each["name"] != "public"]
    async with opens(collections=internal) as town:
        gil = town.slack.user("Gil", guest=2)
        town.slack.join(town.general, gil)
        await town.slack.until(lambda: town.slack.called("users.info", user=gil.id))
        words = await kept_from(town, town.ask(asked))
        assert said in words
        assert "handbook" not in words


@pytest.mark.parametrize("scope", ["users:read", "channels:read"])
async def test_where_nobody_can_tell_who_reads_it_is_as_if_from_outside(town: Town, scope: str) -> None:
    install = town.slack.world.installed(town.ana.workspace)
    assert install is not None
    install.scopes.discard(scope)
    await kept_from(town, town.ask(LEAVE_ASKED))


async def set_mode(town: Town, mode: str) -> None:
    """As an admin says it in the channel."""
    place = f"slack/{town.ana.workspace}/{town.general.id}"
    await SqlSettings(town.service.base.database).put(Setting(place, "mode", (mode,), "slack/T/U", datetime.now(UTC)))


async def test_in_auto_mode_a_question_that_nobody_put_to_us_is_answered_when_it_is_certain(town: Town) -> None:
    await set_mode(town, "auto")
    asked = town.slack.say(town.general, town.ana, LEAVE_ASKED)
    assert LEAVE in (await town.answered(asked)).words
    assert not town.slack.called("assistant.threads.setStatus")


async def test_in_auto_mode_what_is_not_certain_is_kept_quiet(opens: Opens) -> None:
    async with opens(models=speaking(doubtful)) as town:
        await set_mode(town, "auto")
        asked = town.slack.say(town.general, town.ana, LEAVE_ASKED)
        talk = town.slack.say(town.general, town.ana, "Good morning everybody.")
        assert (await town.ended(asked)).status == "kept_quiet"
        await town.calm(0.2)
        assert await town.turn_of(talk) is None
        assert town.slack.signs == []
        assert town.slack.bot_messages(town.general) == []


async def test_in_mention_mode_follow_ups_need_a_mention(town: Town) -> None:
    await set_mode(town, "mention")
    asked = town.ask(LEAVE_ASKED)
    await town.answered(asked)
    more = town.slack.say(town.general, town.ana, PRICE_ASKED, thread_ts=asked)
    await town.calm()
    assert await town.turn_of(more) is None
    assert PRICE in (await town.answered(town.ask(PRICE_ASKED, thread_ts=asked))).words
