"""`refdesk index --forget NAME`: deleting a collection that is configured no more. Only translates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.compose import opened
from core.wording import say

if TYPE_CHECKING:
    from bots.app import App
    from bots.settings import Settings


async def forget(settings: Settings, name: str) -> int:
    """Delete it and say what that was."""
    async with opened(settings) as app:
        gone = await app.forgetting.forget(name)
        counts = {"documents": gone.documents, "versions": gone.versions, "copies": gone.copies}
        app.terminal.say(say("forget.done", settings.language, name=name, **counts))
    return 0


async def tell_strays(app: App) -> None:
    """Which collections are held though they are configured no more."""
    for name in await app.forgetting.strays():
        app.terminal.say(say("check.stray", app.terminal.language, name=name))
