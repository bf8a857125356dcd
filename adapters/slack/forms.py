"""What opens in front of one person: why an answer says what it says, a passage, a form to fill in. Pure.

Slack's limits for it are its own: 24 characters of a title, 100 blocks, no Markdown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.slack import limits, outgoing
from adapters.slack.blocks import SlackMessage, button, context, linked, section
from adapters.slack.ids import Form, id_of
from adapters.slack.limits import Block
from core.desk.passages import Opened
from core.feedback import COMMENT_LIMIT
from core.messages import Language
from core.presenting import place
from core.wording import say

View = Mapping[str, Any]

TITLE = 24
MOST_BLOCKS = 95
TYPED = 3000
"""Characters that a field of a form takes."""

AROUND = 1400
"""Characters of a passage before and after the quoted words."""

OPTIONS = 100
OPTION = 75

COMMENT, CORRECTION, QUESTION = "comment", "correction", "question"
ALL = "*"
"""The value for all collections; no collection has that name."""


def explained(text: str, language: Language) -> View:
    """Why this answer, a line for each thing there is to say."""
    return _modal(say("form.why", language), _lines(text), language)


def passage(opened: Opened, language: Language) -> View:
    """A footnote's passage, with the quoted words bold in it."""
    cited = opened.citation
    blocks: list[Block] = [section(f"[{cited.number}] {linked(cited)}")]
    where = outgoing.clipped(outgoing.mrkdwn(place(cited, language)), 300)
    blocks += [context([where])] if where else []
    return _modal(say("form.source", language), [*blocks, *_quoted(opened)], language)


def wrong(kept: str, language: Language, correctable: str = "") -> View:
    """What was wrong with an answer. Whoever may say what is right gets the question it answers and a field for it.

    The question is their document's title, so they may word it as everybody should read it.
    """
    fields = [_field(COMMENT, say("feedback.label", language), optional=bool(correctable), most=COMMENT_LIMIT)]
    if correctable:
        label = say("feedback.question", language)
        fields.append(_field(QUESTION, label, optional=True, most=COMMENT_LIMIT, text=correctable))
        fields.append(_field(CORRECTION, say("feedback.correct", language), optional=True, most=COMMENT_LIMIT))
    return _form("wrong", say("feedback.title", language), fields, kept, language)


def question(kept: str, text: str, language: Language) -> View:
    """A question about a message, which begins as the message itself."""
    field = _field(QUESTION, say("form.question", language), optional=False, most=TYPED, text=text)
    return _form("ask_about", say("form.ask", language), [field], kept, language)


def chooser(names: Sequence[str], command: str, language: Language) -> SlackMessage:
    """Which collection shall be read anew?"""
    text = say("reindex.which", language)
    options = [{"text": _plain(name, OPTION), "value": name} for name in names[:OPTIONS]]
    select = {
        "type": "static_select",
        "action_id": id_of("reindex"),
        "placeholder": _plain(say("reindex.choose", language), 150),
        "options": options,
    }
    everything = button("reindex_all", say("reindex.all", language), ALL)
    blocks: list[Block] = [section(text), {"type": "actions", "elements": [select, everything]}]
    if len(names) > OPTIONS:
        blocks.append(context([say("reindex.more", language, count=len(names) - OPTIONS, command=command)]))
    return SlackMessage(text, tuple(blocks))


def fitting(blocks: Sequence[Block]) -> list[Block]:
    """As many of them as a view holds."""
    kept = list(blocks[:MOST_BLOCKS])
    while limits.size(kept) > limits.TOTAL:
        del kept[-1]
    return kept


def _quoted(opened: Opened) -> list[Block]:
    """The text before, the quoted words and the text after, each as much as fits."""
    before, after = opened.before[-AROUND:], opened.after[:AROUND]
    if len(before) < len(opened.before):
        before = "…" + before
    if len(after) < len(opened.after):
        after += "…"
    bold = "\n".join(f"*{outgoing.mrkdwn(line.strip())}*" for line in opened.quoted.splitlines() if line.strip())
    parts = [outgoing.mrkdwn(before.strip()), bold, outgoing.mrkdwn(after.strip())]
    return [section(part) for part in parts if part.strip()]


def _lines(text: str) -> list[Block]:
    """Lines as sections, as many in each as it holds."""
    blocks: list[Block] = []
    held = ""
    for line in (outgoing.clipped(outgoing.mrkdwn(each), limits.SECTION) for each in text.splitlines() if each.strip()):
        if held and len(held) + len(line) + 1 > limits.SECTION:
            blocks.append(section(held))
            held = ""
        held = f"{held}\n{line}" if held else line
    return [*blocks, section(held)] if held else blocks


def _modal(title: str, blocks: Sequence[Block], language: Language) -> View:
    close = _plain(say("form.close", language), TITLE)
    return {"type": "modal", "title": _plain(title, TITLE), "close": close, "blocks": fitting(blocks)}


def _form(name: Form, title: str, fields: Sequence[Block], kept: str, language: Language) -> View:
    sent = {"submit": _plain(say("form.send", language), TITLE), "callback_id": id_of(name), "private_metadata": kept}
    return {**_modal(title, fields, language), **sent}


def _field(name: str, label: str, *, optional: bool, most: int, text: str = "") -> Block:
    element: dict[str, Any] = {"type": "plain_text_input", "action_id": name, "multiline": True, "max_length": most}
    if text:
        element["initial_value"] = outgoing.clipped(text, most)
    return {"type": "input", "block_id": name, "optional": optional, "label": _plain(label, 2000), "element": element}


def _plain(text: str, most: int) -> Block:
    return {"type": "plain_text", "text": outgoing.clipped(text, most)}
