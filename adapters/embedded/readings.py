"""A question's tokens by every analyzer that some passage was read by, so that a change of it loses nobody.

Passages are read anew one by one; until the last is, each is found by the tokens that it has.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence

from core.errors import RefdeskError
from core.ports import Analyzer

log = logging.getLogger(__name__)


class Readings:
    """The configured analyzer, and those that may have been configured before. Used by one thread alone."""

    def __init__(self, analyzer: Analyzer, others: Sequence[Analyzer] = ()) -> None:
        self._name = analyzer.name
        self._others = {other.name: other for other in others if other.name != analyzer.name}

    def together(self, text: str, tokens: list[str], present: Sequence[str]) -> list[str]:
        """`tokens` (the configured analyzer's) and what others see beside them; usually just `tokens`."""
        others = self.others(text, present)
        if not others:
            return tokens
        whole = Counter(tokens)
        for reading in others:
            whole |= Counter(reading)
        return list(whole.elements())

    def others(self, text: str, present: Sequence[str]) -> list[list[str]]:
        """The tokens by each other analyzer that passages in the index were read by."""
        found = []
        for name in [name for name in present if name in self._others]:
            try:
                found.append(self._others[name].tokens(text))
            except RefdeskError as error:  # not installed any more: said once
                log.warning("passages read by %s are found by meaning alone until `refdesk sync`: %s", name, error)
                del self._others[name]
        return found
