"""Slack's listeners, one line each. What they do stands in `adapters.slack`; what comes of it, in `core.desk`.

Bolt acknowledges `@app.event` listeners before they run, so the hearing is a global middleware, and the listeners of
events do nothing: they only keep Bolt from calling an event unhandled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.compose.slack_ids import ANY_OPEN, id_of

if TYPE_CHECKING:
    from slack_bolt.async_app import AsyncApp

    from adapters.slack.guests import SlackGuests
    from adapters.slack.leaving import SlackLeaving
    from adapters.slack.listening import SlackHearing
    from bots.compose.slack_front import SlackFront


def register(app: AsyncApp, hearing: SlackHearing) -> None:
    """Everything that Slack tells us."""
    app.use(hearing.heard)
    app.event("message")(_heard_before)
    app.event("app_mention")(_heard_before)


def register_moving(app: AsyncApp, guests: SlackGuests) -> None:
    """Who comes into a channel, and who leaves it."""
    app.event("member_joined_channel")(guests.moved)
    app.event("member_left_channel")(guests.moved)


def register_leaving(app: AsyncApp, leaving: SlackLeaving) -> None:
    """What a workspace does with the app itself."""
    app.event("app_uninstalled")(leaving.uninstalled)
    app.event("tokens_revoked")(leaving.revoked)


def register_front(app: AsyncApp, front: SlackFront, command: str) -> None:
    """What people do besides asking in a channel."""
    app.command(command)(front.commands.typed)
    app.action(id_of("reindex"))(front.commands.chosen)
    app.action(id_of("reindex_all"))(front.commands.chosen)
    app.action(id_of("feedback"))(front.thumbs.rated)
    app.view(id_of("wrong"))(front.thumbs.told)
    app.action(id_of("why"))(front.buttons.why)
    app.action(ANY_OPEN)(front.buttons.source)
    app.action(id_of("human"))(front.buttons.human)
    app.action(id_of("quiet"))(front.buttons.quiet)
    app.action(id_of("stop"))(front.buttons.stop)
    app.action(id_of("share"))(front.buttons.share)
    app.action(id_of("direct"))(front.buttons.direct)
    app.shortcut(id_of("ask_about"))(front.shortcut.chosen)
    app.view(id_of("ask_about"))(front.shortcut.asked)
    app.event("app_home_opened")(front.home.opened)
    app.event("assistant_thread_started")(front.home.assistant)
    app.event("assistant_thread_context_changed")(_heard_before)


async def _heard_before() -> None:
    """The middleware has it."""
