"""The keyless support check: do the cited passages say what the answer says, and is the question answered?

A second opinion by words, numbers, names and embeddings; agreement with the sources, never truth. Knows
nothing of who wrote the answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.local.expected import INTERROGATIVE, asked_for, holds
from adapters.local.support import Agreement, compare, share, weight, windows
from core.answers import Check, SentenceCheck
from core.citations import Claim, claims
from core.documents import Passage
from core.indexing.text import language_of
from core.ports import Analyzer, Embedder, Vectors
from core.quoting import bare
from core.sentences import units
from core.wording import without_fixed

VERBATIM = 0.98
NOTHING_CITED = 0.05

# Rounded by hand from a fit on edited English summaries and Korean inference pairs, classes balanced.
BIAS, COSINE, COVER, NUMBER, NAMES, OPPOSITE = -1.5, 0.65, 2.1, -1.9, -0.85, -1.0
# Set by hand: where the words are nearly the same, a negation on one side alone turns the meaning round.
NEGATION, NEARLY_THE_SAME = -1.5, 0.7
# Set by hand: between languages no words are shared; only the meaning and the numbers can be compared.
FOREIGN_BIAS, FOREIGN_COSINE = -2.8, 8.0

# What a useful answer reaches at least; lenient, since a false alarm costs another search. Between
# languages the words of the question can't stand in the answer.
USEFUL, FOREIGN_USEFUL, LACKS_FACT = 0.4, 0.25, 0.15

# Words of a question that ask and name nothing.
_ASKING = re.compile(
    r"(?:much|many|long|often|far|soon|please|tell|show|explain|알려\S*|말해\S*|설명\S*|해줘)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Cited:
    """A passage taken apart."""

    language: str
    bare: str
    sentences: tuple[str, ...]


class LocalChecker:
    """Implements `core.ports.Checker` without a language model."""

    def __init__(self, embedder: Embedder, analyzer: Analyzer) -> None:
        self._embedder = embedder
        self._analyzer = analyzer

    async def check(self, question: str, answer: str, passages: Sequence[Passage]) -> Check:
        """Support for each sentence; fixed sentences of ours claim nothing and are passed over."""
        said = [claim for claim in claims(without_fixed(answer)) if bare(claim.text)]
        if not said:
            return Check(useful=False, grounded=True, missing=" ".join(self._words(question)))
        cited = [_taken_apart(passage) for passage in passages]
        vectors = await self._embedder.embed([claim.text for claim in said], "passage")
        checks = [
            SentenceCheck(claim.text, await self._support(claim, vector, cited))
            for claim, vector in zip(said, vectors, strict=True)
        ]
        useful, missing = await self._useful(question, said, vectors, passages)
        return Check(tuple(checks), all(check.p >= 0.5 for check in checks), useful, missing)

    async def _support(self, claim: Claim, vector: Vectors, cited: Sequence[_Cited]) -> float:
        named = [cited[n - 1] for n in claim.numbers if 1 <= n <= len(cited)] if claim.numbers else list(cited)
        if not named:
            return NOTHING_CITED
        if any(_stands(claim.text, each) for each in named):
            return VERBATIM
        texts = [sentence for each in named for sentence in each.sentences]
        if not texts:
            return NOTHING_CITED
        against = windows(texts, await self._embedder.embed(texts, "passage"), self._analyzer)
        foreign = language_of(claim.text) not in {each.language for each in named}
        return _probability(compare(claim.text, vector, against, self._analyzer), foreign)

    async def _useful(
        self, question: str, said: Sequence[Claim], vectors: Vectors, passages: Sequence[Passage]
    ) -> tuple[bool, str]:
        """Whether the answer speaks of the question and holds the kind of fact it asks for; what it lacks."""
        row = (await self._embedder.embed([question], "query"))[0]
        text = " ".join(claim.text for claim in said)
        numbers = {n for claim in said for n in claim.numbers if 1 <= n <= len(passages)}
        heads = " ".join(" ".join([passages[n - 1].title, *passages[n - 1].heading_path]) for n in sorted(numbers))
        stands = frozenset(self._analyzer.tokens(f"{text} {heads}"))
        cover = share({token: weight(token) for token in self._analyzer.tokens(question)}, stands)
        nearness = float((vectors @ row).max()) + cover
        facts = asked_for(question)
        nearness -= LACKS_FACT if facts and not holds(facts, text) else 0.0
        foreign = bool(numbers) and all(passages[n - 1].language != language_of(question) for n in numbers)
        missing = [word for word in self._words(question) if stands.isdisjoint(self._analyzer.tokens(word))]
        return nearness >= (FOREIGN_USEFUL if foreign else USEFUL), " ".join(missing)

    def _words(self, question: str) -> list[str]:
        """The words of a question that carry its subject."""
        words = [word.strip("?!.,;:'\"“”‘’()") for word in question.split()]
        return [word for word in words if self._analyzer.tokens(word) and not _asks(word)]


def _asks(word: str) -> bool:
    return bool(INTERROGATIVE.search(word) or _ASKING.match(word))


def _taken_apart(passage: Passage) -> _Cited:
    head = " ".join([passage.title, *passage.heading_path])
    return _Cited(passage.language, bare(f"{head} {passage.text}"), tuple(unit.text for unit in units(passage.text)))


def _stands(sentence: str, cited: _Cited) -> bool:
    """Whether the sentence stands in the passage word for word; a row or a shortened one by its pieces."""
    if bare(sentence) in cited.bare or any(bare(sentence) == bare(each) for each in cited.sentences):
        return True
    pieces = [bare(piece) for piece in re.split(r"…|;\s|:\s", sentence)]
    return len(pieces) > 1 and all(piece in cited.bare for piece in pieces)


def _probability(agreement: Agreement, foreign: bool) -> float:
    """The calibrated mixture; a number that stands in no cited passage is a strong no."""
    if foreign:
        score = FOREIGN_BIAS + FOREIGN_COSINE * agreement.cosine
    else:
        score = BIAS + COSINE * agreement.cosine + COVER * agreement.cover + NAMES * agreement.names_missing
        score += OPPOSITE * agreement.opposite
        score += NEGATION if agreement.negation and agreement.cover >= NEARLY_THE_SAME else 0.0
    score += NUMBER * agreement.number_missing
    return 1.0 / (1.0 + math.exp(-score))
