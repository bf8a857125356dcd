"""What owners wrote instead of an answer, as a source of documents. Knows no database."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from core.access_corrections import Takes
from core.documents import Listing, SourceEntry
from core.errors import ParseError
from core.feedback import Correction
from core.indexing.text import one_line
from core.ports import CorrectionStore

TITLE = 200


@dataclass(frozen=True, slots=True)
class CorrectionsSource:
    """Every correction that `takes` lets in; a collection without one is empty and no mistake."""

    store: CorrectionStore
    takes: Takes

    async def list(self) -> Listing:
        """What there is now."""
        return Listing(tuple(_entry(each) for each in await self._taken()), complete=True)

    async def fetch(self, entry: SourceEntry) -> bytes:
        """The correction as Markdown; raises ParseError `parse.gone` when it was taken back or said anew."""
        found = next((each for each in await self._taken() if _entry(each) == entry), None)
        if found is None:
            raise ParseError("parse.gone")
        return _document(found)

    async def _taken(self) -> tuple[Correction, ...]:
        return tuple(each for each in await self.store.all() if self.takes(each.about))


def _entry(correction: Correction) -> SourceEntry:
    data = _document(correction)
    fingerprint = hashlib.sha256(data + (correction.link or "").encode()).hexdigest()[:32]
    return SourceEntry(correction.document, fingerprint, len(data), "text/markdown", correction.at, correction.link)


def _document(correction: Correction) -> bytes:
    """The question as its title, the day it was said, and what is right."""
    title = one_line(" ".join(correction.question.split())).replace('"', "'").replace("\\", "/")[:TITLE]
    head = ["---", f'title: "{title}"', f'date: "{correction.at.date().isoformat()}"', "---"]
    return "\n".join([*head, "", correction.text.strip(), ""]).encode("utf-8", "replace")
