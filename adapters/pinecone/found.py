"""What a search at Pinecone gives. Knows nothing of the client."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """A search's records, best first, and up to which write the index has caught up, where it says so."""

    records: list[tuple[str, float]]
    caught_up: int | None
