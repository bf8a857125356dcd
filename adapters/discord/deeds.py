"""What each button under an answer does, for whoever pressed it. Only translates."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass

import discord

from adapters.discord import forms, outgoing
from adapters.discord.counter import DiscordCounter, Told
from adapters.discord.own import is_growing
from adapters.discord.rooms import DIRECT
from adapters.discord.summons import Called, called, summons
from adapters.discord.trouble import asked
from core.desk.feedback import Instead
from core.desk.share import Destination
from core.desk.visitor import Visitor
from core.errors import InputError, RefdeskError
from core.messages import Turn
from core.wording import say


@dataclass(frozen=True, slots=True)
class DiscordDeeds:
    """One method a button. Who may see what of an answer is asked anew each time."""

    counter: DiscordCounter

    async def good(self, turn: str, visitor: Visitor) -> Told:
        """A thumb that is up."""
        await self.counter.front.answers.turn(turn, visitor)
        await self.counter.front.receiving.rate(turn, visitor.person, "up")
        return say("feedback.thanks", visitor.language)

    async def wrong(self, turn_id: str, written: dict[str, str], visitor: Visitor) -> Told:
        """What was written behind a thumb that is down."""
        comment, correction = (written.get(each, "").strip() for each in (forms.COMMENT, forms.CORRECTION))
        front = self.counter.front
        turn = await front.answers.turn(turn_id, visitor)
        if comment or not correction:
            await front.receiving.comment(turn_id, visitor.person, comment)
        if correction:
            await front.receiving.correct(turn_id, visitor.person, Instead(turn.question, correction, _link(turn)))
        return say("feedback.corrected" if correction else "feedback.thanks", visitor.language)

    async def human(self, turn_id: str, visitor: Visitor) -> Told:
        """Somebody is asked instead: in the thread, once; where nobody else reads along, names are told."""
        answers, people = self.counter.front.answers, self.counter.door.people
        named, turn = await answers.whom(turn_id, visitor), await answers.turn(turn_id, visitor)
        who = called(named, people.ours if turn.key.workspace == DIRECT else {turn.key.workspace})
        if not turn.key.private and turn.audience.user is None:
            await self._call(turn, who, visitor)
        in_direct = visitor.audience.workspace == DIRECT
        return summons(await self._names(who) if in_direct else who.mentions, "human.ask", visitor.language)

    async def quiet(self, turn_id: str, visitor: Visitor) -> Told:
        """No more answers in this thread, unless we are named."""
        turn = await self.counter.front.answers.turn(turn_id, visitor)
        return await self.counter.front.threads.quiet(turn.key, visitor)

    async def stop(self, itx: discord.Interaction, turn_id: str, visitor: Visitor) -> Told:
        """End the answer that is being made, with what there is."""
        stopped = await self.counter.front.answers.stop(turn_id, visitor)
        if not stopped:
            await self._left_over(itx, await self.counter.front.answers.answered(turn_id, visitor))
        return say("stop.done" if stopped else "stop.late", visitor.language)

    async def open(self, turn_id: str, number: int, visitor: Visitor) -> Told:
        """A footnote."""
        return forms.passage(await self.counter.front.answers.open(turn_id, number, visitor))

    async def share(self, itx: discord.Interaction, turn_id: str, visitor: Visitor) -> Told:
        """A private answer for everybody in the channel it was asked in."""
        turn = await self.counter.front.answers.answered(turn_id, visitor)
        place = await self.counter.visits.here(itx, visitor)
        spot = await self.counter.visits.spot(itx)
        if spot.is_direct or turn.key.channel != spot.channel:
            raise InputError("error.share_nowhere")
        to = Destination(place.target, place.audience, spot.thread)
        await self.counter.front.sharing.share(turn_id, visitor.person.id, to)
        return say("share.done", visitor.language)

    async def direct(self, turn_id: str, visitor: Visitor) -> Told:
        """A private answer where one can go on asking."""
        await self.counter.front.answers.answered(turn_id, visitor)
        alone = await self.counter.visits.alone(visitor)
        to = Destination(alone.target, alone.audience, "dm")
        await self.counter.front.sharing.share(turn_id, visitor.person.id, to)
        return say("share.direct", visitor.language)

    async def _left_over(self, itx: discord.Interaction, turn: Turn) -> None:
        """Take away what still says that an answer is being made which had ended, in a thread that was locked then."""
        if itx.message is None or itx.channel_id is None or turn.status in ("waiting", "running"):
            return
        place = self.counter.door.client.get_partial_messageable(itx.channel_id)
        with contextlib.suppress(RefdeskError):  # the next who presses it tries again
            async with asked():
                message = await place.fetch_message(itx.message.id)
                if is_growing(message):
                    await message.delete()

    async def _call(self, turn: Turn, who: Called, visitor: Visitor) -> None:
        """In the thread; a call that is lost on the way is not made twice."""
        answers = self.counter.front.answers
        await answers.call(turn.id)
        place = self.counter.door.client.get_partial_messageable(int(turn.target.thread or turn.target.channel))
        message = summons(who.mentions, "human.call", visitor.language)
        try:
            async with asked():
                await place.send(message.content, allowed_mentions=who.allowed, nonce=f"{turn.id[:20]}-ask")
        except RefdeskError:
            await answers.uncall(turn.id)
            raise

    async def _names(self, who: Called) -> str:
        """As words: in direct messages Discord shows no roles, and of people only those that it happens to know."""
        people = self.counter.door.people
        users = await asyncio.gather(*(people.person(id) for id in who.users))
        found = [*(people.role(id) for id in who.roles), *users]
        names = [outgoing.clipped(outgoing.words(each), 80) for each in found if each]
        if not names:
            raise InputError("error.nobody_to_ask")
        return ", ".join(names)


def _link(turn: Turn) -> str | None:
    """Where the question was asked: whoever reads the correction can see what it was about."""
    if turn.key.private or turn.audience.user is not None or not turn.target.message_ids:
        return None
    place = turn.target.thread or turn.target.channel
    return f"https://discord.com/channels/{turn.key.workspace}/{place}/{turn.target.message_ids[0]}"
