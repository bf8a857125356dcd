"""What commands, buttons and forms work with: each is acknowledged first and done after, and told to one person."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

import discord

from adapters.discord import outgoing
from adapters.discord.listening import DiscordDoor
from adapters.discord.looks import DiscordMessage, noted
from adapters.discord.mail import SILENT, ChannelMail, InteractionMail, Mail
from adapters.discord.rooms import DIRECT, PLATFORM
from adapters.discord.spots import Spot
from adapters.discord.trouble import ACKNOWLEDGED, EXPIRED, NO_MESSAGE, DiscordRefused, asked
from adapters.discord.visits import Visits, spoken
from core.asking import halts, hushes
from core.desk.front import Front
from core.desk.hear import question_of
from core.desk.promises import Promises
from core.desk.visitor import Visitor
from core.errors import InputError, RefdeskError
from core.mentions import quiet
from core.messages import Accepted, Audience, Author, Halted, Language, Message, ReplyTarget, SessionKey
from core.wording import say

log = logging.getLogger(__name__)

ANSWERABLE = timedelta(minutes=14)
"""How long an interaction takes an answer: Discord says fifteen minutes."""

OTHERS = 2.0
"""Seconds that another process gets to answer what it may have acknowledged before us."""

Told = str | DiscordMessage
"""What somebody is told: Markdown of our own in as many messages as it needs, or one as it stands."""

Work = Callable[[Visitor], Awaitable[Told]]

Acknowledged = Literal["ours", "elsewhere", "late"]
"""Who gave Discord the sign of life it asks for: this process, another one (each is told of all), nobody in time."""


@dataclass(frozen=True, slots=True)
class DiscordCounter:
    """Discord's side of the front desk."""

    door: DiscordDoor
    front: Front
    visits: Visits
    promises: Promises = field(default_factory=Promises)

    async def done(self, itx: discord.Interaction, work: Work) -> None:
        """Acknowledge, do it for the visitor, and tell them what came of it, or what went wrong."""

        async def worked() -> Told:
            return await work(await self.visits.of(itx))

        with self.promises.kept():
            if await self.acknowledged(itx) == "ours":
                await self._promised(itx, worked)

    async def _promised(self, itx: discord.Interaction, work: Callable[[], Awaitable[Told]]) -> None:
        """Do what was acknowledged and tell what came of it, if only that it was called off."""
        try:
            told = await _tried(itx, work)
            if told:
                await self.say(itx, told)
        except asyncio.CancelledError:
            await self.say(itx, RefdeskError("error.ending").user_message(spoken(itx)))
            raise

    async def acknowledged(self, itx: discord.Interaction, *, public: bool = False) -> Acknowledged:
        """Give Discord our sign of life; where it came too late, the asker sees that nothing happened."""
        try:
            async with asked() as tries:
                await itx.response.defer(ephemeral=not public, thinking=True)
        except DiscordRefused as error:
            log.warning("an interaction could not be acknowledged: %s", error)
            if error.code != ACKNOWLEDGED:
                return "late"
            return "ours" if tries.unsure and await self._unanswered(itx) else "elsewhere"
        except RefdeskError as error:  # it may have been; what is done about it is told in any case
            log.warning("whether an interaction was acknowledged is not known: %s", error)
        return "ours"

    async def _unanswered(self, itx: discord.Interaction) -> bool:
        """Whether nobody has answered after a moment what was acknowledged: then it was by a try of our own."""
        await asyncio.sleep(OTHERS)
        try:
            return await InteractionMail(self.door.client, itx.token).is_thinking()
        except RefdeskError as error:
            log.warning("whether an interaction is ours is not known: %s", error)
            return False

    async def say(self, itx: discord.Interaction, text: Told) -> None:
        """For them alone."""
        messages = noted(text) if isinstance(text, str) else [text]
        try:
            await self._say(itx, messages)
        except RefdeskError as error:
            log.warning("nobody could be told: %s", error)

    async def _say(self, itx: discord.Interaction, messages: Sequence[DiscordMessage]) -> None:
        """From where the interaction takes no answer any more, in their direct messages."""
        mail: Mail = InteractionMail(self.door.client, itx.token)
        for number, message in enumerate(messages):
            try:
                await mail.post(message, "")
            except DiscordRefused as error:
                if error.code not in (*EXPIRED, NO_MESSAGE):  # the sign of life may be gone
                    raise
                target = ReplyTarget(PLATFORM, DIRECT, "", "", recipient=str(itx.user.id))
                mail = ChannelMail(self.door.client, (await self.visits.rooms.direct(target)).channel)
                await mail.post(message, f"{itx.id}-{number}")

    async def ask(self, itx: discord.Interaction, question: str, *, public: bool = False) -> None:
        """A question: seen by them alone, or by everybody, in a thread.

        One that another process acknowledged may have been our own try whose answer was lost. The record takes a
        private one once, whoever hears it; of a public one a second message would stand there.
        """
        public = public and not (hushes(question) or halts(question))  # nothing to show to everybody
        with self.promises.kept():
            taken = await self.acknowledged(itx, public=public)

            async def asked_now() -> Told:
                return await self._asked(itx, question, taken, public=public and taken == "ours")

            if taken != "elsewhere":
                await self._promised(itx, asked_now)
            elif not public:
                await _tried(itx, asked_now)

    async def _asked(self, itx: discord.Interaction, question: str, taken: Acknowledged, *, public: bool) -> Told:
        """Have it heard; then there is nothing to tell, but that it was a “stop”."""
        if public:
            message = await self._public(itx, question)
        else:
            message = _private(itx, await self.visits.spot(itx), await self.visits.of(itx), question)
        if taken == "late":  # the answer goes to their direct messages
            message = replace(message, reply_to=replace(message.reply_to, interaction_expires=datetime.now(UTC)))
        heard = await self.door.desk.hear(message)
        if isinstance(heard, Halted):
            return say("thread.stopped", spoken(itx))
        if not isinstance(heard, Accepted):
            raise InputError("error.question_empty")
        return ""

    async def _public(self, itx: discord.Interaction, question: str) -> Message:
        """The question stands in the channel as a message of ours, and the answer in a thread on it."""
        try:
            question_of(question)
            spot = await self.visits.spot(itx)
            async with asked():
                shown = asks(itx.user.display_name, question, spoken(itx))
                sent = await itx.followup.send(shown, wait=True, allowed_mentions=SILENT, suppress_embeds=True)
        except Exception:
            await self._unshown(itx)
            raise
        return self._shown(itx, spot, question, str(sent.id))

    async def _unshown(self, itx: discord.Interaction) -> None:
        """Take back the sign of life that everybody sees: what follows it is for the asker alone."""
        try:
            async with asked():
                await itx.delete_original_response()
        except RefdeskError as error:
            log.warning("a sign of life stays: %s", error)

    def _shown(self, itx: discord.Interaction, spot: Spot, question: str, id: str) -> Message:
        outside = spot.outside or (not spot.is_direct and not self.door.people.is_home(spot.workspace))
        user = str(itx.user.id)
        if spot.is_direct:
            audience = Audience(PLATFORM, spot.workspace, spot.channel, user, external=True, provisional=True)
        else:
            audience = Audience(PLATFORM, spot.workspace, spot.channel, external=outside)
        return Message(
            identity=id,
            key=spot.key(id),
            author=Author(user, itx.user.display_name),
            text=question,
            audience=audience,
            reply_to=ReplyTarget(PLATFORM, spot.workspace, spot.room, id if spot.opens_threads else "", recipient=user),
            received_at=datetime.now(UTC),
            mentions_us=True,
        )


