"""How many tokens a text costs, estimated without any model's tokenizer; pure.

The rule errs upwards: a budget that is kept by it is kept by the tokenizers of today. English text has about
four characters to a token, lists of names and identifiers three and a half: counted are ten ASCII characters
as three tokens. A Hangul syllable is between a half and one and a fifth of a token, depending on the
tokenizer's age: counted, like any other letter outside ASCII, is one.
"""

from __future__ import annotations

import math

_ASCII = 0.3
_OTHER = 1.0


def tokens(text: str) -> int:
    """The estimate for a text; no part of a text costs more than the whole."""
    other = 0 if text.isascii() else sum(character > "\x7f" for character in text)
    return math.ceil(_ASCII * (len(text) - other) + _OTHER * other - 1e-9)
