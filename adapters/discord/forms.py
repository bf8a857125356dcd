"""What a button opens: the form behind a thumb that is down, and the passage behind a footnote. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from adapters.discord import outgoing
from adapters.discord.looks import SIGN
from core.desk.passages import Opened
from core.messages import Language
from core.wording import say

COMMENT, CORRECTION = "comment", "correction"
TITLE, LONG = 45, 4000
"""Characters that Discord takes as a form's title or a field's label, and in a field."""

AROUND = 1500
"""Characters shown before and after what is quoted."""


def wrong(turn: str, language: Language, *, may_correct: bool) -> ui.Modal:
    """What was wrong, and (for who may say so) what is right."""
    title = outgoing.clipped(say("feedback.title", language), TITLE)
    form = ui.Modal(title=title, custom_id=f"{SIGN}:wrong:{turn}", timeout=900)
    form.add_item(_field(COMMENT, say("feedback.label", language), required=not may_correct))
    if may_correct:
        form.add_item(_field(CORRECTION, say("feedback.right", language), say("feedback.kept", language)))
    return form


def _field(id: str, label: str, about: str | None = None, *, required: bool = False) -> ui.Label[Any]:
    style = discord.TextStyle.paragraph
    field: ui.TextInput[Any] = ui.TextInput(style=style, custom_id=id, required=required, max_length=LONG)
    return ui.Label(text=outgoing.clipped(label, TITLE), description=about, component=field)


def written(components: Sequence[Any]) -> dict[str, str]:
    """What stands in the fields of a form that was sent off."""
    found: dict[str, str] = {}
    for each in components:
        inner = each.get("component") or {}
        if each.get("custom_id"):
            found[str(each["custom_id"])] = str(each.get("value") or "")
        found |= written([*(each.get("components") or []), *([inner] if inner else [])])
    return found


def passage(opened: Opened) -> str:
    """What stands at a footnote, the quoted words in bold."""
    title = f"**{outgoing.words(opened.citation.title)}**"
    quoted = f"**{opened.quoted.strip()}**" if opened.quoted.strip() else ""
    return f"{title}\n{opened.before[-AROUND:]}{quoted}{opened.after[:AROUND]}".strip()
