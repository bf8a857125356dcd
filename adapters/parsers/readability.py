"""Does extracted text look like writing, or like the debris of a broken text layer? Pure.

A PDF whose fonts carry no map to Unicode gives text of the right length that nobody can read: private
signs, wrong Hangul, letters shifted through the alphabet. Such text must not be indexed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from adapters.parsers.decoding import is_usual_syllable

# The syllables of particles and endings: in real Korean about a quarter of all Hangul.
_EVERYDAY = frozenset("이다는을의가에하로고지한은를도사기서시리어자대인그아있정나일")
# The eight commonest letters: over half of any European text, a third of shifted letters.
_COMMON_LETTERS = frozenset("etaoinsrETAOINSR")
_CODES = re.compile(r"\(cid:\d+\)|/(?:g|G|uni|glyph|cid)\d+")
_MOJIBAKE = re.compile("[ÃÂ][\u0080-¿]|â€|[ìëêí][\u0080-¿Œœ„…†‡‰‹“”•–—˜™š›žŸ€ƒ‚’‘ˆ]")
MOST_ODD = 0.08
MOST_SIGNS = 0.35
# Letters that hardly anybody writes: phonetic ones, Latin beyond the languages that use it, Han of the extensions.
_RARE = re.compile(
    "[\u0250-\u02af\u02b0-\u02ba\u02c0-\u02c5\u0180-\u018e\u0191-\u019f\u01a2-\u01ae\u01b1-\u01cc\u01dd-\u0217\u021c-\u024f\u3400-\u4dbf]"
)
_HAN = re.compile("[\u4e00-\u9fff]")
_USUAL_HAN = ("gb2312", "big5", "shift_jis", "euc_kr")
_ONE_SCRIPT = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "KATAKANA-HIRAGANA": "CJK"}


def is_garbled(text: str) -> bool:
    """Whether the text can't be what its author wrote; False for texts too short to tell."""
    dense = "".join(text.split())
    if len(dense) < 20:
        return False
    odd = sum(map(_is_odd, dense))
    odd += sum(len(match[0]) for match in _CODES.finditer(text)) + 2 * len(_MOJIBAKE.findall(text))
    if odd + len(_RARE.findall(dense)) > MOST_ODD * len(dense):
        return True
    wrong = (_wrong_hangul, _wrong_latin, _wrong_han, _mostly_signs, _mixed_scripts)
    return any(look(dense) for look in wrong)


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


def _wrong_han(dense: str) -> bool:
    """Han that no standard for everyday use holds together: numbers of glyphs taken for characters."""
    han = _HAN.findall(dense)
    return len(han) >= 40 and max(_held(han, name) for name in _USUAL_HAN) < 0.9


def _held(chars: Sequence[str], encoding: str) -> float:
    known = "".join(chars).encode(encoding, "ignore").decode(encoding)
    return len(known) / len(chars)


def _mostly_signs(dense: str) -> bool:
    signs = sum(not char.isascii() and unicodedata.category(char) in {"So", "Sm", "Sk", "No"} for char in dense)
    return len(dense) >= 40 and signs > MOST_SIGNS * len(dense)


def _mixed_scripts(dense: str) -> bool:
    """Whether the scripts change from letter to letter: words are written in one."""
    scripts = [_script(char) for char in dense if char.isalpha() and not char.isascii()]
    changes = sum(one != next_ for one, next_ in pairwise(scripts))
    return len(scripts) >= 40 and len(set(scripts)) >= 4 and changes > 0.25 * len(scripts)


@lru_cache(4096)
def _script(char: str) -> str:
    name = unicodedata.name(char, "").partition(" ")[0]
    return _ONE_SCRIPT.get(name, name)
