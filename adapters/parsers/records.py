"""CSV and TSV files: each row becomes a record that can be found and understood alone."""

from __future__ import annotations

import csv
from itertools import islice

from adapters.parsers.decoding import decode
from adapters.parsers.draft import Draft, finish
from adapters.parsers.plain import encoding_notes
from adapters.parsers.tables import MOST_ROWS, records
from core.documents import Parsed, SourceEntry

_DELIMITERS = ",;\t|"


class RecordsParser:
    """CSV with any usual delimiter; the first row names the columns."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        """One list item a row, "header: value; header: value"."""
        text, encoding = decode(data)
        reader = csv.reader(text.lstrip("\ufeff").splitlines(keepends=True), delimiter=_delimiter(text))
        rows = list(islice(reader, MOST_ROWS + 1))
        notes = [*encoding_notes(encoding)]
        if len(rows) > MOST_ROWS:
            notes.append(f"parse.note_cut {MOST_ROWS}")
        return finish(Draft(text="\n".join(records(rows[:MOST_ROWS])), notes=notes), entry)


def _delimiter(text: str) -> str:
    """The delimiter that cuts the first lines into the same number of cells, the more the better."""
    lines = [line for line in text[:20_000].splitlines() if line.strip()][:20]
    best, most = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        counts = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        usual = max(set(counts), key=counts.count, default=1)
        score = (counts.count(usual) / max(1, len(counts)) if usual > 1 else 0.0, usual)
        if score > most:
            best, most = delimiter, score
    return best
