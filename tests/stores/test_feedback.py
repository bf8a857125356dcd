"""Feedback and corrections: one view a person, gone with the question; corrections stay."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from core.feedback import Correction, Feedback, Tally
from tests.stores.conftest import Stores
from tests.stores.test_turns import answered
from tests.stores.values import KEY, NOW


async def test_what_somebody_says_again_replaces_what_they_said_before(stores: Stores) -> None:
    turn = await answered(stores, "m1")
    first = Feedback(turn.id, "slack/T1/U1", "up", NOW)
    other = Feedback(turn.id, "slack/T1/U2", "up", NOW)
    await stores.feedback.put(first)
    await stores.feedback.put(other)
    changed = replace(first, thumb="down", comment="그 문서는 옛날 것입니다", at=NOW + timedelta(minutes=1))
    await stores.feedback.put(changed)
    assert list(await stores.feedback.of(turn.id)) == [other, changed]
    assert await stores.feedback.tally(NOW - timedelta(days=7)) == Tally(up=1, down=1)
    assert await stores.feedback.tally(NOW + timedelta(seconds=1)) == Tally(up=0, down=1)


async def test_feedback_on_a_turn_that_is_gone_is_not_kept_and_goes_with_its_session(stores: Stores) -> None:
    await stores.feedback.put(Feedback("unknown", "slack/T1/U1", "up", NOW))
    turn = await answered(stores, "m1")
    await stores.feedback.put(Feedback(turn.id, "slack/T1/U1", "down", NOW))
    await stores.sessions.forget(KEY)
    assert list(await stores.feedback.of(turn.id)) == []
    assert await stores.feedback.tally(NOW - timedelta(days=1)) == Tally()


async def test_a_correction_outlives_its_question_until_it_is_taken_back(stores: Stores) -> None:
    turn = await answered(stores, "m1")
    kept = Correction("c1", turn.question, "연차는 20일입니다.", "slack/T1/U9", NOW, ("hr",), "https://x.slack.com/p1")
    await stores.corrections.put(kept)
    await stores.corrections.put(replace(kept, id="c0", at=NOW - timedelta(days=1), link=None, about=()))
    await stores.sessions.forget(KEY)
    assert [each.id for each in await stores.corrections.all()] == ["c0", "c1"]
    assert (await stores.corrections.all())[1] == kept
    await stores.corrections.put(replace(kept, text="연차는 21일입니다."))
    assert [each.text for each in await stores.corrections.all()][1] == "연차는 21일입니다."
    assert await stores.corrections.remove("c1")
    assert not await stores.corrections.remove("c1")
