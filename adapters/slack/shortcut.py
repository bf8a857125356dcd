"""“Ask Refdesk about this” on any message, also in threads, where commands can't be typed. Only translates."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.slack.aside import Aside
from adapters.slack.counter import Ack, Body, SlackCounter
from adapters.slack.forms import QUESTION, TYPED, question
from adapters.slack.mrkdwn import markdown
from adapters.slack.places import of_action, of_form, written
from core.desk.visitor import Visitor
from core.errors import InputError
from core.wording import say


@dataclass(frozen=True, slots=True)
class SlackShortcut:
    """The form that it opens, and the question that is sent with it."""

    counter: SlackCounter

    async def chosen(self, ack: Ack, body: Body) -> None:
        """The message stands in the form as the question that it may be."""
        await ack()
        message: Body = body.get("message") or {}
        where, said, about = of_action(body), str(message.get("text") or ""), str(message.get("ts") or "")

        async def done(visitor: Visitor, aside: Aside) -> None:
            names = await self.counter.door.people.names_in(where.team, said)
            text = markdown(said, names)[:TYPED]
            kept = where.kept(message=about, language=visitor.language)
            if not await self.counter.open(where, question(kept, text, visitor.language)):
                await self.counter.ask(where, visitor, text, about)

        self.counter.begin(where, done, said)

    async def asked(self, ack: Ack, body: Body) -> None:
        """The question, sent."""
        text, (where, kept) = written(body, QUESTION), of_form(body)
        language = self.counter.visits.in_form(kept, text)
        if not text.strip():
            await ack(response_action="errors", errors={QUESTION: say("error.question_empty", language)})
            return
        await ack()

        async def done(visitor: Visitor, aside: Aside) -> None:
            if not where.channel:
                raise InputError("error.button")
            await aside.say(say("status.heard", language))
            await self.counter.ask(where, visitor, text, kept.get("message", ""))

        self.counter.begin(where, done, text)
