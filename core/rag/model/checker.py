"""The checker by a chat model: which sentences the passages don't support, and what is missing, in one call."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answers import Check, SentenceCheck
from core.asserting import asserts
from core.claims import Claim, claims
from core.documents import Passage
from core.history import shortened
from core.ports import ChatModel
from core.rag.model.forms import Checked
from core.rag.prompts.checking import check_request
from core.wording import without_fixed

SUPPORTED, NOT_SUPPORTED = 0.9, 0.1
"""What a yes and a no are worth where a probability is asked for."""

MISSING_CHARACTERS = 200
_COPIED = 5
"""Words in a row that make a phrase the passage's and not the checker's."""


class ModelChecker:
    """Implements `core.ports.Checker`.

    A model that fails or gives no usable value raises, and the graph goes on without a check: the answer is
    then `unchecked`, neither supported nor written again. The same holds for a verdict on sentences that don't
    exist: it comes back as an empty `Check`.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def check(self, question: str, answer: str, passages: Sequence[Passage]) -> Check:
        """Support of each sentence; fixed sentences of ours claim nothing and are passed over."""
        said = [claim for claim in claims(without_fixed(answer)) if asserts(claim.text)]
        if not said:
            return Check(useful=False)
        request = check_request(question, said, _cited(said, passages))
        form = (await self._model.structured(request, Checked)).value
        failed = {number for number in form.unsupported if 1 <= number <= len(said)}
        if form.unsupported and not failed:
            return Check()
        checks = tuple(
            SentenceCheck(claim.text, NOT_SUPPORTED if number in failed else SUPPORTED)
            for number, claim in enumerate(said, start=1)
        )
        missing = "" if form.useful else own_words(form.missing, question, passages)
        return Check(checks, not failed, form.useful, missing)


def _cited(said: Sequence[Claim], passages: Sequence[Passage]) -> list[tuple[int, Passage]]:
    """The passages that the answer cites, by their numbers; all where a sentence cites none that exists."""
    named = [{n for n in claim.numbers if n <= len(passages)} for claim in said]
    cited = set.union(*named) if all(named) else set(range(1, len(passages) + 1))
    return [(n, passage) for n, passage in enumerate(passages, start=1) if n in cited]


def own_words(missing: str, question: str, passages: Sequence[Passage]) -> str:
    """What is missing, unless it is copied: a web query is made of it, and that carries no passage text.

    Copied are five words in a row, and numbers, addresses or names with digits that the question doesn't hold.
    """
    words = " ".join(missing.split()).casefold().split(" ")
    texts = [" ".join(passage.text.split()).casefold() for passage in passages]
    runs = (" ".join(words[at : at + _COPIED]) for at in range(len(words) - _COPIED + 1))
    if any(run in text for run in runs for text in texts):
        return ""
    asked = question.casefold()
    foreign = [word for word in words if re.search(r"\d|[@/\\]", word) and word.strip(".,;:()") not in asked]
    kept = [word for word in missing.split() if word.casefold() not in foreign]
    return shortened(" ".join(kept), MISSING_CHARACTERS)
