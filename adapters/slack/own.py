"""The messages of one turn: posted, replaced, taken away, and found again when nobody knows whether they were posted.

Each carries our mark. Whoever reads a thread leaves marked messages out, and a process that takes a turn over from one
that was killed finds what is already there.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adapters.slack.blocks import SlackMessage
from adapters.slack.web import SlackRefused, SlackUnsure, SlackWeb
from core.messages import ReplyTarget, Turn

log = logging.getLogger(__name__)

EVENT = "refdesk_turn"

Record = Callable[[Turn, ReplyTarget], Awaitable[bool]]
"""Told of each new message of ours before the next call."""

_GONE = frozenset(
    {"message_not_found", "cant_update_message", "edit_window_closed", "streaming_state_conflict", "thread_not_found"}
)
_LOOKS = 3


def mark(turn_id: str) -> dict[str, Any]:
    """The metadata of our messages."""
    return {"event_type": EVENT, "event_payload": {"turn": turn_id}}


def marked(message: dict[str, Any]) -> str:
    """The turn whose message it is; empty for any other."""
    metadata = message.get("metadata") or {}
    return str((metadata.get("event_payload") or {}).get("turn", "")) if metadata.get("event_type") == EVENT else ""


@dataclass
class OwnMessages:
    """The messages of a turn where its reply goes; `target` has their ids, in order."""

    web: SlackWeb
    turn: Turn
    record: Record
    target: ReplyTarget

    @property
    def ids(self) -> tuple[str, ...]:
        """Their timestamps."""
        return self.target.message_ids

    @property
    def team(self) -> str:
        """The workspace that they are in."""
        return self.target.workspace

    async def try_post(self, message: SlackMessage) -> bool:
        """Post it if there is room for it now. Raises SlackRefused."""
        return await self._tried("chat.postMessage", self._new(message))

    async def post(self, message: SlackMessage) -> None:
        """Post it, once. Raises SlackRefused, SlackUnsure."""
        for _ in range(_LOOKS):
            try:
                answer: dict[str, Any] | None = await self.web.call("chat.postMessage", self.team, **self._new(message))
            except SlackUnsure:
                answer = await self._lost()
            if answer is not None:
                await self.keep(str(answer["ts"]))
                return
        raise SlackUnsure(detail=f"{self.turn.run} could not be posted")

    async def start_stream(self, words: str, *, direct: bool) -> bool:
        """Begin a message that grows, if there is room for it now. Raises SlackRefused."""
        place = self.target
        readers = {} if direct else {"recipient_user_id": place.recipient, "recipient_team_id": self.team}
        about = {"channel": place.channel, "thread_ts": place.thread, "markdown_text": words, **readers}
        return await self._tried("chat.startStream", about)

    async def try_replace(self, ts: str, message: SlackMessage) -> bool:
        """Replace one if there is room for it now; False also when it is gone."""
        try:
            return await self.web.now("chat.update", self.team, **self._changed(ts, message)) is not None
        except SlackRefused as error:
            log.info("a message of %s was not updated: %s", self.turn.run, error.code)
            return False

    async def replace(self, ts: str, message: SlackMessage) -> bool:
        """Replace one; False when it is gone or can't be changed any more. Raises SlackRefused otherwise."""
        try:
            await self.web.call("chat.update", self.team, **self._changed(ts, message))
        except SlackRefused as error:
            if error.code not in _GONE:
                raise
            log.info("a message of %s can't be changed: %s", self.turn.run, error.code)
            self.target = replace(self.target, message_ids=tuple(each for each in self.ids if each != ts))
            return False
        return True

    async def replace_all(self, messages: Sequence[SlackMessage]) -> None:
        """These and nothing else are there: the first take the place of what is there already."""
        there = list(self.ids)
        for number, message in enumerate(messages):
            if number >= len(there) or not await self.replace(there[number], message):
                await self.post(message)
        for ts in there[len(messages) :]:
            await self.delete(ts)

    async def delete(self, ts: str) -> bool:
        """Take one away; False when Slack won't."""
        try:
            await self.web.call("chat.delete", self.team, channel=self.target.channel, ts=ts)
        except SlackRefused as error:
            return error.code == "message_not_found"
        return True

    async def keep(self, ts: str) -> None:
        """Known from now on, in every process."""
        if ts not in self.ids:
            self.target = self.target.with_message(ts)
            await self.record(self.turn, self.target)

    async def recover(self) -> None:
        """Take up what a process that was killed has left; a stream of it stays one until somebody ends it."""
        if not self.ids:
            for ts in await self._there():
                await self.keep(ts)
        for ts in self.ids:
            with contextlib.suppress(SlackRefused):  # it is no stream, or Slack has ended it
                await self.web.call("chat.stopStream", self.team, channel=self.target.channel, ts=ts)

    async def _tried(self, method: str, about: dict[str, Any]) -> bool:
        """Whether a message of ours is there that was not before; none where there was no room for the call."""
        try:
            answer = await self.web.now(method, self.team, **about)
        except SlackUnsure:
            answer = await self._lost()
        if answer is None:
            return False
        await self.keep(str(answer["ts"]))
        return True

    async def _lost(self) -> dict[str, Any] | None:
        """A message that is there although the answer to its call was lost."""
        fresh = [ts for ts in await self._there() if ts not in self.ids]
        return {"ts": fresh[0]} if fresh else None

    async def _there(self) -> list[str]:
        """The turn's messages in its thread (or at the end of its direct message), oldest first."""
        asked: dict[str, Any] = {"channel": self.target.channel, "include_all_metadata": True, "limit": 200}
        if self.target.thread:
            answer = await self.web.call("conversations.replies", self.team, ts=self.target.thread, **asked)
        else:
            answer = await self.web.call("conversations.history", self.team, **asked)
        me = await self.web.me(self.team)
        found: Iterable[dict[str, Any]] = answer.get("messages", [])
        return sorted(str(each["ts"]) for each in found if self._is_ours(each, me))

    def _is_ours(self, message: dict[str, Any], me: str) -> bool:
        """Marked as the turn's; a stream, which can't be marked while it grows, by its author and its place."""
        turn = marked(message)
        if turn or message.get("user") != me or message.get("metadata"):
            return turn == self.turn.id
        return str(message.get("ts", "")) > self._asked_at and "streaming_state" in message

    @property
    def _asked_at(self) -> str:
        return self.turn.identity.rpartition(":")[2]

    def _new(self, message: SlackMessage) -> dict[str, Any]:
        about = self._changed("", message)
        del about["ts"]
        quiet = {"unfurl_links": False, "unfurl_media": False}
        return {**about, **quiet, "thread_ts": self.target.thread or None}

    def _changed(self, ts: str, message: SlackMessage) -> dict[str, Any]:
        about = {"channel": self.target.channel, "ts": ts, "text": message.text, "blocks": list(message.blocks)}
        return {**about, "metadata": mark(self.turn.id)}
