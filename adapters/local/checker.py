"""The keyless support check: do the cited passages say what the answer says, and is the question answered?

A second opinion by words, numbers, names and embeddings; agreement with the sources, never truth. Knows
nothing of who wrote the answer.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from adapters.local.alignment import WordVectors
from adapters.local.expected import INTERROGATIVE, asked_for, holds
from adapters.local.features import share
from adapters.local.stating import Source, Statement, together, weight
from adapters.local.weighing import NOTHING_CITED, Recent, Weighing, weighed
from core.answers import Check, SentenceCheck
from core.asserting import asserts
from core.claims import Claim, claims
from core.documents import Passage
from core.indexing.text import language_of
from core.ports import Analyzer, Embedder, Vectors
from core.retrieval.politeness import plainly
from core.wording import without_fixed

JOINED = 4
"""Passages cited for one sentence that are also read together: it may take its facts from several."""

# What a useful answer reaches at least; lenient, since a false alarm costs another search. Between
# languages the words of the question can't stand in the answer.
USEFUL, FOREIGN_USEFUL, LACKS_FACT = 0.4, 0.25, 0.15

# Words of a question that ask and name nothing.
_ASKING = re.compile(
    r"(?:much|many|long|often|far|soon|please|tell|show|explain|알려\S*|말해\S*|설명\S*|해줘)$", re.IGNORECASE
)

_Pair = tuple[str, tuple[Passage, ...]]
"""A sentence, and the passages that are to support it, read as one."""


class LocalChecker:
    """Implements `core.ports.Checker` and `core.ports.Attributor` without a language model.

    `words` may be shared with the grader, which has seen the passages' words already.
    """

    def __init__(self, embedder: Embedder, analyzer: Analyzer, words: WordVectors | None = None) -> None:
        self._embedder = embedder
        self._analyzer = analyzer
        self._weighing = Weighing(embedder, analyzer, words)
        self._weighed: Recent[_Pair, float] = Recent(2048)

    async def check(self, question: str, answer: str, passages: Sequence[Passage]) -> Check:
        """Support for each sentence that claims something; our own, greetings and what is not there claim nothing."""
        question = plainly(question)
        said = [claim for claim in claims(without_fixed(answer)) if asserts(claim.text)]
        if not said:
            return Check(useful=False, grounded=True, missing=" ".join(self._words(question)))
        named = [self._named(claim, passages) for claim in said]
        wanted = [[(claim.text, group) for group in groups] for claim, groups in zip(said, named, strict=True)]
        found = await self._weigh([pair for pairs in wanted for pair in pairs])
        checks = tuple(
            SentenceCheck(claim.text, max((found[pair] for pair in pairs), default=NOTHING_CITED))
            for claim, pairs in zip(said, wanted, strict=True)
        )
        useful, missing = await self._useful(question, said, passages)
        return Check(checks, all(check.p >= 0.5 for check in checks), useful, missing)

    async def support(self, sentences: Sequence[str], passages: Sequence[Passage]) -> Vectors:
        """Shape (len(sentences), len(passages)): the probability that each passage alone supports each sentence."""
        pairs = [(sentence, (passage,)) for sentence, passage in product(sentences, passages)]
        found = await self._weigh(pairs)
        table = np.array([found[pair] for pair in pairs], dtype=np.float32)
        return table.reshape(len(sentences), len(passages))

    def _named(self, claim: Claim, passages: Sequence[Passage]) -> list[tuple[Passage, ...]]:
        """What a claim may rest on: each passage that it cites, and all of them as one; any if it cites none."""
        if not claim.numbers:
            return [(passage,) for passage in passages]
        cited = tuple(passages[n - 1] for n in claim.numbers if 1 <= n <= len(passages))
        alone: list[tuple[Passage, ...]] = [(passage,) for passage in cited]
        return [*alone, cited] if 1 < len(cited) <= JOINED else alone

    async def _weigh(self, pairs: Sequence[_Pair]) -> dict[_Pair, float]:
        """The support of each pair; what was weighed a moment ago is remembered."""
        known = {pair: self._weighed[pair] for pair in pairs if pair in self._weighed}
        new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        said = list(dict.fromkeys(sentence for sentence, _ in new))
        cited = list(dict.fromkeys(passage for _, group in new for passage in group))
        statements = dict(zip(said, await self._weighing.statements(said), strict=True))
        sources = dict(zip(cited, await self._weighing.sources(cited), strict=True))
        chances = await asyncio.to_thread(_weighed, new, statements, sources)
        for pair, p in zip(new, chances, strict=True):
            known[pair] = self._weighed[pair] = p
        return known

    async def _useful(self, question: str, said: Sequence[Claim], passages: Sequence[Passage]) -> tuple[bool, str]:
        """Whether the answer speaks of the question and holds the kind of fact it asks for; what it lacks."""
        row = (await self._embedder.embed([question], "query"))[0]
        vectors = await self._embedder.embed([claim.text for claim in said], "passage")
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


def _weighed(
    pairs: Sequence[_Pair], statements: Mapping[str, Statement], sources: Mapping[Passage, Source | None]
) -> list[float]:
    held = [[source for passage in group if (source := sources[passage])] for _, group in pairs]
    return weighed(
        [(statements[said], together(group) if group else None) for (said, _), group in zip(pairs, held, strict=True)]
    )
