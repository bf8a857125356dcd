"""Another wording of a question for the place where it will be searched next; rules only.

It drops and reorders words of the question and of what the check found missing, and adds nothing: no
fact, no answer, no other language.
"""

from __future__ import annotations

import re
from typing import Literal

from adapters.local.cues import content_words
from core.answers import Plan

LIMIT = 400

_FILLER = re.compile(
    r"^\W*(?:(?:hi|hello|hey|please|so|well|ok(?:ay)?)[,\s]+)*(?:(?:can|could|would) you (?:please )?(?:tell|explain"
    r"|show)(?: to)? (?:me|us)"
    r"(?: about)?|(?:please )?(?:tell|show|explain(?: to)?) (?:me|us)(?: about)?|i(?:'d| would) like to know(?:"
    r" about)?|i(?:'m| am) wondering"
    r"|do you know|i want to know(?: about)?)\s+|^\W*(?:혹시|저기|있잖아|안녕하세요)[,\s]+"
    r"|\s*(?:좀 )?(?:알려\s?주세요|알려\s?줘요?|말해\s?줘|설명해\s?줘|설명해\s?주세요|궁금해요?|궁금합니다)[.!?]*$"
    r"|[,\s]+(?:please|thanks|thank you)[.!?]*$",
    re.IGNORECASE,
)
_DATES = re.compile(r"\b(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?\b|\d{1,4}\s?[년월일]|\b\d+(?:\.\d+)+\b")


class LocalRewriter:
    """Implements `core.ports.Rewriter`; starts from the standalone question each time."""

    async def rewrite(self, question: str, plan: Plan, aim: Literal["index", "web"], missing: str) -> str:
        """At most 400 characters, cut at a word, in the language of the question."""
        return _short(_for_web(question, plan, missing) if aim == "web" else _for_index(question, missing))


def _for_index(question: str, missing: str) -> str:
    """The sentence without what only a person needs to hear, and what was missing behind it."""
    bare = " ".join(_FILLER.sub(" ", question).split()) or question
    wanted = [word for word in content_words(missing) if word.lower() not in bare.lower()]
    if wanted:
        return f"{bare} {' '.join(wanted)}"
    words = " ".join(content_words(bare))
    # A second search with the same words would find the same: without anything missing, keywords vary it.
    return bare if bare != question or not words else words


def _for_web(question: str, plan: Plan, missing: str) -> str:
    """Keywords, names and dates; the period's year where the question only implies it."""
    words = [*content_words(question), *_DATES.findall(question), *content_words(missing)]
    if plan.period is not None and plan.period.start.year == plan.period.end.year:
        words.append(str(plan.period.start.year))
    distinct = {word.lower(): word for word in reversed(words)}
    kept = [word for word in dict.fromkeys(words) if distinct.get(word.lower()) == word]
    return " ".join(kept) or question


def _short(text: str) -> str:
    text = " ".join(text.split())
    if len(text) <= LIMIT:
        return text
    head = text[: LIMIT + 1]
    return (head[: head.rfind(" ")] if " " in head else head[:LIMIT]).strip()
