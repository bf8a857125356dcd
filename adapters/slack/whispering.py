"""A word to who asked, alone: by direct message, where nothing can be said in the place they asked in."""

from __future__ import annotations

from adapters.slack.blocks import failed
from adapters.slack.marks import mark
from adapters.slack.web import SlackWeb
from core.errors import RefdeskError
from core.messages import Language, Turn
from core.wording import say


async def whisper(web: SlackWeb, turn: Turn, error: RefdeskError, language: Language) -> None:
    """Why there is no answer where they asked. Raises SlackRefused, UpstreamError."""
    team = turn.target.workspace
    opened = await web.call("conversations.open", team, users=turn.target.recipient)
    told = failed(say("reply.elsewhere", language, why=error.user_message(language)))
    about = {"channel": str(opened["channel"]["id"]), "text": told.text, "blocks": list(told.blocks)}
    await web.call("chat.postMessage", team, **about, metadata=mark(turn.id))
