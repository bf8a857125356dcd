"""A platform that can't be reached at the start is tried again for a while; one that refuses us is not."""

from __future__ import annotations

import logging

import pytest

from adapters.slack.web import SlackRefused
from bots.patience import PAUSES, patiently
from core.errors import ConfigError, RefdeskError, UpstreamError, UpstreamTimeout, UpstreamUnsure


class Start:
    """Fails with these, one after the other, and then succeeds."""

    def __init__(self, *errors: RefdeskError) -> None:
        self.errors = list(errors)
        self.tries = 0

    async def __call__(self) -> str:
        self.tries += 1
        if self.errors:
            raise self.errors.pop(0)
        return "connected"


async def test_what_passes_is_waited_for_and_told(caplog: pytest.LogCaptureFixture) -> None:
    start = Start(UpstreamError(detail="no route"), UpstreamUnsure(), UpstreamTimeout())
    with caplog.at_level(logging.WARNING):
        assert await patiently("Slack", start, (0, 0, 0)) == "connected"
    assert start.tries == 4
    assert [each.getMessage().startswith("Slack can't be reached") for each in caplog.records] == [True] * 3


@pytest.mark.parametrize("error", [SlackRefused("invalid_auth", "auth.test"), ConfigError(where="slack", what="no")])
async def test_a_refusal_ends_the_start_at_once(error: RefdeskError) -> None:
    start = Start(error)
    with pytest.raises(type(error)):
        await patiently("Slack", start, (0, 0, 0))
    assert start.tries == 1


async def test_patience_has_an_end() -> None:
    start = Start(*(UpstreamError() for _ in range(9)))
    with pytest.raises(UpstreamError):
        await patiently("Slack", start, (0, 0, 0))
    assert start.tries == 4
    assert 45 <= sum(PAUSES) <= 75
