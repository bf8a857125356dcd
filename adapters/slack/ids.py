"""The ids that come back when somebody presses, chooses or sends something of ours.

They must stay what they are: messages outlive versions, and a manifest that was pasted once names the shortcut.
"""

from __future__ import annotations

import re
from typing import Literal

Button = Literal["feedback", "why", "human", "quiet", "share", "direct", "stop", "open", "reindex", "reindex_all"]
Form = Literal["wrong", "ask_about"]
"""`ask_about` is also the shortcut that opens it."""


def id_of(name: Button | Form) -> str:
    """Its id; buttons that open footnotes have a number after it."""
    return f"refdesk_{name}"


ANY_OPEN = re.compile(rf"{id_of('open')}(?:_\d+)?")
"""Of all buttons that open footnotes."""
