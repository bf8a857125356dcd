"""Which strings of a passage look like identifiers, and whether a passage holds a term verbatim. Pure.

Error codes, file names, flags, dotted and CamelCase names: what people paste into a question and
expect to find letter by letter.
"""

from __future__ import annotations

import re

from adapters.embedded.terms import folded
from core.documents import Passage

_STRING = re.compile(r"[^\s\"'`()\[\]{}<>,;|]+")
_SHAPE = re.compile(r"[0-9_./\\:@#=+-]|[a-z][A-Z]|[A-Z]{2,}")
_LONGEST = 200  # a data URL is no identifier


def identifier_text(passage: Passage) -> str:
    """The identifier-like strings of title, headings, text and file name, each once, case folded."""
    parts = [passage.title, *passage.heading_path, passage.text]
    found = dict.fromkeys(
        folded(match.group())
        for part in parts
        for match in _STRING.finditer(part)
        if len(match.group()) <= _LONGEST and _SHAPE.search(match.group())
    )
    return "\n".join([folded(file_name(passage.document_id)), *found])


def file_name(document_id: str) -> str:
    """The last part of a document's path."""
    return document_id.rsplit("/", 1)[-1]


def holds(parts: list[str], term: str) -> bool:
    """Whether one of the parts holds the term verbatim, case folded, and not as a piece of a longer word.

    A Korean particle may follow directly.
    """
    wanted = folded(term.strip())
    if not wanted:
        return False
    before = r"(?<![0-9a-z_])" if re.match(r"[0-9a-z_]", wanted) else ""
    after = r"(?![0-9a-z_])" if re.search(r"[0-9a-z_]$", wanted) else ""
    pattern = re.compile(before + re.escape(wanted) + after)
    return any(pattern.search(folded(part)) for part in parts)
