"""Counts what one request costs, over all the HTTP requests it takes. Knows the API's usage field, no network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.openai.prices import Price, cost
from core.chat import Request, Usage


class Meter:
    """Adds up; a server that tells no usage is estimated at four bytes a token."""

    def __init__(self, model: str, price: Price | None, most: int | None = None) -> None:
        self._model = model
        self._price = price
        self._most = most
        self._calls = self._input = self._cached = self._output = 0

    @property
    def full(self) -> bool:
        """Whether no further request may be made."""
        return self._most is not None and self._calls >= self._most

    def refused(self) -> None:
        """A request was answered with an error."""
        self._calls += 1

    def answered(self, request: Request, text: str, usage: object) -> None:
        """A request was answered with `text`; `usage` is what the server said about it, if anything."""
        self._calls += 1
        told = usage if isinstance(usage, Mapping) else {}
        self._input += _number(told, "prompt_tokens") or _estimate(*(said.text for said in request.messages))
        self._output += _number(told, "completion_tokens") or _estimate(text)
        details = told.get("prompt_tokens_details")
        self._cached += _number(details, "cached_tokens") if isinstance(details, Mapping) else 0

    def usage(self) -> Usage:
        """The sum so far."""
        tokens = self._input, self._cached, self._output
        return Usage(self._model, self._input, self._output, self._cached, self._calls, cost(self._price, tokens))


def _number(told: Mapping[str, Any], name: str) -> int:
    value = told.get(name)
    return value if isinstance(value, int) and value > 0 else 0


def _estimate(*texts: str) -> int:
    return sum(-(-len(text.encode("utf-8", "replace")) // 4) for text in texts)