def asks(name: str, question: str, language: Language) -> str:
    """A question of somebody's, as everybody sees it."""
    told_name = outgoing.clipped(outgoing.words(name), 100)
    return say("discord.asks", language, name=told_name, question=outgoing.clipped(quiet(question), 1800))


async def _tried(itx: discord.Interaction, work: Callable[[], Awaitable[Told]]) -> Told:
    """What came of it, or what went wrong, in words for them."""
    try:
        return await work()
    except RefdeskError as error:
        log.info("%s: %s", error.id, error)
        return error.user_message(spoken(itx))
    except Exception as bug:
        shown = RefdeskError(detail=repr(bug))
        log.exception("not done (%s)", shown.id)
        return shown.user_message(spoken(itx))


def _private(itx: discord.Interaction, spot: Spot, visitor: Visitor, question: str) -> Message:
    now, user = datetime.now(UTC), visitor.person.id
    target = ReplyTarget(
        PLATFORM,
        spot.workspace,
        spot.room,
        "",
        recipient=user,
        visibility="private",
        interaction=itx.token,
        interaction_expires=itx.created_at + ANSWERABLE,
    )
    return Message(
        identity=f"private/{itx.id}",
        key=SessionKey(PLATFORM, spot.workspace, spot.channel, f"private/{user}/{itx.id}"),
        author=Author(user, itx.user.display_name, visitor.audience.roles),
        text=question,
        audience=replace(visitor.audience, provisional=spot.is_direct),
        reply_to=target,
        received_at=now,
    )
