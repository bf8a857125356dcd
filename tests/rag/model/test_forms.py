"""The forms that models fill in: strict to ask for, tolerant to read."""

from __future__ import annotations

import pytest

from core.rag.model.forms import Checked, Form, Graded, Routed, Understood


@pytest.mark.parametrize("form", [Routed, Understood, Graded, Checked])
def test_a_schema_is_one_that_strict_servers_take(form: type[Form]) -> None:
    schema = form.model_json_schema()
    assert schema["required"] == list(schema["properties"])
    assert schema["additionalProperties"] is False
    assert "default" not in str(schema)


def test_the_question_comes_before_the_route_that_follows_from_it() -> None:
    assert list(Understood.model_json_schema()["properties"])[:2] == ["question", "route"]


@pytest.mark.parametrize(
    ("said", "read"),
    [(0.9, 0.9), ("0.9", 0.9), (90, 0.9), ("85%", 0.85), ("high", 0.9), (1, 1.0), (-3, 0.0), ("?", 0.0)],
)
def test_certainty_is_read_in_the_forms_that_models_use(said: object, read: float) -> None:
    assert Routed.model_validate({"route": ["a"], "sure": said}).sure == pytest.approx(read)


def test_a_model_that_says_nothing_of_its_certainty_is_believed() -> None:
    assert Routed.model_validate({"route": ["a"]}).sure == 0.5
