"""What commands, buttons, forms and tabs work with, and how each begins: acknowledged first, done after."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from adapters.slack.aside import Aside
from adapters.slack.asking import private
from adapters.slack.deeds import Deeds
from adapters.slack.forms import View
from adapters.slack.listening import SlackDoor
from adapters.slack.places import Where
from adapters.slack.visits import Visits
from adapters.slack.web import SlackRefused
from core.desk.front import Front
from core.desk.visitor import Visitor
from core.errors import AccessDenied, InputError, RefdeskError, UpstreamError
from core.messages import Accepted, Halted
from core.wording import say

log = logging.getLogger(__name__)

Ack = Callable[..., Awaitable[Any]]
Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SlackCounter:
    """Slack's side of the front desk. `command` is how it is typed."""

    door: SlackDoor
    front: Front
    visits: Visits
    deeds: Deeds
    command: str = "/refdesk"

    def aside(self, where: Where) -> Aside:
        """Words for whoever did something."""
        return Aside(self.door.web, where)

    def begin(self, where: Where, work: Callable[[Visitor, Aside], Awaitable[None]], text: str = "") -> None:
        """Do it for the visitor; what goes wrong is told them."""
        aside = self.aside(where)

        async def done() -> None:
            visitor = await self.visits.of(where, text)
            try:
                await work(visitor, aside)
            except RefdeskError as error:
                log.info("%s: %s", error.id, error)
                await aside.say(_honest(error, visitor).user_message(visitor.language))

        self.deeds.begin(done(), aside, self.visits.spoken(text))

    async def ask(self, where: Where, visitor: Visitor, text: str, about: str = "") -> None:
        """Put a private question, `about` a message or not. Raises InputError for one that can't be used."""
        heard = await self.door.desk.hear(private(where, visitor, text, about))
        if isinstance(heard, Halted):
            await self.aside(where).say(say("thread.stopped", visitor.language))
        elif not isinstance(heard, Accepted):
            raise InputError("error.question_empty")

    async def open(self, where: Where, view: View) -> bool:
        """Open a form in front of somebody; False when the moment for it has passed."""
        try:
            await self.door.web.call("views.open", where.team, trigger_id=where.trigger, view=dict(view))
        except SlackRefused as error:
            if "trigger" not in error.code:
                raise
            return False
        return True


def _honest(error: RefdeskError, visitor: Visitor) -> RefdeskError:
    """Who was denied because nobody could look up who they are is told that."""
    if isinstance(error, AccessDenied) and not visitor.known:
        return UpstreamError("error.slack_people", detail=str(error))
    return error
