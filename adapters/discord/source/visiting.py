"""Which threads there are in the channels: open and archived, never private ones."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from adapters.discord.source.channels import Channel, Channels, Wanted
from adapters.discord.source.guilds import PUBLIC_THREADS, Guild, Payload, moment
from adapters.discord.source.outcome import Outcome
from adapters.discord.source.rest import Refused, Rest, Unanswered
from core.indexing.threads import Lead

_PAGE = 100
_SOLVED = ("solved", "answered", "resolved", "해결", "답변 완료", "답변완료")


@dataclass(frozen=True, slots=True)
class Listed:
    """A thread as it is listed, and where it is."""

    title: str
    tags: tuple[str, ...]
    guild: Guild
    channel: str
    place: str
    lead: Lead

    @property
    def id(self) -> str:
        """Discord's."""
        return self.lead.id

    @property
    def document(self) -> str:
        """Its name as a document."""
        return f"{self.channel}/{self.id}.md"

    @property
    def link(self) -> str:
        """Its address for people."""
        return f"https://discord.com/channels/{self.guild.id}/{self.id}"


@dataclass
class Visit:
    """One look at all channels. Threads that were silent since `since` are passed by."""

    rest: Rest
    since: datetime
    outcome: Outcome = field(default_factory=Outcome)
    threads: dict[str, Listed] = field(default_factory=dict)

    async def go(self, wanted: Wanted) -> None:
        """Look at every channel."""
        channels = await Channels(self.rest, wanted, self.outcome).readable()
        # A thread is archived or opened at any time: looked for here, there and here again, none gets through.
        for look in (self._active, self._archived, self._active):
            await look(channels)

    async def _active(self, channels: Mapping[str, Channel]) -> None:
        for guild in dict.fromkeys(channel.guild.id for channel in channels.values()):
            try:
                told = await self.rest.get(f"/guilds/{guild}/threads/active")
            except (Refused, Unanswered) as error:
                mine = next(channel.name for channel in channels.values() if channel.guild.id == guild)
                self.outcome.cut(mine, "parse.discord_failed", str(error))
                continue
            for payload in told["threads"]:
                channel = channels.get(str(payload.get("parent_id")))
                if channel is not None:
                    self._keep(payload, channel)

    async def _archived(self, channels: Mapping[str, Channel]) -> None:
        for channel in channels.values():
            try:
                await self._pages(channel)
            except Refused:
                self.outcome.unseen += 1
                self.outcome.unread.add(channel.id)
                self.outcome.cut(channel.name, "parse.discord_unseen")
            except Unanswered as error:
                self.outcome.cut(channel.name, "parse.discord_failed", str(error))

    async def _pages(self, channel: Channel) -> None:
        """Last archived first: when a page reaches back far enough, the rest is older still."""
        before: dict[str, str] = {}
        while True:
            told = await self.rest.get(f"/channels/{channel.id}/threads/archived/public", limit=_PAGE, **before)
            for payload in told["threads"]:
                self._keep(payload, channel)
            if not told.get("has_more") or not told["threads"]:
                return
            last = str(told["threads"][-1]["thread_metadata"]["archive_timestamp"])
            if datetime.fromisoformat(last) < self.since or before.get("before") == last:
                return
            before = {"before": last}

    def _keep(self, payload: Payload, channel: Channel) -> None:
        """Note a thread down, unless it is private or too old."""
        if payload["type"] in PUBLIC_THREADS:
            thread = _listed(payload, channel)
            if thread.lead.last >= self.since:
                self.threads[thread.id] = thread


def _listed(payload: Payload, channel: Channel) -> Listed:
    named = {str(tag["id"]): str(tag["name"]) for tag in channel.payload.get("available_tags") or ()}
    tags = tuple(named[str(tag)] for tag in payload.get("applied_tags") or () if str(tag) in named)
    title, place, id_ = str(payload.get("name") or ""), str(channel.payload.get("name") or ""), str(payload["id"])
    newest = str(payload.get("last_message_id") or id_)
    solved = any(word in tag.casefold() for tag in tags for word in _SOLVED)
    seen = f"{newest}-{_hash(title, place, *tags)}"
    lead = Lead(id_, moment(newest), int(payload.get("message_count") or 0), seen, solved)
    return Listed(title, tags, channel.guild, channel.id, place, lead)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:8]
