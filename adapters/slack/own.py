"""The messages of one turn: posted, replaced, taken away, and found again when nobody knows whether they are there."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from adapters.slack.blocks import SlackMessage
from adapters.slack.looking import Found, found_of, grows
from adapters.slack.marks import mark
from adapters.slack.web import SlackRefused, SlackUnsure, SlackWeb
from core.errors import TurnTaken, UpstreamError
from core.messages import ReplyTarget, Turn

log = logging.getLogger(__name__)

Record = Callable[[Turn, ReplyTarget], Awaitable[bool]]
"""Told of each new message of ours before the next call; False when the turn is somebody else's."""

_GONE = frozenset(
    {"message_not_found", "cant_update_message", "edit_window_closed", "streaming_state_conflict", "thread_not_found"}
)
_TRIES = 4


@dataclass
class OwnMessages:
    """The messages of a turn where its reply goes; `target` has their ids, in order."""

    web: SlackWeb
    turn: Turn
    record: Record
    target: ReplyTarget
    _doubt: Literal["", "post", "stream", "process"] = ""
    """What may be there unseen: a message or a stream whose call was lost, or anything that another process left."""

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
        """Post it, once. Raises SlackRefused, SlackUnsure, TurnTaken."""
        for attempt in range(_TRIES):
            if self._doubt and await self._looked():
                return
            try:
                if not self._doubt:
                    await self._posted(await self.web.call("chat.postMessage", self.team, **self._new(message)))
                    return
            except SlackUnsure:
                self._doubt = "post"
            await asyncio.sleep(self.web.pause * 2**attempt)
        raise SlackUnsure(detail=f"{self.turn.run} could not be posted")

    async def start_stream(self, words: str, *, direct: bool) -> bool:
        """Begin a message that grows, if there is room for it now. Raises SlackRefused."""
        place = self.target
        readers = {} if direct else {"recipient_user_id": place.recipient, "recipient_team_id": self.team}
        about = {"channel": place.channel, "thread_ts": place.thread, "markdown_text": words, **readers}
        return await self._tried("chat.startStream", about)

    async def try_replace(self, ts: str, message: SlackMessage) -> bool:
        """Replace one if there is room for it now; False when there is none. One that is gone is forgotten."""
        try:
            return await self.web.now("chat.update", self.team, **self._changed(ts, message)) is not None
        except SlackRefused as error:
            log.info("a message of %s was not updated: %s", self.turn.run, error.code)
            if error.code == "message_not_found":
                self._drop(ts)
            return True

    async def replace(self, ts: str, message: SlackMessage) -> bool:
        """Replace one; False when it is gone or can't be changed any more. Raises SlackRefused otherwise."""
        try:
            await self.web.call("chat.update", self.team, **self._changed(ts, message))
        except SlackRefused as error:
            if error.code not in _GONE:
                raise
            log.info("a message of %s can't be changed: %s", self.turn.run, error.code)
            self._drop(ts)
            return False
        return True

    async def replace_all(self, messages: Sequence[SlackMessage]) -> None:
        """These and nothing else are there: the first take the place of what is there already.

        Raises SlackRefused, SlackUnsure, TurnTaken.
        """
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

    async def try_clear(self) -> None:
        """Take all of them away, if there is room for that now. Raises TurnTaken."""
        for ts in self.ids:
            try:
                if await self.web.now("chat.delete", self.team, channel=self.target.channel, ts=ts) is None:
                    break
            except SlackRefused as error:
                if error.code != "message_not_found":
                    break
            self._drop(ts)
        if not await self.record(self.turn, self.target):
            raise TurnTaken(detail=self.turn.run)

    def merge(self, target: ReplyTarget) -> None:
        """Go on where the record says that the reply stands, with all messages of it that are known here."""
        self.target = replace(target, message_ids=tuple(dict.fromkeys((*target.message_ids, *self.ids))))

    async def certain(self) -> None:
        """Know of every message of ours before one is shown for good. Raises SlackUnsure, TurnTaken."""
        for attempt in range(_TRIES):
            if not self._doubt:
                return
            if attempt:
                await asyncio.sleep(self.web.pause * 2**attempt)
            await self._looked()
        if self._doubt:
            raise SlackUnsure(detail=f"what is there of {self.turn.run} can't be looked up")

    async def recover(self) -> None:
        """Take up what another process has left; a stream of it stays one until somebody ends it. Raises TurnTaken.

        While the turn is not answered, a stream in its thread is that of the question before it.
        """
        self._doubt = "process" if self.turn.attempts else "post"
        await self._looked()

    async def _tried(self, method: str, about: dict[str, Any]) -> bool:
        """Whether a message of ours is there that was not before; none where there was no room for the call."""
        if self._doubt:  # another one would be a second
            return await self._looked()
        try:
            answer = await self.web.now(method, self.team, **about)
        except SlackUnsure:
            self._doubt = "stream" if method == "chat.startStream" else "post"
            return await self._looked()
        if answer is not None:
            await self._posted(answer)
        return answer is not None

    async def _posted(self, answer: dict[str, Any]) -> None:
        """Known from now on, in every process; where the turn is another's now, it was one too many."""
        ts = str(answer["ts"])
        if not await self._kept(ts):
            with contextlib.suppress(UpstreamError):
                await self.delete(ts)
            raise TurnTaken(detail=self.turn.run)

    def _drop(self, ts: str) -> None:
        self.target = replace(self.target, message_ids=tuple(each for each in self.ids if each != ts))

    async def _kept(self, ts: str) -> bool:
        """Whether it is on record; a record that fails leaves it known here."""
        if ts in self.ids:
            return True
        before, self.target = self.target, self.target.with_message(ts)
        if not await self.record(self.turn, self.target):
            self.target = before
            return False
        return True

    async def _looked(self) -> bool:
        """Whether a message is there that we didn't know of; who can't look now looks again before another one."""
        try:
            there = await found_of(self.web, self.turn, self.target, streams=self._doubt != "post")
        except SlackRefused as error:
            log.warning("we may not look for messages of %s: %s", self.turn.run, error.code)
            there = [{"ts": ts, "streaming_state": "unknown"} for ts in self.ids]
        except UpstreamError as error:
            log.warning("a message of %s may be there unseen: %s", self.turn.run, error)
            return False
        fresh = [each for each in there if str(each["ts"]) not in self.ids]
        for each in fresh:
            if not await self._kept(str(each["ts"])):
                raise TurnTaken(detail=self.turn.run)
        if self._doubt == "process":
            await self._end_streams(there)
        self._doubt = ""
        return bool(fresh)

    async def _end_streams(self, there: Iterable[Found]) -> None:
        for each in there:
            if grows(each):
                with contextlib.suppress(SlackRefused):  # it is no stream, or Slack has ended it
                    await self.web.call("chat.stopStream", self.team, channel=self.target.channel, ts=str(each["ts"]))

    def _new(self, message: SlackMessage) -> dict[str, Any]:
        about = self._changed("", message)
        del about["ts"]
        quiet = {"unfurl_links": False, "unfurl_media": False}
        return {**about, **quiet, "thread_ts": self.target.thread or None}

    def _changed(self, ts: str, message: SlackMessage) -> dict[str, Any]:
        about = {"channel": self.target.channel, "ts": ts, "text": message.text, "blocks": list(message.blocks)}
        return {**about, "metadata": mark(self.turn.id)}
