"""Rows of cells as Markdown: records that stand on their own where a header names the columns.

A row that is found alone must still say what its values mean, so "80 | web" becomes
"Port: 80; Use: web". Knows no file format.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MOST_ROWS = 20_000
LONGEST_NAME = 80
"""Letters of a column's name: it stands in every row again, and a long one would make a huge text of a small file."""


def records(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """One line for each row below the header; table rows where there is no header."""
    header, body = _header(rows)
    for row in body:
        if not any(cell.strip() for cell in row):
            continue
        yield _record(header, row) if header else table_row(row)


def table_row(cells: Sequence[str]) -> str:
    """The cells as a row of a Markdown table."""
    return "| " + " | ".join(_flat(cell).replace("|", "\\|") for cell in cells) + " |"


def _header(rows: Sequence[Sequence[str]]) -> tuple[list[str], Sequence[Sequence[str]]]:
    """The first row with two cells or more, when it names things and does not count them."""
    for index, row in enumerate(rows):
        cells = [_flat(cell)[:LONGEST_NAME] for cell in row]
        named = [cell for cell in cells if cell]
        if len(named) < 2 and index < 5 and len(row) > 1:
            continue  # a caption above the table
        is_header = bool(named) and len(set(named)) == len(named) and not any(map(_counts, named))
        return (cells, rows[index + 1 :]) if is_header and len(rows) > index + 1 else ([], rows)
    return [], rows


def _record(header: Sequence[str], row: Sequence[str]) -> str:
    parts = []
    for column, cell in enumerate(row):
        value = _flat(cell)
        name = header[column] if column < len(header) else ""
        if value:
            parts.append(f"{name}: {value}" if name else value)
    return "- " + "; ".join(parts)


def _counts(cell: str) -> bool:
    return cell.replace(",", "").replace(".", "").replace("-", "").replace("%", "").isdigit() and len(cell) != 4


def _flat(cell: str) -> str:
    return " ".join(cell.split())
