"""What [models] refuses: addresses that lead nowhere or hold a secret, and names that no service could have."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from bots.model_settings import ModelSettings
from bots.settings import validated


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:9/v1",
        "ftp://host/v1",
        "http://host:99999/v1",
        "http://host:0/v1",
        "http://host:port/v1",
        "http://[::1/v1",
        "http://user:secret@host/v1",
        "http://:secret@host/v1",
        "http://host/v1?key=secret",
    ],
)
def test_an_address_that_is_none_or_holds_a_secret_is_refused(url: str) -> None:
    with pytest.raises(ValidationError, match="write it as http://host:port/v1"):
        ModelSettings(large="writer", base_url=url)


@pytest.mark.parametrize("name", ["  ", "writer\n9", "writer\x1b[31m"])
def test_a_name_that_no_model_can_have_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="as the service lists it"):
        ModelSettings(large=name)


def test_what_services_use_is_taken() -> None:
    taken = ModelSettings(large=" my model:8b ", base_url="http://[::1]:11434/v1/")
    assert (taken.large, taken.base_url) == ("my model:8b", "http://[::1]:11434/v1")


@pytest.mark.parametrize(
    ("raw", "ahead"),
    [
        ({"models": {"large": "big"}}, True),
        ({"models": {"large": "big"}, "policy": {"speculate": False}}, False),
        ({"models": {"large": "big", "profile": "model"}}, False),
        ({"models": {"large": "big", "profile": "model"}, "policy": {"speculate": True}}, True),
        ({}, False),
    ],
)
def test_the_fast_profile_begins_answers_ahead_unless_told_otherwise(raw: dict[str, Any], ahead: bool) -> None:
    assert validated(raw, "here").rules.speculate is ahead
