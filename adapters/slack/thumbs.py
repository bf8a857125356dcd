"""Thumbs under an answer, and the form behind a thumb that is down. Only translates."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from adapters.slack.aside import Aside
from adapters.slack.counter import Ack, Body, SlackCounter
from adapters.slack.forms import COMMENT, CORRECTION, QUESTION, wrong
from adapters.slack.places import of_action, of_form, pressed, written
from core.desk.feedback import Instead
from core.desk.visitor import Visitor
from core.errors import InputError, RefdeskError
from core.feedback import COMMENT_LIMIT
from core.messages import Turn
from core.wording import say

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SlackThumbs:
    """Good and bad answers."""

    counter: SlackCounter

    async def rated(self, ack: Ack, body: Body) -> None:
        """A thumb; one that is down asks what was wrong."""
        await ack()
        where, value = of_action(body), pressed(body)

        async def done(visitor: Visitor, aside: Aside) -> None:
            thumb, _, turn_id = value.partition(":")
            if thumb not in ("up", "down"):
                raise InputError("error.button")
            front = self.counter.front
            await front.answers.answered(turn_id, visitor)
            if thumb == "up":
                await front.receiving.rate(turn_id, visitor.person, "up")
                return
            received = await front.receiving.rate(turn_id, visitor.person, "down")
            correctable = received.turn.question if received.may_correct else ""
            form = wrong(where.kept(turn=turn_id, language=visitor.language), visitor.language, correctable)
            if not await self.counter.open(where, form):
                await aside.say(say("feedback.thanks", visitor.language))

        self.counter.begin(where, done)

    async def told(self, ack: Ack, body: Body) -> None:
        """What was wrong, and what is right."""
        where, kept = of_form(body)
        comment, correction = written(body, COMMENT).strip(), written(body, CORRECTION).strip()
        if not comment and not correction:
            problem = say("error.comment_empty", self.counter.visits.in_form(kept))
            await ack(response_action="errors", errors={COMMENT: problem})
            return
        await ack()

        async def done(visitor: Visitor, aside: Aside) -> None:
            front, turn_id = self.counter.front, kept.get("turn", "")
            turn = await front.answers.turn(turn_id, visitor)
            if comment:
                await front.receiving.comment(turn_id, visitor.person, comment)
            if correction:
                question = written(body, QUESTION).strip() or turn.question
                instead = Instead(question[:COMMENT_LIMIT], correction, await self._link(turn))
                await front.receiving.correct(turn_id, visitor.person, instead)
            await aside.say(say("feedback.corrected" if correction else "feedback.thanks", visitor.language))

        self.counter.begin(where, done, f"{comment} {correction}")

    async def _link(self, turn: Turn) -> str | None:
        """Where the question was asked: whoever reads the correction can see what it was about."""
        if turn.key.private or turn.audience.user is not None or not turn.target.message_ids:
            return None
        about = {"channel": turn.key.channel, "message_ts": turn.target.message_ids[0]}
        try:
            found = await self.counter.door.web.call("chat.getPermalink", turn.key.workspace, **about)
        except RefdeskError as error:
            log.warning("a correction has no link: %s", error)
            return None
        return str(found.get("permalink") or "") or None
