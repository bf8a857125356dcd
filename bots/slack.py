"""Slack's listeners, one line each. What they do stands in `adapters.slack`; what comes of it, in `core.desk`.

Bolt acknowledges `@app.event` listeners before they run, so the hearing is a global middleware, and the listeners of
events do nothing: they only keep Bolt from calling an event unhandled.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slack_bolt.async_app import AsyncApp

    from adapters.slack.leaving import SlackLeaving
    from adapters.slack.guests import SlackGuests
    from adapters.slack.listening import SlackHearing
    from bots.compose.slack_front import SlackFront


def register(app: AsyncApp, hearing: SlackHearing) -> None:
    """Everything that Slack tells us."""
    app.use(hearing.heard)
    app.event("message")(_heard_before)
    app.event("app_mention")(_heard_before)


def register_leaving(app: AsyncApp, leaving: SlackLeaving) -> None:
def register_moving(app: AsyncApp, guests: SlackGuests) -> None:
    """Who comes into a channel, and who leaves it."""
    app.event("member_joined_channel")(guests.moved)
    app.event("member_left_channel")(guests.moved)


    """What a workspace does with the app itself."""
    app.event("app_uninstalled")(leaving.uninstalled)
    app.event("tokens_revoked")(leaving.revoked)


def register_front(app: AsyncApp, front: SlackFront, command: str) -> None:
    """What people do besides asking in a channel."""
    app.command(command)(front.commands.typed)
    app.action("refdesk_reindex")(front.commands.chosen)
    app.action("refdesk_reindex_all")(front.commands.chosen)
    app.action("refdesk_feedback")(front.thumbs.rated)
    app.view("refdesk_wrong")(front.thumbs.told)
    app.action("refdesk_why")(front.buttons.why)
    app.action(re.compile(r"refdesk_open(?:_\d+)?"))(front.buttons.source)
    app.action("refdesk_human")(front.buttons.human)
    app.action("refdesk_quiet")(front.buttons.quiet)
    app.action("refdesk_stop")(front.buttons.stop)
    app.action("refdesk_share")(front.buttons.share)
    app.action("refdesk_direct")(front.buttons.direct)
    app.shortcut("refdesk_ask_about")(front.shortcut.chosen)
    app.view("refdesk_ask_about")(front.shortcut.asked)
    app.event("app_home_opened")(front.home.opened)
    app.event("assistant_thread_started")(front.home.assistant)
    app.event("assistant_thread_context_changed")(_heard_before)


async def _heard_before() -> None:
    """The middleware has it."""
