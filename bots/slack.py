"""Slack's listeners, one line each. What they do stands in `adapters.slack`; what comes of it, in `core.desk`.

Bolt acknowledges `@app.event` listeners before they run, so the hearing is a global middleware, and the listeners of
events do nothing: they only keep Bolt from calling an event unhandled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slack_bolt.async_app import AsyncApp

    from adapters.slack.listening import SlackHearing


def register(app: AsyncApp, hearing: SlackHearing) -> None:
    """Everything that Slack tells us."""
    app.use(hearing.heard)
    app.event("message")(_heard_before)
    app.event("app_mention")(_heard_before)


async def _heard_before() -> None:
    """The middleware has it."""
