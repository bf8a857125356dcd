"""WebSearch over fixed pages, found by their words, by the rules of the real one. Knows no network."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.documents import Passage
from core.retrieval.analysis import BigramAnalyzer
from core.web.pages import Page, Reading, Wanted, passages_of


class MemoryWeb:
    """The pages that share the most words with the query; `calls` counts the searches."""

    def __init__(self, pages: Sequence[Page], reading: Reading, max_results: int = 5) -> None:
        self._pages = tuple(pages)
        self._reading = reading
        self._max_results = max_results
        self._analyzer = BigramAnalyzer()
        self.calls = 0

    async def search(self, query: str, *, fresh_from: date | None, limit: int) -> Sequence[Passage]:
        """At most `limit` passages of admitted pages that hold a word of the query."""
        self.calls += 1
        asked = frozenset(self._analyzer.tokens(query))
        scored = [(len(asked & self._words(page)), page) for page in self._pages]
        found = [page for count, page in sorted(scored, key=lambda each: -each[0]) if count]
        admitted = [page for page in found if self._reading.domains.admits(page.url)]
        return passages_of(admitted[: self._max_results], Wanted(query, limit, fresh_from), self._reading)

    def _words(self, page: Page) -> frozenset[str]:
        return frozenset(self._analyzer.tokens(f"{page.title}\n{page.text}\n{page.snippet}"))
