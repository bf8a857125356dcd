"""The buttons under an answer. Each says its turn; who may see what of it is asked anew. Only translates."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.slack.aside import Aside
from adapters.slack.blocks import SlackMessage
from adapters.slack.counter import Ack, Body, SlackCounter
from adapters.slack.forms import explained, passage
from adapters.slack.marks import mark, marked
from adapters.slack.places import Where, of_action, pressed
from adapters.slack.summons import mentions, summons
from core.desk.share import Destination
from core.desk.visitor import Visitor
from core.errors import InputError
from core.messages import Turn
from core.wording import say


@dataclass(frozen=True, slots=True)
class SlackButtons:
    """One method a button."""

    counter: SlackCounter

    async def why(self, ack: Ack, body: Body) -> None:
        """Why this answer?"""
        await ack()
        where, turn = of_action(body), pressed(body)

        async def done(visitor: Visitor, aside: Aside) -> None:
            text = await self.counter.front.answers.why(turn, visitor)
            if not await self.counter.open(where, explained(text, visitor.language)):
                await aside.say(text)

        self.counter.begin(where, done)

    async def source(self, ack: Ack, body: Body) -> None:
        """A footnote opened."""
        await ack()
        where, value = of_action(body), pressed(body)

        async def done(visitor: Visitor, aside: Aside) -> None:
            turn, _, number = value.rpartition(":")
            if not number.isdecimal():
                raise InputError("error.button")
            opened = await self.counter.front.answers.open(turn, int(number), visitor)
            if not await self.counter.open(where, passage(opened, visitor.language)):
                quoted = f"**{opened.quoted}**" if opened.quoted else ""
                await aside.say(
                    "\n\n".join(p for p in (opened.citation.title, opened.before, quoted, opened.after) if p)
                )

        self.counter.begin(where, done)

    async def human(self, ack: Ack, body: Body) -> None:
        """Somebody is asked instead: in the thread, once; where nobody else reads along, their names are told."""
        await ack()
        where, turn_id = of_action(body), pressed(body)

        async def done(visitor: Visitor, aside: Aside) -> None:
            answers = self.counter.front.answers
            who = mentions(await answers.whom(turn_id, visitor), where.team)
            turn = await answers.turn(turn_id, visitor)
            if turn.key.private or turn.audience.user is not None or where.is_direct:
                await aside.show(summons(who, "human.ask", visitor.language))
                return
            await answers.call(turn_id)
            try:
                fresh = await self._called(turn, summons(who, "human.call", visitor.language))
            except BaseException:  # also when it took too long: the next press looks whether it is there
                await answers.uncall(turn_id)
                raise
            if not fresh:
                raise InputError("error.called_already")

        self.counter.begin(where, done)

    async def quiet(self, ack: Ack, body: Body) -> None:
        """No more answers in this thread, unless we are named."""
        await ack()
        where, turn_id = of_action(body), pressed(body)

        async def done(visitor: Visitor, aside: Aside) -> None:
            turn = await self.counter.front.answers.turn(turn_id, visitor)
            await aside.say(await self.counter.front.threads.quiet(turn.key, visitor))

        self.counter.begin(where, done)

    async def stop(self, ack: Ack, body: Body) -> None:
        """End the answer that is being made, with what there is."""
        await ack()
        where, turn_id = of_action(body), pressed(body)

        async def done(visitor: Visitor, aside: Aside) -> None:
            stopped = await self.counter.front.answers.stop(turn_id, visitor)
            await aside.say(say("stop.done" if stopped else "stop.late", visitor.language))

        self.counter.begin(where, done)

    async def share(self, ack: Ack, body: Body) -> None:
        """A private answer for everybody in the channel it was asked in."""
        await ack()
        where, turn_id = of_action(body), pressed(body)

        async def done(visitor: Visitor, aside: Aside) -> None:
            turn = await self.counter.front.answers.answered(turn_id, visitor)
            await self._shared(turn, where, visitor)
            await aside.say(say("share.done", visitor.language))

        self.counter.begin(where, done)

    async def direct(self, ack: Ack, body: Body) -> None:
        """A private answer where one can go on asking."""
        await ack()
        where, turn_id = of_action(body), pressed(body)

        async def done(visitor: Visitor, aside: Aside) -> None:
            await self.counter.front.answers.answered(turn_id, visitor)
            alone = await self.counter.visits.alone(where)
            to = Destination(alone.target, alone.audience, "dm")
            await self.counter.front.sharing.share(turn_id, where.user, to)
            await aside.say(say("share.direct", visitor.language))

        self.counter.begin(where, done)

    async def _shared(self, turn: Turn, where: Where, visitor: Visitor) -> None:
        if turn.key.channel.startswith("D"):
            raise InputError("error.share_nowhere")
        asked_in = Where(where.team, turn.key.channel, where.user, where.user_team)
        here = await self.counter.visits.here(asked_in, visitor)
        await self.counter.front.sharing.share(turn.id, where.user, Destination(here.target, here.audience))

    async def _called(self, turn: Turn, message: SlackMessage) -> bool:
        """Post it in the answer's thread; False when a press that seemed to fail has posted it there."""
        named, place = f"{turn.id}/call", {"channel": turn.key.channel}
        asked = {"ts": turn.target.thread, "oldest": min(turn.target.message_ids, default="0"), "limit": 200}
        call, team = self.counter.door.web.call, turn.key.workspace
        said = await call("conversations.replies", team, **place, **asked, include_all_metadata=True)
        if any(marked(each) == named for each in said.get("messages") or ()):
            return False
        about = {"thread_ts": turn.target.thread or None, "metadata": mark(named)}
        quiet = {"unfurl_links": False, "unfurl_media": False}
        shown = {"text": message.text, "blocks": list(message.blocks)}
        await call("chat.postMessage", team, **place, **about, **quiet, **shown)
        return True
