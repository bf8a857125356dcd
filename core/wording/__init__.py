"""Every fixed sentence that people see, in Korean and English.

A sentence is looked up by key and filled with named fields; which language it is spoken in is
decided by the question. Nothing else in the project may hold a sentence for people; the tables stand
in the files beside this one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.wording import answers, chat, commands, documents, errors, operating, upkeep, why

if TYPE_CHECKING:
    from core.messages import Language

_TABLES = (
    errors.SENTENCES,
    documents.SENTENCES,
    answers.SENTENCES,
    why.SENTENCES,
    upkeep.SENTENCES,
    operating.SENTENCES,
    chat.SENTENCES,
    commands.SENTENCES,
)

SENTENCES: dict[str, dict[str, str]] = {key: said for table in _TABLES for key, said in table.items()}


def say(key: str, language: Language, **fields: object) -> str:
    """The sentence for `key` in `language`, filled with `fields`.

    Raises KeyError for an unknown key: that is a bug, and a test finds it.
    """
    return SENTENCES[key][language].format(**fields)


def without_fixed(text: str) -> str:
    """An answer without the lines that are our own sentences, in either language: what a writer claims."""
    own = [
        _pattern(sentence) for key, each in SENTENCES.items() if key.startswith("answer.") for sentence in each.values()
    ]
    return "\n".join(line for line in text.split("\n") if not any(each.fullmatch(line.strip()) for each in own))


def _pattern(sentence: str) -> re.Pattern[str]:
    """The sentence with anything in the place of its fields."""
    return re.compile(".+".join(re.escape(part) for part in re.split(r"\{\w+\}", sentence)))
