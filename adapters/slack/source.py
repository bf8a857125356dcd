"""The history of chosen Slack channels as a source of documents: a thread is a document.

Listing reads the channels and, of threads where people wrote lately, the replies too (an edited reply shows nowhere
else). Fetching reads one thread. What is private, or shared with another organisation, is read only when named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from adapters.slack.answers import pages, part
from adapters.slack.names import SlackNames
from adapters.slack.threads import Authors, Message, is_marked, last_listed, latest_of, lead_of, moment
from adapters.slack.web import SlackRefused, SlackWeb
from core.documents import Listing, Problem, SourceEntry
from core.errors import ParseError, SourceError, UpstreamError
from core.indexing.accepting import is_worth
from core.indexing.threads import Again, Choice, Conversation, Lead
from core.ports import Clock

_PAGE, _ALL = 200, 100_000
_AGAIN = Again(young=0)
"""A reply's edit shows nowhere; replies of late are looked at by each listing, older threads once a month."""
_NAMES_LAST = timedelta(days=1)
"""How long a running desk goes by the names it has looked up."""
_REASONS = {"channel_not_found": "parse.slack_unknown", "not_in_channel": "parse.slack_outside"}


@dataclass(frozen=True, slots=True)
class SlackOptions:
    """Which channels, by id, and how much of them. `closed` names those that may be read though they are not public.

    Replies of threads are looked at in each listing while somebody wrote there within `recheck_days`.
    """

    channels: tuple[str, ...]
    closed: frozenset[str] = frozenset()
    max_days: int = 365
    max_threads: int = 2000
    recheck_days: float = 7


@dataclass(frozen=True, slots=True)
class _Thread:
    """A thread that is worth a document."""

    lead: Lead
    link: str
    size: int


@dataclass
class _Channel:
    """What came of listing one channel. `closed`: nothing of it may be served any more."""

    id: str
    name: str
    threads: list[_Thread] = field(default_factory=list)
    reason: str = ""
    detail: str = ""
    closed: bool = False

    @property
    def failed(self) -> bool:
        return bool(self.reason) and not self.closed


