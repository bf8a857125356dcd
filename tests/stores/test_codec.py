"""Values as JSON: all of them come back, also from rows of other versions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.sql import codec
from core.answers import Answer, Citation, Plan, TraceEvent
from core.documents import Card
from core.messages import Audience, Author, ReplyTarget
from tests.stores.values import a_card, a_turn, an_answer

TURN = a_turn("m1")
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
PLAIN = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
DETAILS = st.dictionaries(st.text(max_size=5), PLAIN, max_size=3)
EVENTS = st.builds(TraceEvent, st.text(max_size=9), st.floats(allow_nan=False, allow_infinity=False), DETAILS)


@pytest.mark.parametrize(
    "value",
    [
        an_answer(),
        an_answer().plan,
        TURN.author,
        replace(TURN.audience, user="U1", roles=frozenset({"a", "b"})),
        replace(TURN.target, message_ids=("1", "2"), interaction_expires=datetime(2026, 1, 2, 3, 4, tzinfo=UTC)),
        replace(a_card("hr"), vectors=b"", dates=None),
    ],
)
def test_every_stored_value_comes_back_equal(value: object) -> None:
    assert codec.loads(type(value), codec.dumps(value)) == value


@settings(max_examples=50, deadline=None)
@given(EVENTS)
def test_trace_details_of_any_plain_shape_come_back(event: TraceEvent) -> None:
    assert codec.loads(TraceEvent, codec.dumps(event)) == event


def test_details_that_are_no_json_are_written_all_the_same() -> None:
    detail = {
        "p": np.float32(0.5),
        "n": np.int64(3),
        "day": date(2026, 1, 2),
        "set": {"b", "a"},
        "nan": float("nan"),
        "object": TURN.key,
        3: (1, 2),
        "error": ValueError("kaputt"),
    }
    event = codec.loads(TraceEvent, codec.dumps(TraceEvent("grade", 1.0, detail)))  # type: ignore[arg-type]
    assert event.detail["p"] == 0.5
    assert event.detail["n"] == 3
    assert event.detail["day"] == "2026-01-02"
    assert event.detail["set"] == ["a", "b"]
    assert event.detail["nan"] is None
    assert event.detail["object"]["thread"] == TURN.key.thread
    assert event.detail["3"] == [1, 2]
    assert event.detail["error"] == "kaputt"


def test_a_field_of_a_newer_version_is_ignored() -> None:
    raw = {**json.loads(codec.dumps(TURN.author)), "pronoun": "they", "nested": {"a": [1]}}
    assert codec.loads(Author, json.dumps(raw)) == TURN.author


@pytest.mark.parametrize("kind", [Answer, Plan, Citation, TraceEvent, Card, Author, Audience, ReplyTarget])
def test_a_row_that_lacks_every_field_is_still_read(kind: type) -> None:
    assert isinstance(codec.loads(kind, "{}"), kind)


def test_hangul_stays_readable_in_the_file() -> None:
    assert "휴가" in codec.dumps(an_answer())
    assert codec.loads(Mapping[str, int], codec.dumps({"휴가": 2})) == {"휴가": 2}
