"""An answer as Discord messages: its words, an embed with its footnotes, one line of trust, its buttons. Pure.

The wording is core's; here is only where it stands and that it fits. A message's text and its embed stand side by
side, so that what is shown in notifications and found by Discord's search is the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from adapters.discord import limits, outgoing
from core.answers import Answer, Citation
from core.indexing.text import one_line
from core.markdown import split
from core.mentions import quiet
from core.messages import Language
from core.presenting import Looks, apart, link_of, place, trust_line
from core.wording import say

Deed = Literal["up", "down", "why", "human", "quiet", "share", "direct", "stop", "open"]
SIGN = "refdesk"
_THUMBS = {"up": "👍", "down": "👎"}


@dataclass(frozen=True, slots=True)
class Button:
    """A button; its id says of which turn it is, so that it works as long as the message stands."""

    deed: Deed
    label: str
    turn_id: str
    number: int = 0
    emoji: str = ""
    row: int = 0

    @property
    def custom_id(self) -> str:
        """What comes back when it is pressed."""
        return f"{SIGN}:{self.deed}:{self.turn_id}:{self.number}"


@dataclass(frozen=True, slots=True)
class Sources:
    """What stands under the words in an embed: lines of Markdown, and a line of plain words at its foot."""

    text: str = ""
    foot: str = ""

    @property
    def size(self) -> int:
        """Characters, as Discord counts them."""
        return len(self.text) + len(self.foot)


@dataclass(frozen=True, slots=True)
class DiscordMessage:
    """One message, whichever way it is sent."""

    content: str
    sources: Sources | None = None
    buttons: tuple[Button, ...] = ()


def answered(answer: Answer, looks: Looks) -> list[DiscordMessage]:
    """The messages of a finished answer, in order; footnotes and buttons stand on the last."""
    words = outgoing.parts(answer.text, limits.CONTENT) or [say("status.heard", looks.language)]
    boxes = _boxes(_lines(answer, looks.language), outgoing.clipped(trust_line(answer, looks.language), limits.FOOTER))
    last, more = next(iter(boxes), None), boxes[1:]
    messages = [DiscordMessage(text) for text in words[:-1]] + [DiscordMessage(words[-1], last)]
    messages += [DiscordMessage("", box) for box in more]
    ending = messages[-1]
    return [*messages[:-1], DiscordMessage(ending.content, ending.sources, _buttons(answer, looks))]


def failed(text: str) -> DiscordMessage:
    """One sentence of an error."""
    return DiscordMessage(outgoing.clipped(outgoing.markdown(text), limits.CONTENT))


def working(status: str, looks: Looks, draft: str = "") -> DiscordMessage:
    """What is there while the answer is being made: the words so far, and what is being done."""
    told = f"-# {outgoing.clipped(outgoing.words(status), 300)}"
    shown = outgoing.parts(draft, limits.CONTENT - len(told) - 1)[:1]
    stop = Button("stop", say("button.stop", looks.language), looks.turn_id)
    return DiscordMessage("\n".join([*shown, told]), buttons=(stop,))


def noted(text: str) -> list[DiscordMessage]:
    """Markdown of our own: help, a report, an explanation."""
    return [DiscordMessage(part) for part in outgoing.parts(text, limits.CONTENT)]


def boxless(messages: Sequence[DiscordMessage]) -> list[DiscordMessage]:
    """The messages with their sources as text, over as many as that needs; the buttons stand on the last."""
    plain: list[DiscordMessage] = []
    for message in messages:
        lines = message.sources.text.splitlines() if message.sources else []
        foot = f"-# {outgoing.words(message.sources.foot)}" if message.sources and message.sources.foot else ""
        whole = "\n".join(each for each in (message.content, *map(outgoing.markdown, lines), foot) if each)
        *first, last = split(whole, limits.CONTENT) or [""]
        plain += [*map(DiscordMessage, first), DiscordMessage(last, buttons=message.buttons)]
    return plain


def _lines(answer: Answer, language: Language) -> list[str]:
    """The footnotes, those from the web apart, and the notes."""
    own, web = apart(answer.citations)
    lines = [_footnote(each, language) for each in own]
    if web:
        lines += [f"**{say('footnote.web', language)}**", *(_footnote(each, language) for each in web)]
    if answer.nearest:
        lines.append(f"**{say('footnote.nearest', language)}**")
        lines += [_footnote(each, language, numbered=False) for each in answer.nearest]
    return lines + [f"-# {outgoing.clipped(outgoing.words(note), 900)}" for note in answer.notes if note]


def _footnote(citation: Citation, language: Language, *, numbered: bool = True) -> str:
    """A document's path on our machine is nobody's business here: without a link there is a button to open it."""
    title, url = outgoing.clipped(citation.title, 200), link_of(citation, limits.ADDRESS)
    name = outgoing.link(url, title) if url else outgoing.words(title)
    where = outgoing.clipped(outgoing.words(place(citation, language)), 300)
    lead = f"[{citation.number}] " if numbered else "• "
    return lead + " – ".join(part for part in (name, where) if part)


def _boxes(lines: Sequence[str], foot: str) -> list[Sources]:
    """The lines over as many embeds as they need; the foot stands under the last."""
    boxes: list[list[str]] = [[]]
    for line in lines:
        if boxes[-1] and len("\n".join([*boxes[-1], line])) > limits.DESCRIPTION:
            boxes.append([])
        boxes[-1].append(line)
    found = [Sources("\n".join(box)) for box in boxes[:-1]] + [Sources("\n".join(boxes[-1]), foot)]
    return [box for box in found if box.size]


def _buttons(answer: Answer, looks: Looks) -> tuple[Button, ...]:
    if answer.standing in ("direct", "clarify"):
        return ()
    first: list[Deed] = ["up", "down", "why", *(("human",) if answer.askable else ())]
    second: list[Deed] = ["share", "direct"] if looks.private else []
    if not looks.direct and not looks.private:
        first.append("quiet")
    rows = [[_button(each, looks, row) for each in deeds] for row, deeds in enumerate((first, second)) if deeds]
    openers = _openers(apart(answer.citations)[0] or answer.nearest, looks.turn_id, len(rows))
    return (*(each for row in rows for each in row), *openers)


def _openers(citations: Sequence[Citation], turn_id: str, row: int) -> list[Button]:
    """Buttons that show the quoted passage where no link leads to it, from this row on."""
    closed = list({each.number: each for each in citations if not link_of(each, limits.ADDRESS)}.values())
    return [
        Button("open", _opener(each), turn_id, each.number, row=row + at // limits.ROW)
        for at, each in enumerate(closed[: (limits.ROWS - row) * limits.ROW])
    ]


def _opener(citation: Citation) -> str:
    return f"[{citation.number}] {outgoing.clipped(quiet(one_line(citation.title)), 50)}"


def _button(deed: Deed, looks: Looks, row: int) -> Button:
    emoji = _THUMBS.get(deed, "")
    label = "" if emoji else outgoing.clipped(say(f"button.{deed}", looks.language), limits.LABEL)
    return Button(deed, label, looks.turn_id, emoji=emoji, row=row)
