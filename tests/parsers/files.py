"""Real files of every format, made on the fly."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

from docx import Document
from openpyxl import Workbook
from pptx import Presentation
from pptx.util import Inches
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from adapters.parsers.limits import Limits
from adapters.parsers.registry import ParserRegistry
from core.documents import Parsed, SourceEntry

TEXT = "The node pool did not drain because a budget allowed no disruption at all."


def entry(name: str, media_type: str = "") -> SourceEntry:
    return SourceEntry(id=name, fingerprint="1", size=1, media_type=media_type)


def parse(name: str, data: bytes | str, **limits: Any) -> Parsed:
    raw = data.encode() if isinstance(data, str) else data
    return ParserRegistry(Limits(**limits)).parse(raw, entry(name))


def saved(write: Callable[[io.BytesIO], Any]) -> bytes:
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


def pdf(pages: Sequence[Sequence[str]], *, korean: bool = False, title: str = "", password: str = "") -> bytes:
    """A PDF with one text line per entry; an empty page holds only a drawing."""
    if korean:
        pdfmetrics.registerFont(UnicodeCIDFont("HYSMyeongJo-Medium"))
    buffer = io.BytesIO()
    encrypt = StandardEncryption(password, canPrint=0) if password else None
    canvas = Canvas(buffer, encrypt=encrypt)
    canvas.setTitle(title)
    for lines in pages:
        canvas.setFont("HYSMyeongJo-Medium" if korean else "Helvetica", 11)
        for number, line in enumerate(lines):
            canvas.drawString(50, 780 - 16 * number, line)
        if not lines:
            canvas.rect(50, 50, 400, 600, fill=1)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def docx() -> bytes:
    document = Document()
    document.add_heading("AKS 업그레이드 보고서", 0)
    document.add_heading("What happened", 1)
    document.add_paragraph(TEXT)
    document.add_paragraph("First step", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(table._cells, ["Port", "Use", "443", "TLS"], strict=True):
        cell.text = text
    return saved(document.save)


def pptx() -> bytes:
    deck = Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text = "Roadmap 2026"
    first.placeholders[1].text = "Faster answers\nKorean decks"
    first.notes_slide.notes_text_frame.text = "Speak slowly here."
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "비용"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for cell, text in zip(table.iter_cells(), ["항목", "금액", "서버", "300만 원"], strict=True):
        cell.text = text
    return saved(deck.save)


def xlsx(sheets: dict[str, list[list[Any]]]) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return saved(book.save)


def zipped(members: dict[str, bytes]) -> bytes:
    def write(buffer: io.BytesIO) -> None:
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members.items():
                archive.writestr(name, data)

    return saved(write)
