"""What people said around a question: the earlier messages of its thread, what it quotes, and what it links to.

Bots' own words and ours are left out; nothing is read that the readers of the reply couldn't read themselves.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adapters.slack.events import MESSAGE_LINK
from adapters.slack.hearing import Plain, said_at
from adapters.slack.marks import marked
from adapters.slack.mrkdwn import markdown
from adapters.slack.people import SlackPeople
from adapters.slack.threads import SPOKEN
from adapters.slack.web import SlackWeb
from core.errors import RefdeskError
from core.messages import ThreadMessage, Turn

log = logging.getLogger(__name__)

MOST_PAGES = 20
PAGE = 200
MOST_LINKS = 3

Said = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SlackReader:
    """The ThreadReader of Slack."""

    web: SlackWeb
    people: SlackPeople
    plain: Plain = field(default_factory=Plain)

    async def around(self, turn: Turn, cursor: str | None) -> Sequence[ThreadMessage]:
        """People's messages in the thread after the cursor (an identity; None: from the root), up to the question.

        A private question about a message has those up to that one, and the message itself.
        """
        asked, private = said_at(turn.identity), turn.key.thread.startswith("private/")
        thread = turn.target.thread if private else turn.key.thread
        if not asked or thread in ("", "dm") or (thread == asked and not private):
            return []
        after = said_at(cursor or "") or "0"
        said = [each for each in await self._thread(turn, thread, after) if after < str(each.get("ts", "")) <= asked]
        before = [each for each in said if private or str(each["ts"]) != asked]
        found = [await self._told(turn, each) for each in before if _is_human(each)]
        return [each for each in found if not private or each.text.strip() != turn.question.strip()]

    async def beside(self, turn: Turn) -> Sequence[ThreadMessage]:
        """What the question quotes, forwards and links to; and the files with it, which are not read.

        A private question has no message of its own, and is at most about one.
        """
        if self.plain.has(turn.key.workspace, turn.identity):
            return []
        own = await self._message(turn, turn.key.channel, said_at(turn.identity), turn.target.thread) or {}
        quoted = [await self._quoted(turn, each) for each in own.get("attachments") or () if _is_quote(each)]
        linked = [await self._linked(turn, *found) for found in _links(f"{own.get('text') or ''}\n{turn.question}")]
        files = tuple(str(each.get("title") or each.get("name") or "?") for each in own.get("files") or ())
        beside = [each for each in (*quoted, *linked) if each is not None]
        return [*beside, ThreadMessage("", "", turn.identity, unread=files)] if files else beside

    async def _thread(self, turn: Turn, thread: str, after: str) -> list[Said]:
        messages: list[Said] = []
        about = {"channel": turn.key.channel, "ts": thread, "oldest": after, "limit": PAGE}
        cursor = ""
        for _ in range(MOST_PAGES):
            more = {"cursor": cursor} if cursor else {}
            page = await self.web.call("conversations.replies", turn.key.workspace, **about, **more)
            messages += page.get("messages") or []
            cursor = str((page.get("response_metadata") or {}).get("next_cursor") or "")
            if not cursor:
                break
        return list({str(each.get("ts")): each for each in messages}.values())

    async def _told(self, turn: Turn, message: Said) -> ThreadMessage:
        team = turn.key.workspace
        name = (await self.people.user(team, str(message["user"]))).name
        text = str(message.get("text") or "")
        words = markdown(text, await self.people.names_in(team, text))
        files = [str(each.get("title") or each.get("name") or "") for each in message.get("files") or ()]
        return ThreadMessage(name, "\n".join([words, *(f"({file})" for file in files if file)]), str(message["ts"]))

    async def _quoted(self, turn: Turn, attachment: Said) -> ThreadMessage | None:
        """Whoever can read the question can read what stands under it."""
        text = str(attachment.get("text") or attachment.get("fallback") or "")
        words = markdown(text, await self.people.names_in(turn.key.workspace, text))
        who = str(attachment.get("author_name") or attachment.get("author_subname") or "")
        return ThreadMessage(who, words, str(attachment.get("ts") or "")) if words.strip() else None

    async def _linked(self, turn: Turn, channel: str, ts: str, thread: str) -> ThreadMessage | None:
        """A message of the same channel, or of one that everybody in the workspace can look into."""
        if channel != turn.key.channel:
            room = await self.people.room(turn.key.workspace, channel)
            if not room.is_open or room.outside or turn.audience.external:
                return None
        message = await self._message(turn, channel, ts, thread)
        return await self._told(turn, message) if message and _is_human(message) else None

    async def _message(self, turn: Turn, channel: str, ts: str, thread: str) -> Said | None:
        """One message; what stands in a thread is found there alone."""
        if not ts:
            return None
        # Of a thread the root comes along, whatever was asked for.
        about = {"channel": channel, "oldest": ts, "latest": ts, "inclusive": True, "limit": 5}
        try:
            if thread and thread != ts:
                page = await self.web.call("conversations.replies", turn.key.workspace, ts=thread, **about)
            else:
                page = await self.web.call("conversations.history", turn.key.workspace, **about)
        except RefdeskError as error:
            log.warning("message %s of %s can't be read: %s", ts, channel, error)
            return None
        return next((each for each in page.get("messages") or () if str(each.get("ts")) == ts), None)


def _is_human(message: Said) -> bool:
    by_program = message.get("bot_id") or marked(dict(message)) or not message.get("user")
    return not by_program and (message.get("subtype") or "") in SPOKEN


def _is_quote(attachment: Said) -> bool:
    return bool(attachment.get("is_share") or attachment.get("is_msg_unfurl"))


def _links(text: str) -> list[tuple[str, str, str]]:
    """Channel, message and thread of each link, as many as are followed."""
    found = [(channel, f"{seconds}.{rest}", thread) for channel, seconds, rest, thread in MESSAGE_LINK.findall(text)]
    return list(dict.fromkeys(found))[:MOST_LINKS]