class SlackSource:
    """Listing and fetching with one bot token, whatever workspace it is of."""

    def __init__(self, web: SlackWeb, options: SlackOptions, clock: Clock) -> None:
        self._web, self._options, self._clock, self._team = web, options, clock, ""
        self._names, self._named = SlackNames(web, ""), datetime.min.replace(tzinfo=UTC)
        self._kept: dict[str, Sequence[Message]] = {}
        self._authors: Authors | None = None

    async def list(self) -> Listing:
        """The threads of all channels; raises SourceError for a bad token, a missing scope, or no channel at all.

        A channel that can't be listed now keeps its documents; one that was closed or is gone loses them.
        """
        self._kept.clear()
        try:
            own = await self._own()
            channels = [await self._channel(id, own) for id in self._options.channels]
        except SlackRefused as refused:
            raise _error(refused) from refused
        except UpstreamError as error:
            raise SourceError("error.slack_failed", what=error.detail) from error
        if all(each.failed for each in channels):
            what = ", ".join(f"{each.name}: {each.detail}" for each in channels)
            raise SourceError("error.slack_channels", channels=what)
        return self._listing(channels)

    async def fetch(self, entry: SourceEntry) -> bytes:
        """The thread as Markdown, as far as it went when it was listed; raises ParseError."""
        channel, _, ts = entry.id.partition("/")
        try:
            messages = self._kept.pop(entry.id, None)
            if messages is None:
                messages = await self._replies(channel, ts, last_listed(entry.fingerprint))
            authors = self._authors or self._authors_of(await self._own())
            told = [said for _, said in await authors.told(messages)]
        except SlackRefused as refused:
            if refused.signed_out:
                raise _error(refused) from refused
            reason = "parse.gone" if refused.code.endswith("_not_found") else "parse.slack_failed"
            raise ParseError(reason, detail=refused.code) from refused
        except UpstreamError as error:
            raise ParseError("parse.slack_failed", detail=error.detail) from error
        data = Conversation("", told).markdown()
        if not data:
            raise ParseError("parse.empty")
        return data

    async def _own(self) -> Mapping[str, Any]:
        """Who we are. Answering people in the same workspace counts against the same budget."""
        own = await self._web.call("auth.test", self._team)
        self._team = part(own, "team_id", str)
        if self._clock.now() - self._named >= _NAMES_LAST:
            self._names, self._named = SlackNames(self._web, self._team), self._clock.now()
        self._authors = self._authors_of(own)
        return own

    def _authors_of(self, own: Mapping[str, Any]) -> Authors:
        return Authors(self._names, frozenset({str(own.get("user_id")), "USLACKBOT"}))

    async def _channel(self, id: str, own: Mapping[str, Any]) -> _Channel:
        """One channel, or why not."""
        found = _Channel(id, id)
        try:
            info = part(await self._web.call("conversations.info", self._team, channel=id), "channel", dict)
            found.name = f"#{info.get('name') or id}"
            found.reason = self._closed(id, info)
            found.closed = bool(found.reason)
            if not found.closed:
                await self._roots(id, str(own.get("url") or ""), found)
        except SlackRefused as refused:
            if refused.code == "missing_scope" or refused.signed_out:
                raise
            found.reason, found.detail = _REASONS.get(refused.code, "parse.slack_failed"), refused.code
            found.closed = refused.code == "channel_not_found"
        except UpstreamError as error:
            found.reason, found.detail = "parse.slack_failed", error.detail
        return found

    def _closed(self, id: str, info: Mapping[str, Any]) -> str:
        """Why the channel must not be read, ``""`` if it may."""
        if info.get("is_im") or info.get("is_mpim"):
            return "parse.slack_direct"
        open_ = not (info.get("is_private") or info.get("is_ext_shared") or info.get("is_pending_ext_shared"))
        return "" if open_ or id in self._options.closed else "parse.slack_closed"

    async def _roots(self, id: str, url: str, found: _Channel) -> None:
        oldest = self._clock.now() - timedelta(days=self._options.max_days)
        about = {"channel": id, "oldest": f"{oldest.timestamp():.6f}", "limit": _PAGE}
        async for page in pages(self._web, "conversations.history", self._team, _ALL, **about):
            for root in page.get("messages") or ():
                thread = await self._thread(id, url, root) if root.get("thread_ts") in (None, root["ts"]) else None
                if thread is not None:
                    found.threads.append(thread)

    async def _thread(self, channel: str, url: str, root: Message) -> _Thread | None:
        """The thread of a root, unless it is not worth a document."""
        authors = self._authors
        assert authors is not None
        if not (root.get("reply_count") or is_worth(1, str(root.get("text") or ""))):
            return None  # nobody needs to be looked up for small talk
        people = await authors.people(root)
        opening = str(root.get("text") or "") if root.get("user") in people else ""
        if not is_worth(len(people), opening):
            return None
        id, ts, solved = f"{channel}/{root['ts']}", str(root["ts"]), is_marked(root)
        messages: Sequence[Message] = (root,)
        if root.get("reply_count") and self._is_lively(root):
            messages = self._kept[id] = await self._replies(channel, ts, latest_of(root))
            solved = await authors.is_solved(messages)
        lead = lead_of(id, root, messages[1:], people=len(people), solved=solved)
        link = f"{url.rstrip('/')}/archives/{channel}/p{ts.replace('.', '')}"
        return _Thread(lead, link, sum(len(str(each.get("text") or "")) for each in messages))

    def _is_lively(self, root: Message) -> bool:
        return self._clock.now() - moment(latest_of(root)) <= timedelta(days=self._options.recheck_days)

    async def _replies(self, channel: str, ts: str, latest: str) -> Sequence[Message]:
        """Root and replies up to that ts, oldest first; a root that comes on every page counts once."""
        found: dict[str, Message] = {}
        about = {"channel": channel, "ts": ts, "latest": latest, "inclusive": True, "limit": _PAGE}
        async for page in pages(self._web, "conversations.replies", self._team, _ALL, **about):
            found.update((str(each["ts"]), each) for each in page.get("messages") or ())
        return [found[each] for each in sorted(found)]

    def _listing(self, channels: Sequence[_Channel]) -> Listing:
        now, threads = self._clock.now(), {each.lead.id: each for channel in channels for each in channel.threads}
        choice = Choice(self._options.max_days, self._options.max_threads)
        leads, left = choice.of((each.lead for each in threads.values()), now)
        problems = [Problem(each.name, each.reason, each.detail) for each in channels if each.reason]
        if left:
            problems.append(Problem("slack", "parse.note_threads_limit", str(left)))
        entries = [_entry(threads[lead.id], now) for lead in sorted(leads, key=lambda lead: lead.id)]
        self._kept = {entry.id: self._kept[entry.id] for entry in entries if entry.id in self._kept}
        # whatever else could not be listed: what was closed is not served any more
        gone = tuple(f"{each.id}/" for each in channels if each.closed)
        return Listing(tuple(entries), not any(each.failed for each in channels), tuple(problems), gone)


def _entry(thread: _Thread, now: datetime) -> SourceEntry:
    lead = thread.lead
    return SourceEntry(lead.id, _AGAIN.fingerprint(lead, now), thread.size, "text/markdown", lead.last, thread.link)


def _error(refused: SlackRefused) -> SourceError:
    if refused.code == "missing_scope":
        return SourceError("error.slack_scope", needed=refused.fields["needed"])
    if refused.signed_out:
        return SourceError("error.slack_token", detail=refused.code, what=refused.code)
    return SourceError("error.slack_failed", what=refused.code)
