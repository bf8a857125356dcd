"""A footnote opened: the passage itself, with the quoted words in it, for one reader who may read it."""

from __future__ import annotations

from dataclasses import dataclass

from core.answers import Citation
from core.errors import InputError
from core.mentions import quiet
from core.messages import Audience
from core.ports import Access, Catalog, PassageStore, TurnRecord


@dataclass(frozen=True, slots=True)
class Opened:
    """A footnote and what stands there: the text around the quoted words, split where they begin and end.

    `quoted` is empty where they can't be found in it as they stand.
    """

    citation: Citation
    before: str
    quoted: str
    after: str


class FootnoteReading:
    """The use case. What the reader may not read, or what is gone, is told the same way."""

    def __init__(self, record: TurnRecord, access: Access, catalog: Catalog, passages: PassageStore) -> None:
        self._record = record
        self._access = access
        self._catalog = catalog
        self._passages = passages

    async def open(self, turn_id: str, number: int, reader: Audience) -> Opened:
        """What stands at a footnote. Raises InputError when there is nothing to show."""
        turn = await self._record.find(turn_id=turn_id)
        answer = turn.answer if turn else None
        cited = (answer.citations or answer.nearest) if answer else ()
        citation = next((each for each in cited if each.number == number), None)
        if citation is None:
            raise InputError("error.answer_gone")
        if citation.origin == "web":
            return Opened(citation, "", citation.quote, "")
        scope = (await self._catalog.pin(await self._access.readable(reader))).narrowed([citation.collection])
        found = (await self._passages.get(scope, [citation.passage_id])).get(citation.passage_id)
        if found is None:
            raise InputError("error.passage_gone")
        return _opened(citation, quiet(found.text))


def _opened(citation: Citation, text: str) -> Opened:
    quote = citation.quote.strip()
    at = text.find(quote) if quote else -1
    if at < 0:
        return Opened(citation, text, "", "")
    return Opened(citation, text[:at], quote, text[at + len(quote) :])
