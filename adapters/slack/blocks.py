"""An answer as Slack messages: its words, its footnotes, one line of trust, its buttons. Pure.

The wording is core's; here is only where it stands and that it fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.slack import limits, outgoing
from adapters.slack.ids import Button, id_of
from adapters.slack.limits import Block
from core.answers import Answer, Citation
from core.messages import Language
from core.presenting import Looks, apart, link_of, place, trust_line
from core.wording import say


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """One message: what a notification shows of it, and its blocks."""

    text: str
    blocks: tuple[Block, ...]


def answered(answer: Answer, looks: Looks) -> list[SlackMessage]:
    """The messages of a finished answer, in order; footnotes and buttons stand on the last."""
    words = [{"type": "markdown", "text": part} for part in outgoing.parts(answer.text, limits.MARKDOWN)]
    packed = _packed([*words, *_below(answer, looks)])
    shown = outgoing.fallback(answer.text, limits.TEXT) or say("status.heard", looks.language)
    return [SlackMessage(shown, tuple(blocks)) for blocks in packed]


def failed(text: str) -> SlackMessage:
    """One sentence of an error."""
    return SlackMessage(outgoing.fallback(text, limits.TEXT), (section(outgoing.mrkdwn(text)),))


def working(status: str, looks: Looks, draft: str = "") -> SlackMessage:
    """What is there while the answer is being made: the words so far, and what is being done."""
    told = context([f"_{outgoing.clipped(outgoing.mrkdwn(status), 300)}_"])
    stop = {"type": "actions", "elements": [button("stop", say("button.stop", looks.language), looks.turn_id)]}
    words = [{"type": "markdown", "text": outgoing.parts(draft, limits.MARKDOWN)[0]}] if draft.strip() else []
    text = outgoing.fallback(draft or status, limits.TEXT)
    return SlackMessage(text or status, (*words, told, stop))


def noted(text: str) -> list[SlackMessage]:
    """Markdown of our own: help, a report, an explanation."""
    words = [{"type": "markdown", "text": part} for part in outgoing.parts(text, limits.MARKDOWN)]
    return [SlackMessage(outgoing.fallback(text, limits.TEXT), tuple(blocks)) for blocks in _packed(words)]


def section(text: str) -> Block:
    """A line of mrkdwn; Slack takes none without words."""
    words = outgoing.clipped(text, limits.SECTION)
    return {"type": "section", "text": {"type": "mrkdwn", "text": words if words.strip() else "…"}}


def context(lines: Sequence[str]) -> Block:
    """Small print, at most ten lines of mrkdwn."""
    elements = [{"type": "mrkdwn", "text": outgoing.clipped(line, limits.SECTION)} for line in lines[:10]]
    return {"type": "context", "elements": elements}


def button(name: Button, label: str, value: str, mark: str = "") -> Block:
    """A button; `mark` tells two of the same action apart."""
    text = {"type": "plain_text", "text": outgoing.clipped(label, limits.BUTTON), "emoji": True}
    return {"type": "button", "action_id": id_of(name) + mark, "text": text, "value": value}


def linked(citation: Citation) -> str:
    """Its title, as a link where it has one."""
    title = outgoing.clipped(citation.title, 200)
    link = link_of(citation, limits.ADDRESS)
    return outgoing.link(link, title) if link else outgoing.mrkdwn(title)


def _below(answer: Answer, looks: Looks) -> list[Block]:
    """Everything under the words."""
    language = looks.language
    own, web = apart(answer.citations)
    blocks = [*_listed(own, language)]
    if web:
        blocks += [context([outgoing.mrkdwn(say("footnote.web", language))]), *_listed(web, language)]
    if answer.nearest:
        heading = context([outgoing.mrkdwn(say("footnote.nearest", language))])
        blocks += [heading, *_listed(answer.nearest, language, numbered=False)]
    notes = [outgoing.mrkdwn(line) for line in (*answer.notes, trust_line(answer, language)) if line]
    blocks += [context(notes[start : start + 10]) for start in range(0, len(notes), 10)]
    blocks += _openers(own or answer.nearest, looks)
    return [*blocks, *_buttons(answer, looks)]


def _listed(citations: Sequence[Citation], language: Language, *, numbered: bool = True) -> list[Block]:
    """Footnotes, as many lines in a block as it holds."""
    blocks: list[Block] = []
    lines: list[str] = []
    for each in citations:
        line = _footnote(each, language, numbered=numbered)
        if lines and len("\n".join([*lines, line])) > limits.SECTION:
            blocks.append(section("\n".join(lines)))
            lines = []
        lines.append(line)
    return [*blocks, section("\n".join(lines))] if lines else blocks


def _footnote(citation: Citation, language: Language, *, numbered: bool) -> str:
    """A document's path on our machine is nobody's business here: without a link there is a button to open it."""
    where = outgoing.clipped(outgoing.mrkdwn(place(citation, language)), 300)
    lead = f"[{citation.number}] " if numbered else "• "
    return lead + " – ".join(part for part in (linked(citation), where) if part)


def _openers(citations: Sequence[Citation], looks: Looks) -> list[Block]:
    """Buttons that show the quoted passage where no link leads to it."""
    closed = [each for each in citations if not link_of(each, limits.ADDRESS)]
    buttons = [
        button(
            "open",
            f"[{each.number}] {outgoing.clipped(each.title, 50)}",
            f"{looks.turn_id}:{each.number}",
            f"_{each.number}",
        )
        for each in closed[: limits.BUTTONS]
    ]
    return [{"type": "actions", "elements": buttons}] if buttons else []


def _buttons(answer: Answer, looks: Looks) -> Iterator[Block]:
    if answer.standing in ("direct", "clarify"):
        return
    thumbs: dict[str, Any] = {"type": "feedback_buttons", "action_id": id_of("feedback")}
    for side, thumb in (("positive", "up"), ("negative", "down")):
        label = say(f"button.{thumb}", looks.language)
        text = {"type": "plain_text", "text": label}
        thumbs[f"{side}_button"] = {
            "text": text,
            "value": f"{thumb}:{looks.turn_id}",
            "accessibility_label": label,
        }
    yield {"type": "context_actions", "elements": [thumbs]}
    wanted: list[Button] = ["why", "human"] if answer.askable else ["why"]
    wanted += ["share", "direct"] if looks.private else [] if looks.direct else ["quiet"]
    yield {
        "type": "actions",
        "elements": [button(name, say(f"button.{name}", looks.language), looks.turn_id) for name in wanted],
    }


def _packed(blocks: Sequence[Block]) -> list[list[Block]]:
    """The blocks over as many messages as they need, in order."""
    messages: list[list[Block]] = [[]]
    for block in blocks:
        if messages[-1] and not _fits(messages[-1], block):
            messages.append([])
        messages[-1].append(block)
    return messages if messages[0] else []


def _fits(message: Sequence[Block], block: Block) -> bool:
    together = [*message, block]
    markdown = [each for each in together if each["type"] == "markdown"]
    return (
        len(together) <= limits.BLOCKS
        and limits.size(together) <= limits.TOTAL
        and limits.size(markdown) <= limits.MARKDOWN
        and len({each["type"] for each in together if each["type"] == "context_actions"}) <= 1
    )
