"""What deletes a collection that is configured no more, put together."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.sources.copies import copies, remove_copies
from core.errors import StoreError

if TYPE_CHECKING:
    from bots.compose.base import Base
    from core.indexing.forgetting import Forgetting


@dataclass(frozen=True, slots=True)
class _Copies:
    """Where `bots.compose.sources` lets sources keep what they need."""

    folder: Path

    async def names(self) -> frozenset[str]:
        """The collections of which there is something."""
        return await asyncio.to_thread(copies, self.folder)

    async def remove(self, collection: str) -> int:
        """Delete it; how many folders that were."""
        try:
            return await asyncio.to_thread(remove_copies, self.folder, collection)
        except OSError as error:
            what = error.strerror or str(error)
            raise StoreError("error.store_access", path=str(self.folder), what=what) from error


def forgetting(base: Base) -> Forgetting:
    """Over the record and the index of a desk that is open."""
    from adapters.sql.forgetting import SqlForgetter
    from adapters.sql.publisher import SqlPublisher
    from core.indexing.forgetting import Forgetting, Holders

    index, database = base.index, base.database
    holders = Holders(
        vectors=index.vectors,
        lexical=index.lexical,
        archive=index.archive or index.passages,
        copies=_Copies(base.settings.data_dir / "sources"),
        record=SqlForgetter(database),
        publisher=SqlPublisher(database),
    )
    return Forgetting(holders, frozenset(base.targets))
