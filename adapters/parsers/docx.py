"""Word files, by way of HTML: headings, lists and tables survive."""

from __future__ import annotations

from io import BytesIO

from adapters.parsers.archives import open_office
from adapters.parsers.draft import Draft, finish
from adapters.parsers.webpage import to_markdown
from core.documents import Parsed, SourceEntry

_STYLES = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => p:fresh"


class DocxParser:
    """DOCX; a paragraph of style Title is the title."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        """The document's body with foot- and endnotes, without pictures."""
        import mammoth

        properties = open_office(data)
        result = mammoth.convert_to_html(
            BytesIO(data), style_map=_STYLES, convert_image=mammoth.images.img_element(lambda _: {})
        )
        text = to_markdown(result.value) if result.value.strip() else ""
        title = "" if text.startswith("# ") else properties.title
        return finish(Draft(text=text, title=title, modified=properties.modified), entry)
