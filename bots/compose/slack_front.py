"""Slack's side of the front desk, put together: commands, buttons, forms and tabs."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapters.slack.buttons import SlackButtons
from adapters.slack.commands import SlackCommands
from adapters.slack.counter import SlackCounter
from adapters.slack.deeds import Deeds
from adapters.slack.home import SlackHome
from adapters.slack.shortcut import SlackShortcut
from adapters.slack.thumbs import SlackThumbs
from adapters.slack.visits import Visits
from bots.compose.slack import door

if TYPE_CHECKING:
    from bots.compose.service import Service


@dataclass(frozen=True, slots=True)
class SlackFront:
    """What Slack's listeners call, by what people use."""

    commands: SlackCommands
    buttons: SlackButtons
    thumbs: SlackThumbs
    shortcut: SlackShortcut
    home: SlackHome


async def opened_slack_front(stack: AsyncExitStack, service: Service) -> SlackFront:
    """Until the stack is closed; then nothing is under way any more."""
    parts, settings = service.slack, service.base.settings
    assert parts is not None
    visits = Visits(parts.web, parts.people, settings.language)
    deeds = await stack.enter_async_context(Deeds())
    counter = SlackCounter(door(parts, service.desk), service.front, visits, deeds, settings.slack.command)
    return SlackFront(
        SlackCommands(counter), SlackButtons(counter), SlackThumbs(counter), SlackShortcut(counter), SlackHome(counter)
    )
