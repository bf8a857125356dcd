"""Discord's permissions as numbers, and what a channel gives and takes of them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

ADMINISTRATOR, VIEW, HISTORY = 1 << 3, 1 << 10, 1 << 16

GETS_WORDS = 1 << 18 | 1 << 19
"""The flags of an application that gets the words of messages which don't call it."""


def overwritten(held: int, overwrites: Sequence[Mapping[str, Any]]) -> int:
    """What is held where a channel has these overwrites, which count alike: what one gives, another does not take."""
    for each in overwrites:
        held &= ~int(each["deny"])
    for each in overwrites:
        held |= int(each["allow"])
    return held
