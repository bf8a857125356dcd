"""Markdown files: fields above the text are used and taken off, comments are dropped, the rest stays."""

from __future__ import annotations

import re
from collections.abc import Mapping

from adapters.parsers import frontmatter
from adapters.parsers.decoding import decode
from adapters.parsers.draft import Draft, finish
from adapters.parsers.headings import plain
from adapters.parsers.plain import encoding_notes
from core.documents import Parsed, SourceEntry
from core.indexing.blocks import fenced
from core.indexing.text import normalise

# What was changed last says how current the page is, so it goes before the day of first writing.
DATE_FIELDS = (
    *("updated", "last_updated", "lastmod", "last_modified", "modified", "last_reviewed", "revised", "수정일"),
    *("date", "published", "pubdate", "created", "작성일"),
)
_MODULE_LINE = re.compile(
    r"(?:import\s.+\sfrom\s+['\"].+['\"]|import\s+['\"].+['\"]|export\s+(?:const|default)\b.*);?\s*$"
)


class MarkdownParser:
    """Markdown, with YAML or TOML fields above it; MDX without its imports."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        """The text below the fields; title and date from the fields first."""
        raw, encoding = decode(data)
        fields, text = frontmatter.read(normalise(raw))
        if entry.id.endswith(".mdx"):
            text = _without_module_lines(text)
        draft = Draft(
            text=_without_comments(text),
            title=plain(fields.get("title", ""))[0],
            declared=_declared(fields),
            notes=encoding_notes(encoding),
        )
        return finish(draft, entry)


def _declared(fields: Mapping[str, str]) -> list[str]:
    return [fields[name] for name in DATE_FIELDS if fields.get(name)]


def _without_comments(text: str) -> str:
    """The text without HTML comments, except where code shows one."""
    lines = text.split("\n")
    code = fenced(lines)
    parts: list[str] = []
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and bool(code[end]) == bool(code[start]):
            end += 1
        part = "\n".join(lines[start:end])
        parts.append(part if code[start] else _uncommented(part))
        start = end
    return "\n".join(parts)


def _uncommented(text: str) -> str:
    parts: list[str] = []
    start = 0
    while (begin := text.find("<!--", start)) >= 0 and (end := text.find("-->", begin + 4)) >= 0:
        parts.append(text[start:begin])
        start = end + 3
    return "".join([*parts, text[start:]])


def _without_module_lines(text: str) -> str:
    lines = text.split("\n")
    code = fenced(lines)
    return "\n".join(line for line, inside in zip(lines, code, strict=True) if inside or not _MODULE_LINE.match(line))
