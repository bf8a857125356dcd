"""What an index gave, held against the scope once more: an index that answers with too much must not leak it.

Each index filters by itself; this is the second lock. Pure but for a line in the log.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace

from core.documents import Passage, Scope
from core.ports import Hits

log = logging.getLogger(__name__)


class Within:
    """The documents that a scope pins, ready to be asked about."""

    def __init__(self, scope: Scope) -> None:
        self._pinned = {generation.collection: generation.documents for generation in scope.generations}

    def holds(self, collection: str, document_id: str, document_hash: str) -> bool:
        """Whether this version of the document is pinned."""
        return self._pinned.get(collection, {}).get(document_id) == document_hash

    def hits(self, found: Hits) -> Hits:
        """The list without what lies outside."""
        inside = tuple(hit for hit in found.hits if self.holds(hit.collection, hit.document_id, hit.document_hash))
        if len(inside) == len(found.hits):
            return found
        log.error("the index gave %s hits outside the scope; they were dropped", len(found.hits) - len(inside))
        return replace(found, hits=inside)

    def passages(self, found: Mapping[str, Passage]) -> dict[str, Passage]:
        """The passages without those that lie outside, or are not what was asked for by that id."""
        inside = {
            id: passage
            for id, passage in found.items()
            if passage.id == id and self.holds(passage.collection, passage.document_id, passage.document_hash)
        }
        if len(inside) < len(found):
            log.error("the index gave %s passages outside the scope; they were dropped", len(found) - len(inside))
        return inside
