"""What fits into one Slack message: a little less than Slack says, since how it counts is written down nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BLOCKS = 48
"""Slack: 50."""

TOTAL = 12_600
"""Characters over all blocks; messages of more than about 13,200 were refused."""

MARKDOWN = 11_800
"""In all `markdown` blocks of a message together; Slack: 12,000."""

SECTION = 2_900
"""In one line of mrkdwn; Slack: 3,000."""

TEXT = 3_500
"""The text beside the blocks, for notifications; more than about 4,000 is cut anywhere, and an update refuses it."""

BUTTON = 75
BUTTONS = 25
ADDRESS = 2_000
"""A longer address is not linked."""

Block = Mapping[str, Any]


def size(value: Any) -> int:
    """Characters of every text that is shown in blocks."""
    if isinstance(value, list | tuple):
        return sum(map(size, value))
    if not isinstance(value, Mapping):
        return 0
    own = len(value["text"]) if isinstance(value.get("text"), str) else 0
    return own + sum(size(each) for each in value.values() if isinstance(each, list | tuple | Mapping))
