"""PowerPoint files: a slide is a page, its title a heading; notes belong to their slide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any

from adapters.parsers.archives import open_office
from adapters.parsers.draft import Draft, finish
from adapters.parsers.tables import table_row
from core.documents import Parsed, SourceEntry


class SlidesParser:
    """PPTX; the first slide's title is the title."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        """Text, bullets, tables and notes of each slide."""
        from pptx import Presentation

        properties = open_office(data)
        slides = list(Presentation(BytesIO(data)).slides)
        pages = [(number, "\n\n".join(_slide(slide))) for number, slide in enumerate(slides, 1)]
        first = next((title for title in map(_title, slides) if title), "")
        draft = Draft(title=first or properties.title, pages=pages, modified=properties.modified)
        return finish(draft, entry)


def _title(slide: Any) -> str:
    shape = slide.shapes.title
    return " ".join(shape.text_frame.text.split()) if shape is not None else ""


def _slide(slide: Any) -> Iterator[str]:
    if _title(slide):
        yield f"## {_title(slide)}"
    heading = slide.shapes.title
    for shape in _shapes(slide.shapes):
        if heading is not None and shape.shape_id == heading.shape_id:
            continue
        if shape.has_text_frame:
            yield from _paragraphs(shape.text_frame.paragraphs)
        elif shape.has_table:
            rows = [[cell.text for cell in row.cells] for row in shape.table.rows]
            yield "\n".join([table_row(rows[0]), table_row(["---"] * len(rows[0])), *map(table_row, rows[1:])])
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        yield slide.notes_slide.notes_text_frame.text


def _shapes(shapes: Iterable[Any]) -> Iterator[Any]:
    """All shapes, those inside groups too."""
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        else:
            yield shape


def _paragraphs(paragraphs: Iterable[Any]) -> Iterator[str]:
    texts = [(paragraph.level, " ".join(paragraph.text.split())) for paragraph in paragraphs]
    texts = [(level, text) for level, text in texts if text]
    if len(texts) == 1:
        yield texts[0][1]
    elif texts:
        yield "\n".join(f"{'  ' * level}- {text}" for level, text in texts)
