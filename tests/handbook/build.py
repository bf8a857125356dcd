"""Builds the handbook's PDF and DOCX files from the texts in `sources/`. For authors only; no test runs it.

Run it as `python -m tests.handbook.build --font NanumGothic.ttf --bold NanumGothicBold.ttf` with reportlab and
python-docx installed; the fonts are those of the Debian package fonts-nanum (OFL), of which a subset is embedded.
The same texts and versions give the same bytes. It must not know what the texts say.
"""

from __future__ import annotations

import argparse
import io
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from docx import Document
from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

SOURCES = Path(__file__).parent / "sources"
HANDBOOK = Path(__file__).parents[2] / "bots" / "handbook"


@dataclass(frozen=True)
class Source:
    """A text with its metadata; `blocks` are (kind, lines) with kind h1, h2, table or text."""

    title: str
    date: datetime
    blocks: tuple[tuple[str, tuple[str, ...]], ...]


def read(path: Path) -> Source:
    """Two lines of metadata, an empty line, then blocks of simple Markdown between empty lines."""
    head, *blocks = path.read_text("utf-8").strip().split("\n\n")
    meta = dict(line.split(": ", 1) for line in head.splitlines())
    date = datetime.fromisoformat(meta["date"]).replace(hour=9, tzinfo=UTC)
    return Source(meta["title"], date, tuple(_block(block) for block in blocks))


def _block(block: str) -> tuple[str, tuple[str, ...]]:
    for mark, kind in (("## ", "h2"), ("# ", "h1")):
        if block.startswith(mark):
            return kind, (block.removeprefix(mark),)
    return ("table" if block.startswith("|") else "text"), tuple(block.splitlines())


def _rows(lines: tuple[str, ...]) -> Iterator[list[str]]:
    for line in lines:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not all(set(cell) <= set("-: ") for cell in cells):
            yield cells


def pdf(source: Source) -> bytes:
    """The text as an A4 PDF; lines break at spaces only, so that Korean words stay whole when read back."""
    os.environ["SOURCE_DATE_EPOCH"] = str(int(source.date.timestamp()))
    body = ParagraphStyle("body", fontName="body", fontSize=10, leading=15, spaceAfter=6)
    styles = {
        "text": body,
        "h1": ParagraphStyle("h1", body, fontName="bold", fontSize=17, leading=24, spaceAfter=8),
        "h2": ParagraphStyle("h2", body, fontName="bold", fontSize=12.5, leading=18, spaceBefore=8),
    }
    flow: list[object] = []
    for kind, lines in source.blocks:
        if kind == "table":
            grid = [("GRID", (0, 0), (-1, -1), 0.4, colors.grey), ("FONT", (0, 0), (-1, 0), "bold", 9.5)]
            flow += [Table(list(_rows(lines)), style=[("FONT", (0, 1), (-1, -1), "body", 9.5), *grid]), Spacer(1, 8)]
        else:
            flow.append(Paragraph(escape(" ".join(lines)), styles[kind]))
    target = io.BytesIO()
    SimpleDocTemplate(target, title=source.title, author="Lanefold", pageCompression=1).build(flow)
    return target.getvalue()


def docx(source: Source) -> bytes:
    """The text as a Word document, with all times inside the file set to the date of the text."""
    document = Document()
    properties = document.core_properties
    properties.title, properties.author, properties.comments = source.title, "Lanefold", ""
    properties.created = properties.modified = source.date.replace(tzinfo=None)
    for kind, lines in source.blocks:
        if kind == "table":
            rows = list(_rows(lines))
            table = document.add_table(len(rows), len(rows[0]), style="Table Grid")
            for row, cells in zip(table.rows, rows, strict=True):
                for cell, text in zip(row.cells, cells, strict=True):
                    cell.text = text
        elif kind == "text":
            document.add_paragraph(" ".join(lines))
        else:
            document.add_heading(lines[0], level=int(kind[1]))
    raw = io.BytesIO()
    document.save(raw)
    return _same_bytes(raw)


def _same_bytes(raw: io.BytesIO) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(raw) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name != "docProps/thumbnail.jpeg":
                new.writestr(zipfile.ZipInfo(name), old.read(name), zipfile.ZIP_DEFLATED)
    return target.getvalue()


def main() -> None:
    """Build every source; its file name is `<collection>--<name>.<format>.md`."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--font", required=True)
    options.add_argument("--bold", required=True)
    chosen = options.parse_args()
    for path in sorted(SOURCES.glob("*.md")):
        pdfmetrics.registerFont(TTFont("body", chosen.font))
        pdfmetrics.registerFont(TTFont("bold", chosen.bold))
        target = HANDBOOK / path.name.removesuffix(".md").replace("--", "/")
        data = pdf(read(path)) if target.suffix == ".pdf" else docx(read(path))
        target.write_bytes(data)
        print(f"{target.relative_to(HANDBOOK)}: {len(data) / 1000:.1f} kB")


if __name__ == "__main__":
    main()
