"""Which records there are of a document, listed once while it is being written. Knows nothing of vectors.

A long document is written a hundred passages at a time. Listing all of its records before each would take time in
proportion to the square of its length.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from adapters.pinecone.bounded import each

if TYPE_CHECKING:
    from adapters.pinecone.space import Space

MOST = 20_000
"""Ids that are kept beside those of the documents in hand."""


class Listings:
    """The ids of records by document, as they were listed last and with what was written since.

    A listing is believed until it is forgotten: only one process at a time writes to a collection.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], set[str]] = OrderedDict()

    async def of(self, space: Space, documents: Iterable[str], *, anew: bool = False) -> set[str]:
        """The ids that begin with one of these; `anew`: whatever was listed before."""
        wanted = dict.fromkeys((space.name, document) for document in documents)
        missing = [key for key in wanted if anew or key not in self._kept]
        listed = await each([document for _, document in missing], space.ids)
        self._kept.update(zip(missing, map(set, listed), strict=True))
        for key in wanted:
            self._kept.move_to_end(key)
        self._shrink(len(wanted))
        return set().union(*(self._kept[key] for key in wanted))

    def written(self, space: str, ids: Iterable[str]) -> None:
        """These are there now, whether listings show them yet or not."""
        for id_ in ids:
            kept = self._kept.get((space, f"{id_.partition(':')[0]}:"))
            if kept is not None:
                kept.add(id_)

    def forget(self, spaces: str) -> None:
        """Believe nothing more of the namespaces whose names begin so."""
        for key in [key for key in self._kept if key[0].startswith(spaces)]:
            del self._kept[key]

    def _shrink(self, in_hand: int) -> None:
        """Let go of the documents that were asked for longest ago."""
        total = sum(map(len, self._kept.values()))
        while total > MOST and len(self._kept) > in_hand:
            total -= len(self._kept.popitem(last=False)[1])
