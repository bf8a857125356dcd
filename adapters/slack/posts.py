"""Messages of ours that are no turn's reply: shared answers, reports of jobs, notes to one person."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from adapters.slack.blocks import SlackMessage, answered, noted
from adapters.slack.limits import Block
from adapters.slack.looking import said_since, shortly_before
from adapters.slack.marks import mark, posted_as
from adapters.slack.web import TRIES, SlackUnsure, SlackWeb
from core.answers import Answer
from core.desk.speaking import question_language
from core.errors import UpstreamError
from core.messages import ReplyTarget
from core.presenting import Looks

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SlackPosts:
    """The Posts of Slack."""

    web: SlackWeb

    async def post(self, target: ReplyTarget, content: Answer | str, turn_id: str = "") -> ReplyTarget:
        """Post it (or put it in place of the message that the target has); the target with its messages."""
        if isinstance(content, Answer):
            messages = answered(
                content, Looks(turn_id, question_language(content.text), direct=target.channel.startswith("D"))
            )
        else:
            messages = noted(content)
        there = list(target.message_ids)
        for number, message in enumerate(messages):
            if number < len(there):
                await self._replace(target, there[number], message)
            else:
                target = target.with_message(await self._new(target, message, turn_id))
                if number == 0 and len(messages) > 1 and not target.thread:
                    # The rest of a long message stands under its beginning.
                    target = replace(target, thread=target.message_ids[0])
        return target

    async def stands(self, target: ReplyTarget) -> bool:
        """Of a deleted message with answers a tombstone is left."""
        first = target.message_ids[0]
        about = {"channel": target.channel, "oldest": first, "latest": first, "inclusive": True, "limit": 5}
        under = target.thread if target.thread != first else ""
        try:
            page = await self.web.call(
                "conversations.replies" if under else "conversations.history",
                target.workspace,
                **about,
                **({"ts": under} if under else {}),
            )
        except UpstreamError as error:
            log.info("whether %s still stands is not known: %s", first, error)
            return True
        there = [each for each in page.get("messages") or () if str(each.get("ts")) == first]
        return any(each.get("subtype") != "tombstone" for each in there)

    async def note(self, target: ReplyTarget, text: str, blocks: Sequence[Block] = ()) -> None:
        """A note that one person sees in a channel where they are; in a direct message it is simply said."""
        if target.channel.startswith("D"):
            await self.post(target, text)
            return
        (message, *_) = noted(text)
        about = {"channel": target.channel, "user": target.recipient, "thread_ts": target.thread or None}
        shown = list(blocks) or list(message.blocks)
        await self.web.tell("chat.postEphemeral", target.workspace, **about, text=message.text, blocks=shown)

    async def _new(self, target: ReplyTarget, message: SlackMessage, turn_id: str) -> str:
        """Once: after a call that was lost it is looked for by its name before it is posted again."""
        name, since = uuid.uuid4().hex, shortly_before(datetime.now(UTC))
        quiet = {"unfurl_links": False, "unfurl_media": False, "thread_ts": target.thread or None}
        about = {**_about(target, message), **quiet, "metadata": mark(turn_id, name)}
        for attempt in range(TRIES):
            try:
                return str((await self.web.call("chat.postMessage", target.workspace, **about))["ts"])
            except SlackUnsure as error:
                log.warning("a message in %s may be there unseen: %s", target.channel, error)
                lost = error
            await asyncio.sleep(self.web.pause * 2**attempt)
            if found := await self._found(target, name, since, lost if turn_id else None):
                return found
        raise lost

    async def _found(self, target: ReplyTarget, name: str, since: str, lost: SlackUnsure | None) -> str:
        """Where it stands; who can't look raises what was `lost`. Without that: rather twice than never."""
        try:
            there = await said_since(self.web, target, since)
        except UpstreamError as error:
            log.warning("nobody could look for it: %s", error)
            if lost is not None:
                raise lost from error
            return ""
        return next((str(each["ts"]) for each in there if posted_as(each) == name), "")

    async def _replace(self, target: ReplyTarget, ts: str, message: SlackMessage) -> None:
        await self.web.call("chat.update", target.workspace, ts=ts, **_about(target, message))


def _about(target: ReplyTarget, message: SlackMessage) -> dict[str, Any]:
    return {"channel": target.channel, "text": message.text, "blocks": list(message.blocks)}
