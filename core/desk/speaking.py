"""In which language Refdesk speaks to an asker: that of the question, or the desk's where there are no words."""

from __future__ import annotations

import re

from core.indexing.text import language_of
from core.messages import Language

_EMOJI = re.compile(r"<?a?:[\w+'-]+:(?:\d+>)?")


def question_language(text: str, usual: Language = "en") -> Language:
    """Korean for a Korean question, `usual` for one without a word, else English; documents play no part."""
    if not any(map(str.isalpha, _EMOJI.sub("", text))):
        return usual
    return "ko" if language_of(text) == "ko" else "en"
