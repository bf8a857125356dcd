"""Which wordings of a model may be searched or asked in a person's name: pure rules.

A rewriter may answer, translate, invent a number or refuse. None of that is a question; the asker's own
wording is always at hand and takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.indexing.text import sentences
from core.markers import markers

_ANSWERING = re.compile(
    r"\W*(?:i(?:'|’)?m sorry|i am sorry|sorry\b|i can(?:no|'|’)t|i can not|i (?:do not|don['’]t) |as an ai\b"
    r"|according to the (?:passage|document|context)|based on the (?:passage|document|context)|the answer is\b"
    r"|(?:yes|no|sure|certainly|of course)[,.!]"
    r"|죄송|네[,.]|예[,.]|아니[요오][,.]|답변[은:]|정답|문서에 (?:따르면|의하면))",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*", re.ASCII)
_SCRIPTS = (
    re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]"),  # Hangul
    re.compile("[\u3040-\u30ff]"),  # kana
    re.compile("[\u3400-\u9fff]"),  # Han
    re.compile("[\u0400-\u04ff]"),  # Cyrillic
    re.compile("[\u0600-\u06ff]"),  # Arabic
    re.compile("[A-Za-z]"),
)
_LATIN = len(_SCRIPTS) - 1


def acceptable(text: str, asked: str, given: Iterable[str]) -> bool:
    """Whether `text` may stand for `asked`: its language, no new numbers, not an answer.

    `given` is everything that the model was told: numbers may come from there.
    """
    if not re.search(r"\w", text) or "://" in text.replace("://", "", asked.count("://")):
        return False
    return same_language(text, asked) and not answers(text, asked) and not _new_numbers(text, [asked, *given])


def answers(text: str, asked: str) -> bool:
    """Whether the text reads as an answer or a refusal: by its opening, a footnote, or its length."""
    if _ANSWERING.match(text) and not _ANSWERING.match(asked):
        return True
    if any(markers(text)) and not any(markers(asked)):
        return True
    return len(sentences(text)) > max(2, len(sentences(asked)) + 1) or len(text) > 2 * len(asked) + 250


def ends_as_statement(text: str, asked: str) -> bool:
    """Whether a question has become a statement."""
    return asked.rstrip().endswith(("?", "？")) and text.rstrip().endswith((".", "。", "!"))


def same_language(text: str, asked: str) -> bool:
    """By scripts: a question with Hangul keeps some and gains no other; one in Latin letters stays mostly that.

    A name from the conversation may be in any script, so a few letters change no language.
    """
    before = {number for number, script in enumerate(_SCRIPTS) if script.search(asked)}
    counts = [len(script.findall(text)) for script in _SCRIPTS]
    own = before - {_LATIN}
    if own:
        return any(counts[number] for number in own) and not any(
            count for number, count in enumerate(counts) if number not in (*before, _LATIN)
        )
    return not before or counts[_LATIN] > sum(counts) - counts[_LATIN]


def _new_numbers(text: str, given: Iterable[str]) -> bool:
    """A number of two or more digits that nobody has named is an invented fact."""
    known = {number for each in given for number in _parts(each)}
    return any(number not in known for number in _parts(text) if len(number) > 1)


def _parts(text: str) -> set[str]:
    return {part for number in _NUMBER.findall(text) for part in (number, *re.split("[.,:]", number))}
