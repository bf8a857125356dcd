"""The pure parts: events however they are cut, schemas, values in whatever a model wraps around them."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from adapters.openai.answers import Told
from adapters.openai.events import Events
from adapters.openai.faults import Failure
from adapters.openai.structure import strict, value_of
from tests.openai.asking import VALUE, Grades

TEXTS = st.lists(st.text(max_size=12), max_size=12)
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)
NAMES = st.sampled_from(["choices", "delta", "message", "content", "tool_calls", "function", "arguments", "usage"])
ANSWERS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=12
)


@given(TEXTS, st.lists(st.integers(0, 400), max_size=8), st.sampled_from(["\n\n", "\r\n\r\n", "\n"]))
def test_events_are_whole_wherever_the_bytes_are_cut(texts: list[str], cuts: list[int], end: str) -> None:
    data = "".join(f": ping\nevent: x\ndata: {json.dumps(text, ensure_ascii=False)}{end}" for text in texts)
    raw = f"{data}data: [DONE]{end}".encode("utf-8", "surrogatepass")
    edges = [0, *sorted(min(cut, len(raw)) for cut in cuts), len(raw)]
    events = Events()
    got = [event for a, b in itertools.pairwise(edges) for event in events.feed(raw[a:b])]
    assert (got, events.ended) == (texts, True)


def test_a_last_line_without_its_end_counts_and_what_follows_the_end_does_not() -> None:
    events = Events()
    assert list(events.feed(b"data: 1\n\ndata:2")) + list(events.rest()) == [1, 2]
    events = Events()
    assert list(events.feed(b"data: 1\ndata: [DONE]\ndata: 3\n")) == [1]


@given(ANSWERS)
def test_no_answer_is_too_odd_to_be_read(answer: object) -> None:
    told = Told.of(answer)
    assert isinstance(told.text, str)
    assert isinstance(told.arguments, str)


@given(st.text(max_size=60) | JSON.map(json.dumps))
def test_any_text_is_a_value_or_a_failure(text: str) -> None:
    try:
        value = value_of(Told(text), Grades)
    except Failure as failure:
        assert failure.__cause__ is None  # noqa: PT017
        assert failure.__context__ is None  # noqa: PT017
    else:
        assert isinstance(value, Grades)


@given(st.integers(1, 80))
def test_no_value_is_made_of_one_that_was_cut_off(missing: int) -> None:
    text = json.dumps(VALUE)
    with pytest.raises(Failure):
        value_of(Told(text[: max(len(text) - missing, 0)]), Grades)


def test_a_strict_schema_leads_through_lists_options_and_references() -> None:
    class Part(BaseModel):
        text: str = ""

    class Whole(BaseModel):
        parts: list[Part]
        best: Part | None = None
        first: Part

    made = strict(Whole.model_json_schema())
    assert made["$defs"]["Part"] == {
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
        "additionalProperties": False,
    }
    assert made["properties"]["parts"] == {"type": "array", "items": {"$ref": "#/$defs/Part"}}
    assert made["properties"]["best"] == {"anyOf": [{"$ref": "#/$defs/Part"}, {"type": "null"}]}
    assert made["required"] == ["parts", "best", "first"]
