"""How an answer's footnotes and standing read, the same on every platform: pure, plain text.

Adapters decide the layout (blocks, embeds, lines); the words come from here and from `core.wording`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.answers import Answer, Citation
from core.documents import Card
from core.indexing.text import one_line
from core.mentions import plain_name
from core.messages import Language
from core.wording import say

MOST_PLACES = 3
"""Collections that are named under an answer; the others are counted."""


@dataclass(frozen=True, slots=True)
class Looks:
    """What stands under an answer: whose it is (`turn_id`), in which language, and who else reads it."""

    turn_id: str
    language: Language
    private: bool = False
    direct: bool = False


def trust_line(answer: Answer, language: Language) -> str:
    """One line: how far the answer can be trusted, where it was looked for, how much of what was found it uses.

    Whoever may see the answer may read every collection in it. Empty where there is no answer to trust.
    """
    if answer.standing in ("not_found", "direct", "clarify"):
        return ""
    parts = (_standing(answer, language), _searched(answer, language), _used(answer, language))
    return " · ".join(part for part in parts if part)


def _standing(answer: Answer, language: Language) -> str:
    if answer.standing == "closest" and answer.text.startswith(say("answer.closest", language)):
        return ""  # said above
    return say(f"trust.{answer.standing}", language)


def _searched(answer: Answer, language: Language) -> str:
    """The collections by title, the cited ones first, and the web."""
    cited = {"web" if each.origin == "web" else each.collection for each in answer.citations}
    names = sorted(answer.searched, key=lambda name: name not in cited)
    shown = [_titled(name, answer.titles, language) for name in names[:MOST_PLACES]]
    if len(names) > MOST_PLACES:
        shown.append(say("trust.more", language, count=len(names) - MOST_PLACES))
    return say("trust.searched", language, where=", ".join(dict.fromkeys(shown))) if shown else ""


def listed(names: Iterable[str], cards: Iterable[Card], language: Language) -> str:
    """The collections by title, as their Cards have it, and the web."""
    titles = {card.collection: card.title for card in cards}
    return ", ".join(dict.fromkeys(_titled(name, titles, language) for name in names))


def _titled(name: str, titles: Mapping[str, str], language: Language) -> str:
    if name == "web":
        return say("answer.web", language)
    return one_line(plain_name(titles.get(name, ""))) or name


def _used(answer: Answer, language: Language) -> str:
    used = len({each.passage_id for each in answer.citations})
    found = sum(event.detail.get("new", 0) for event in answer.trace if event.node in ("retrieve", "search"))
    if found < used:  # an answer whose trace was not kept
        return say("trust.used", language, used=used) if used else ""
    return say("trust.used_of", language, used=used, found=found) if found else ""


def link_of(citation: Citation, longest: int) -> str:
    """The address of a page that a link of so many characters can lead to; empty for what is none."""
    link = citation.link or ""
    return link if link.startswith(("http://", "https://")) and len(link) <= longest else ""


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
