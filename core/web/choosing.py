"""Which passages of one long page are worth grading: those that hold the rare words of what was searched for. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from core.documents import Passage
from core.retrieval.analysis import BigramAnalyzer

SNIPPET_WEIGHT = 0.5
"""A word of the service's own excerpt counts half as much as one of the query."""

EXCERPT = 2000
"""Characters of the excerpt that are looked at."""


def best(passages: Sequence[Passage], query: str, snippet: str, count: int) -> list[Passage]:
    """The `count` most telling passages, best first; of equals the earlier."""
    analyzer = BigramAnalyzer()
    tokens = [frozenset(analyzer.tokens(each.headed_text)) for each in passages]
    weights = dict.fromkeys(analyzer.tokens(snippet[:EXCERPT]), SNIPPET_WEIGHT)
    weights |= dict.fromkeys(analyzer.tokens(query), 1.0)
    spread = Counter(token for held in tokens for token in held if token in weights)
    rarity = {token: math.log(1 + len(passages) / spread[token]) for token in spread}

    def telling(place: int) -> float:
        return sum(weights[token] * rarity[token] for token in tokens[place] if token in weights)

    order = sorted(range(len(passages)), key=lambda place: (-telling(place), place))
    return [passages[place] for place in order[:count]]
