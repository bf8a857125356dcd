"""Excel files: a sheet is a section, a row a record that stands on its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from datetime import date, datetime, time
from io import BytesIO
from itertools import islice
from typing import Any

from adapters.parsers.archives import open_office
from adapters.parsers.draft import Draft, finish
from adapters.parsers.tables import MOST_ROWS, records
from core.documents import Parsed, SourceEntry

MOST_COLUMNS = 200


class WorkbookParser:
    """XLSX, values as last calculated; empty sheets are left out."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        """One heading a sheet, one list item or table row a row."""
        from openpyxl import load_workbook

        properties = open_office(data)
        warnings.filterwarnings("ignore", category=UserWarning, module="openpyxl")  # of styles it doesn't know
        book = load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
        try:
            sheets = [(sheet.title, list(_rows(sheet))) for sheet in book.worksheets if sheet.sheet_state == "visible"]
        finally:
            book.close()
        parts = [f"## {title}\n\n" + "\n".join(records(rows[:MOST_ROWS])) for title, rows in sheets if rows]
        cut = any(len(rows) > MOST_ROWS for _, rows in sheets)
        notes = [f"parse.note_cut {MOST_ROWS}"] if cut else []
        draft = Draft("\n\n".join(parts), properties.title, modified=properties.modified, notes=notes)
        return finish(draft, entry)


def _rows(sheet: Any) -> Iterator[list[str]]:
    sheet.reset_dimensions()  # what the file says of its size is often wrong
    for row in islice(sheet.iter_rows(max_col=MOST_COLUMNS), MOST_ROWS + 1):
        cells = [_shown(cell) for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield cells


def _shown(cell: Any) -> str:
    """The value about as the sheet shows it."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    if isinstance(value, date | time):
        return value.isoformat(" ", "minutes") if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        if "%" in (cell.number_format or ""):
            return f"{round(value * 100, 4):g}%"
        return f"{value:.10g}"
    return str(value)
