"""Does extracted text look like writing, or like the debris of a broken text layer? Pure.

A PDF whose fonts carry no map to Unicode gives text of the right length that nobody can read: private
signs, wrong Hangul, letters shifted through the alphabet. Such text must not be indexed.
"""

from __future__ import annotations

import re
import unicodedata

from adapters.parsers.decoding import is_usual_syllable

# The syllables of particles and endings: in real Korean about a quarter of all Hangul.
_EVERYDAY = frozenset("이다는을의가에하로고지한은를도사기서시리어자대인그아있정나일")
# The eight commonest letters: over half of any European text, a third of shifted letters.
_COMMON_LETTERS = frozenset("etaoinsrETAOINSR")
_CODES = re.compile(r"\(cid:\d+\)|/(?:g|G|uni|glyph|cid)\d+")
_MOJIBAKE = re.compile("[ÃÂ][\u0080-¿]|â€|[ìëêí][\u0080-¿Œœ„…†‡‰‹“”•–—˜™š›žŸ€ƒ‚’‘ˆ]")
MOST_ODD = 0.08


def is_garbled(text: str) -> bool:
    """Whether the text can't be what its author wrote; False for texts too short to tell."""
    dense = "".join(text.split())
    if len(dense) < 20:
        return False
    odd = sum(map(_is_odd, dense))
    odd += sum(len(match[0]) for match in _CODES.finditer(text)) + 2 * len(_MOJIBAKE.findall(text))
    return odd > MOST_ODD * len(dense) or _wrong_hangul(dense) or _wrong_latin(dense)


def _is_odd(char: str) -> bool:
    # Private use, unassigned, control, replacement: signs that no one types.
    return char == "\ufffd" or unicodedata.category(char) in {"Co", "Cn", "Cc", "Cs"}


def _wrong_hangul(dense: str) -> bool:
    hangul = [char for char in dense if "가" <= char <= "힣"]
    if len(hangul) < 40:
        return False
    if sum(map(is_usual_syllable, hangul)) < 0.9 * len(hangul):
        return True
    return len(hangul) >= 150 and sum(char in _EVERYDAY for char in hangul) < 0.08 * len(hangul)


def _wrong_latin(dense: str) -> bool:
    letters = [char for char in dense if char.isascii() and char.isalpha()]
    if len(letters) < 200 or len(letters) < len(dense) / 2:
        return False
    return sum(char in _COMMON_LETTERS for char in letters) < 0.36 * len(letters)
