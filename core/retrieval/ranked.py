"""What a search gives back: passages best first, and what of the scope could not be searched as it should be."""

from __future__ import annotations

from collections.abc import Iterable

from core.answers import Retrieved

BY_WORDS = "by_words"
"""What a trace calls them in its line of a search."""


class Ranked(list[Retrieved]):
    """The passages found; `by_words` names the collections whose vectors nobody could compare the question with."""

    def __init__(self, found: Iterable[Retrieved] = (), by_words: Iterable[str] = ()) -> None:
        super().__init__(found)
        self.by_words = tuple(sorted(by_words))
