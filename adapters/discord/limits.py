"""What fits into one Discord message; a little less than Discord takes."""

from __future__ import annotations

CONTENT = 1_990
"""Characters of a message's text; Discord: 2,000."""

DESCRIPTION = 3_900
"""Of an embed's text; Discord: 4,096."""

FOOTER = 1_900
"""Under an embed; Discord: 2,048."""

ROW = 5
ROWS = 5
LABEL = 78
"""On a button; Discord: 80."""

NAME = 100
"""Of a thread's name."""

ADDRESS = 1_500
"""A longer address is not linked."""
