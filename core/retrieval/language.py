"""Which language a text is in: Korean, English (any text in Latin letters) or another script's.

Pure counting of letters; never a guess by vocabulary beyond a few function words.
"""

from __future__ import annotations

import re
import unicodedata

_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|https?://\S+", re.DOTALL)
_LETTERS = {
    "ko": re.compile("[\uac00-\ud7a3\u3131-\u318e]"),
    "ja": re.compile("[\u3040-\u30ff]"),
    "zh": re.compile("[\u3400-\u9fff]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "en": re.compile("[A-Za-z\u00c0-\u024f]"),
}
# In a short question these decide: "what does 연차 mean" is English, "helm upgrade 실패" is Korean.
_ENGLISH = re.compile(r"\b(?:what|how|why|when|where|which|who|does|do|is|are|can|the|of|and|to|for)\b", re.IGNORECASE)
# Korean pages about software hold many Latin names: a tenth of Hangul makes a page Korean.
_SHARE = 0.1


def language_of(text: str) -> str:
    """The language of a document's text: `ko`, `ja`, `zh`, `ru`, or `en` for everything in Latin letters."""
    plain = unicodedata.normalize("NFC", text)
    counts = _counts(_FENCE.sub(" ", plain))
    if not any(counts.values()):
        counts = _counts(plain)
    total = sum(counts.values())
    for language in ("ko", "ja", "ru", "zh"):
        if total and counts[language] / total >= _SHARE:
            return language
    return "en"


def question_language(text: str) -> str:
    """The language of a question, where one Hangul word beside code is enough to be Korean."""
    plain = unicodedata.normalize("NFC", text)
    counts = _counts(plain)
    if counts["ko"]:
        return "ko" if counts["ko"] * 2 >= counts["en"] or not _ENGLISH.search(plain) else "en"
    return language_of(plain)


def _counts(text: str) -> dict[str, int]:
    return {language: len(letters.findall(text)) for language, letters in _LETTERS.items()}
