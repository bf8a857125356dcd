"""The wordings under which one question is searched, and what each must find verbatim. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from core.retrieval.analysis import identifiers
from core.retrieval.language import question_language
from core.retrieval.politeness import plainly

_FORMS = 4
_CHARACTERS = 1000


@dataclass(frozen=True, slots=True)
class QueryForm:
    """One wording of the question, and what it names letter by letter."""

    text: str
    language: str
    identifiers: tuple[str, ...]


def query_forms(queries: Sequence[str]) -> tuple[QueryForm, ...]:
    """The different wordings in the order given (the standalone question first), at most four, each cut to length.

    All of them are searched and fused, so that a bad rewrite can't lose what the user's own words find.
    """
    different: dict[str, str] = {}
    for query in queries:
        text = plainly(" ".join(unicodedata.normalize("NFC", query).split())[:_CHARACTERS])
        if text:
            different.setdefault(text.casefold(), text)
    return tuple(
        QueryForm(text, question_language(text), identifiers(text)) for text in list(different.values())[:_FORMS]
    )
