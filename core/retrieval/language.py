"""Which language a question is in. Documents are judged by their share of letters; a question is shorter and mixed.

Pure; speaks the same codes as the language of documents: `ko`, `en`, `und`.
"""

from __future__ import annotations

import re
import unicodedata

from core.indexing.text import language_of

_HANGUL = re.compile("[\uac00-\ud7a3\u3131-\u318e]")
_LATIN = re.compile("[A-Za-z]")
# These decide where Hangul is the smaller part: "what does 연차 mean" is English, "helm upgrade 실패" is not.
_ENGLISH = re.compile(r"\b(?:what|how|why|when|where|which|who|does|do|is|are|can|the|of|and|to|for)\b", re.IGNORECASE)


def question_language(text: str) -> str:
    """One Hangul word beside code is enough for Korean; English needs English words around it."""
    plain = unicodedata.normalize("NFC", text)
    hangul = len(_HANGUL.findall(plain))
    if not hangul:
        return language_of(plain)
    return "ko" if 2 * hangul >= len(_LATIN.findall(plain)) or not _ENGLISH.search(plain) else "en"
