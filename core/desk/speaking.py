"""In which language Refdesk speaks to an asker: that of the question."""

from __future__ import annotations

from core.indexing.text import language_of
from core.messages import Language


def question_language(text: str) -> Language:
    """Korean for a Korean question, else English; the documents' language plays no part."""
    return "ko" if language_of(text) == "ko" else "en"
