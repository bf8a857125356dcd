"""Where a channel's own collections are searched, and where not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answers import Plan
from core.policy import PRESETS
from core.rag.planning import settled
from tests.rag.stand_ins import Cast


@pytest.mark.parametrize(
    ("named", "defaults", "chosen"),
    [
        ((), (), ("docs", "wiki")),
        ((), ("wiki",), ("wiki",)),
        (("wiki", "docs"), ("wiki",), ("wiki",)),
        (("docs",), ("wiki",), ("docs",)),
        (("gone",), ("wiki",), ("wiki",)),
        (("wiki", "docs"), (), ("wiki", "docs")),
    ],
)
async def test_they_stand_in_for_everything_and_for_nothing_else(
    named: tuple[str, ...], defaults: tuple[str, ...], chosen: tuple[str, ...]
) -> None:
    context = replace(Cast().context(), defaults=defaults)
    assert settled(Plan("How long?", "collections", named), context).collections == chosen


async def test_without_a_router_they_are_what_is_searched() -> None:
    context = replace(Cast().context(policy=PRESETS["chain"]), defaults=("wiki",))
    assert settled(Plan("How long?", "collections", ("docs",)), context).collections == ("wiki",)
