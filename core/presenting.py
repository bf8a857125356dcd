"""How an answer's footnotes and standing read, the same on every platform: pure, plain text.

Adapters decide the layout (blocks, embeds, lines); the words come from here and from `core.wording`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.answers import Answer, Citation
from core.indexing.text import one_line
from core.messages import Language
from core.wording import say


@dataclass(frozen=True, slots=True)
class Looks:
    """What stands under an answer: whose it is (`turn_id`), in which language, and who else reads it."""

    turn_id: str
    language: Language
    private: bool = False
    direct: bool = False


def trust_line(answer: Answer, language: Language) -> str:
    """One line that says how far the answer can be trusted; empty where that goes without saying."""
    match answer.standing:
        case "supported":
            return say("answer.supported", language, count=len(answer.citations))
        case "closest":
            said_above = answer.text.startswith(say("answer.closest", language))
            return "" if said_above else say("answer.closest_only", language)
        case "unchecked":
            return say("answer.unchecked", language)
        case _:
            return ""


def place(citation: Citation, language: Language) -> str:
    """Where in the document: its section or page, and its date."""
    section = " › ".join(part for part in citation.heading_path[-2:] if part != citation.title)
    parts = [section, say("footnote.page", language, page=citation.page) if citation.page else ""]
    parts.append(citation.date.isoformat() if citation.date else "")
    return ", ".join(part for part in parts if part)


def address(citation: Citation) -> str:
    """The link, or the document's path inside its collection."""
    return citation.link or one_line(f"{citation.collection}/{citation.document_id}")


def footnote(citation: Citation, language: Language) -> str:
    """``Title – section, page, date – address`` on one line, without its number."""
    where = place(citation, language)
    return " – ".join(part for part in (citation.title, where, address(citation)) if part)


def footnotes(citations: Sequence[Citation], language: Language) -> list[str]:
    """The numbered lines under an answer."""
    return [f"[{each.number}] {footnote(each, language)}" for each in citations]


def apart(citations: Sequence[Citation]) -> tuple[list[Citation], list[Citation]]:
    """The team's own sources, and those from the web, each in the order of their numbers: they are listed apart."""
    own = [each for each in citations if each.origin == "index"]
    return own, [each for each in citations if each.origin == "web"]
