"""What tokens cost, in US dollars a million. List prices change: the settings overrule this table."""

from __future__ import annotations

import re
from collections.abc import Mapping

Price = tuple[float, float, float]
"""Input, cached input, output."""

BUILT_IN: Mapping[str, Price] = {
    "gpt-4o": (2.5, 1.25, 10.0),
    "gpt-4o-mini": (0.15, 0.075, 0.6),
    "gpt-4.1": (2.0, 0.5, 8.0),
    "gpt-4.1-mini": (0.4, 0.1, 1.6),
    "gpt-4.1-nano": (0.1, 0.025, 0.4),
    "gpt-5": (1.25, 0.125, 10.0),
    "gpt-5-mini": (0.25, 0.025, 2.0),
    "gpt-5-nano": (0.05, 0.005, 0.4),
    "o4-mini": (1.1, 0.275, 4.4),
    "text-embedding-3-small": (0.02, 0.02, 0.0),
    "text-embedding-3-large": (0.13, 0.13, 0.0),
}

_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")


def price_of(model: str, prices: Mapping[str, Price]) -> Price | None:
    """The price of a model by its name, with or without the date of its release; None when it isn't known."""
    for name in (model, _DATED.sub("", model)):
        for table in (prices, BUILT_IN):
            if name in table:
                return table[name]
    return None


def cost(price: Price | None, tokens: tuple[int, int, int]) -> float | None:
    """Dollars for (input, cached, output) tokens; the cached ones are part of the input."""
    if price is None:
        return None
    fresh, cached, output = max(tokens[0] - tokens[1], 0), tokens[1], tokens[2]
    return (fresh * price[0] + cached * price[1] + output * price[2]) / 1e6
