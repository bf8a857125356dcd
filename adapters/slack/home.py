"""The app's own tabs: Home, the Messages tab with questions to begin with, titles of threads. Only translates."""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import dataclass, field

from adapters.slack import outgoing
from adapters.slack.counter import Body, SlackCounter
from adapters.slack.home_view import Asked, HomeParts, home
from adapters.slack.places import Where
from adapters.slack.web import SlackRefused
from core.desk.threads import Past
from core.desk.visitor import Visitor
from core.messages import Turn
from core.wording import say

log = logging.getLogger(__name__)

PROMPTS = 4
RECENT = 5
PROMPT_TITLE, THREAD_TITLE = 60, 60
MOST_TITLES = 2000


@dataclass
class SlackHome:
    """Opened tabs. A tab that is being made is not made twice at once."""

    counter: SlackCounter
    _under_way: set[tuple[str, str, str]] = field(default_factory=set)
    _titled: OrderedDict[tuple[str, str], None] = field(default_factory=OrderedDict)

    async def opened(self, body: Body) -> None:
        """Somebody looks at the Home or the Messages tab."""
        event = body.get("event") or {}
        where = Where(str(body.get("team_id") or ""), str(event.get("channel") or ""), str(event.get("user") or ""))
        tab = str(event.get("tab") or "home")
        if tab in ("home", "messages"):
            self._begin(where, tab, "")

    async def assistant(self, body: Body) -> None:
        """The older assistant pane was opened, or something else is looked at beside it."""
        thread = (body.get("event") or {}).get("assistant_thread") or {}
        channel, user = str(thread.get("channel_id") or ""), str(thread.get("user_id") or "")
        self._begin(
            Where(str(body.get("team_id") or ""), channel, user), "assistant", str(thread.get("thread_ts") or "")
        )

    def titled(self, turn: Turn) -> None:
        """The first question of a thread in direct messages is its title."""
        thread = (turn.target.channel, turn.target.thread)
        if not thread[0].startswith("D") or not thread[1] or thread in self._titled or turn.quiet:
            return
        self._titled[thread] = None
        while len(self._titled) > MOST_TITLES:
            self._titled.popitem(last=False)
        self.counter.deeds.begin(self._title(turn))

    def _begin(self, where: Where, tab: str, thread: str) -> None:
        one = (where.team, where.user, tab)
        if one in self._under_way:
            return
        self._under_way.add(one)

        async def done() -> None:
            try:
                visitor = await self.counter.visits.of(where)
                await (self._home(where, visitor) if tab == "home" else self._prompts(where, visitor, thread))
            finally:
                self._under_way.discard(one)

        self.counter.deeds.begin(done())

    async def _home(self, where: Where, visitor: Visitor) -> None:
        front = self.counter.front
        recent = [await self._asked(each, visitor) for each in await front.threads.recent(visitor, RECENT)]
        health = await front.overview.told(visitor) if front.overview.may(visitor) else ""
        how = await front.help(visitor, self.counter.command)
        parts = HomeParts(await front.knowing.lines(visitor), how, recent, health)
        view = home(parts, visitor.language)
        await self.counter.door.web.call("views.publish", where.team, user_id=where.user, view=dict(view))

    async def _asked(self, past: Past, visitor: Visitor) -> Asked:
        turn = past.turn
        if past.answer is not None:
            return Asked(turn.question, past.answer.text, await self._link(turn))
        if turn.status in ("waiting", "running"):
            why = "home.unended"
        else:
            why = "home.failed" if turn.answer is None else "home.unreadable"
        return Asked(turn.question, say(why, visitor.language), await self._link(turn))

    async def _link(self, turn: Turn) -> str:
        """Where the answer stands, if there is room for asking."""
        if not turn.target.message_ids or turn.target.visibility == "private":
            return ""
        about = {"channel": turn.target.channel, "message_ts": turn.target.message_ids[0]}
        try:
            found = await self.counter.door.web.now("chat.getPermalink", turn.key.workspace, **about)
        except SlackRefused:
            return ""
        return str((found or {}).get("permalink") or "")

    async def _prompts(self, where: Where, visitor: Visitor, thread: str) -> None:
        """In an app with the newer agent view a thread would make Slack drop them in silence."""
        questions = await self.counter.front.knowing.samples(visitor, PROMPTS)
        if not questions:
            return
        prompts = [{"title": outgoing.clipped(each, PROMPT_TITLE), "message": each} for each in questions]
        about = {"channel_id": where.channel, "title": say("prompts.title", visitor.language), "prompts": prompts}
        place = {"thread_ts": thread} if thread else {}
        await self.counter.door.web.call("assistant.threads.setSuggestedPrompts", where.team, **about, **place)

    async def _title(self, turn: Turn) -> None:
        title = outgoing.clipped(" ".join(turn.question.split()), THREAD_TITLE)
        about = {"channel_id": turn.target.channel, "thread_ts": turn.target.thread, "title": title}
        await self.counter.door.web.now("assistant.threads.setTitle", turn.key.workspace, **about)
