"""An answer's footer as lines of text: footnotes, nearest documents, notes, standing."""

from __future__ import annotations

from core.answers import Answer
from core.messages import Language
from core.presenting import apart, footnotes, trust_line
from core.wording import say


def footer(answer: Answer, language: Language) -> str:
    """What stands under the text; empty for a direct reply."""
    own, web = apart(answer.citations)
    blocks = [footnotes(own, language)]
    if web:
        blocks.append([say("footnote.web", language), *footnotes(web, language)])
    if answer.nearest:
        blocks.append([say("footnote.nearest", language), *_bullets(answer, language)])
    blocks.append([line for line in (*answer.notes, trust_line(answer, language)) if line])
    return "".join("\n" + "\n".join(block) + "\n" for block in blocks if block)


def _bullets(answer: Answer, language: Language) -> list[str]:
    return ["- " + line.split("] ", 1)[1] for line in footnotes(answer.nearest, language)]
