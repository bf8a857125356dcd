"""The slash command: acknowledged at once, then done, and told to whoever typed it alone. Only translates."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from adapters.slack.aside import Aside
from adapters.slack.counter import Ack, Body, SlackCounter
from adapters.slack.forms import ALL, chooser
from adapters.slack.places import Where, of_action, of_command, pressed
from adapters.slack.typed import Verb, Wish, parse
from core.desk.visitor import Visitor
from core.errors import InputError
from core.wording import say


@dataclass(frozen=True, slots=True)
class SlackCommands:
    """What can be typed."""

    counter: SlackCounter

    async def typed(self, ack: Ack, body: Body) -> None:
        """A command with what follows it."""
        text, where = str(body.get("text") or ""), of_command(body)
        wish = parse(text)
        sign = say("status.heard", self.counter.visits.spoken(text))
        await (ack(sign) if wish.verb in ("ask", "reindex") else ack())

        async def done(visitor: Visitor, aside: Aside) -> None:
            await self._done(wish, where, visitor, aside)

        self.counter.begin(where, done, text)

    async def chosen(self, ack: Ack, body: Body) -> None:
        """A collection was chosen to be read anew, or all of them."""
        await ack()
        where, value = of_action(body), pressed(body)

        async def done(visitor: Visitor, aside: Aside) -> None:
            await self._reindex(() if value == ALL else (value,), where, visitor, aside)

        self.counter.begin(where, done)

    async def _done(self, wish: Wish, where: Where, visitor: Visitor, aside: Aside) -> None:
        if wish.verb == "ask":
            await self.counter.ask(where, visitor, wish.text)
        elif wish.verb == "reindex":
            await self._reindex_or_choose(wish, where, visitor, aside)
        else:
            await aside.say(await self._told(wish, visitor))

    async def _told(self, wish: Wish, visitor: Visitor) -> str:
        """What the command says."""
        front, id = self.counter.front, wish.id
        listed = say("jobs.listed", visitor.language, command=self.counter.command)
        says: dict[Verb, Callable[[], Awaitable[str]]] = {
            "collections": lambda: front.knowing.collections(visitor),
            "router": lambda: front.router.told(visitor),
            "status": lambda: front.overview.told(visitor),
            "jobs": lambda: front.errands.show(visitor, id, listed) if id else front.errands.jobs(visitor),
            "cancel": lambda: front.errands.cancel(visitor, id, listed),
            "quiet": lambda: front.threads.quiet_latest(visitor),
            "loud": lambda: front.threads.quiet_latest(visitor, quiet=False),
            "forget": lambda: front.threads.forget_latest(visitor),
            "forget_me": lambda: front.threads.forget_me(visitor),
            "channel": lambda: self._channel(wish, visitor),
            "help": lambda: front.help(visitor, self.counter.command),
        }
        if wish.verb not in says:
            raise InputError("error.command", text=wish.text[:80].replace("`", "'"), command=self.counter.command)
        return await says[wish.verb]()

    async def _channel(self, wish: Wish, visitor: Visitor) -> str:
        people, here = self.counter.door.people, visitor.audience
        is_direct = here.channel.startswith("D")
        readers = here if is_direct else await people.shared(here.workspace, here.channel, outside=here.external)
        return await self.counter.front.channels.done(visitor, wish.channel, people, outside=readers.external)

    async def _reindex_or_choose(self, wish: Wish, where: Where, visitor: Visitor, aside: Aside) -> None:
        if wish.names or wish.everything:
            await self._reindex(wish.names, where, visitor, aside)
            return
        choices = await self.counter.front.errands.choices(visitor)
        if len(choices) == 1:
            await self._reindex(choices, where, visitor, aside)
        else:
            await aside.show(chooser(choices, self.counter.command, visitor.language))

    async def _reindex(self, names: Sequence[str], where: Where, visitor: Visitor, aside: Aside) -> None:
        visits = self.counter.visits
        here = await visits.here(where, visitor)
        begun = await self.counter.front.errands.reindex(visitor, names, here, lambda: visits.alone(where))
        key = "reindex.here" if begun.told_at.channel == where.channel else "reindex.direct"
        await aside.say("\n\n".join(part for part in (say(key, visitor.language), begun.text) if part))
