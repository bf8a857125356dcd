"""The Home tab: what there is to ask about, how to ask, what its viewer asked; for admins how things stand. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adapters.slack import limits, outgoing
from adapters.slack.blocks import context, section
from adapters.slack.forms import View, fitting
from adapters.slack.limits import Block
from core.markdown import plain
from core.messages import Language
from core.wording import say

HEADER = 150
QUESTION = 150
ANSWER = 300


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the viewer, what became of it (Markdown, or a few words), and where it stands."""

    question: str
    answer: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class HomeParts:
    """What its viewer may see; Markdown of our own. `health` is empty for who is no admin."""

    collections: Sequence[str]
    how: str
    recent: Sequence[Asked] = ()
    health: str = ""


def home(parts: HomeParts, language: Language) -> View:
    """The view. What is too much for it is left out at the end."""
    known = parts.collections or [say("collections.none", language)]
    blocks: list[Block] = [_header(say("home.title", language)), *_sections(known)[:2]]
    blocks += [_header(say("home.how", language)), *_sections([parts.how])[:1]]
    blocks.append(_header(say("home.recent", language)))
    blocks += [section(_asked(each)) for each in parts.recent] or [context([say("home.nothing", language)])]
    if parts.health:
        blocks += [_header(say("home.health", language)), *_sections([parts.health])]
    return {"type": "home", "blocks": fitting(blocks)}


def _asked(asked: Asked) -> str:
    question = outgoing.clipped(" ".join(asked.question.split()), QUESTION)
    named = outgoing.link(asked.link, question) if asked.link else f"*{outgoing.mrkdwn(question)}*"
    return f"{named}\n{outgoing.fallback(' '.join(asked.answer.split()), ANSWER)}"


def _header(text: str) -> Block:
    return {"type": "header", "text": {"type": "plain_text", "text": outgoing.clipped(text, HEADER)}}


def _sections(texts: Iterable[str]) -> list[Block]:
    """Lines as sections, as many in each as it holds; a view takes no Markdown, so only its words are shown."""
    blocks: list[Block] = []
    held = ""
    for line in (line for text in texts for line in text.splitlines() if line.strip()):
        shown = outgoing.clipped(_line(line), limits.SECTION)
        if held and len(held) + len(shown) + 1 > limits.SECTION:
            blocks.append(section(held))
            held = ""
        held = f"{held}\n{shown}" if held else shown
    return [*blocks, section(held)] if held else blocks


def _line(line: str) -> str:
    indent = "    " if line.startswith("  ") else ""
    bullet = "• " if line.strip().startswith("- ") else ""
    return indent + bullet + outgoing.mrkdwn(plain(line.strip().removeprefix("- ")))
