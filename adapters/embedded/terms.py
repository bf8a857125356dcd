"""Tokens as 32-bit codes, so that the lexical list needs no vocabulary shared between processes.

Two tokens of a million share a code about once in ten thousand; a search barely notices.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterable


def code_of(token: str) -> int:
    """The code of one token."""
    return zlib.crc32(token.encode("utf-8", "replace"))


def codes_of(tokens: Iterable[str]) -> list[int]:
    """The codes of tokens, in order."""
    return [code_of(token) for token in tokens]


def folded(text: str) -> str:
    """NFC and case folded: how verbatim comparisons see a text."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
