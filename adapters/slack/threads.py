"""Slack's messages as the threads that documents are made of. Bots, joins and deleted messages are left out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from adapters.slack.mrkdwn import Names, markdown
from adapters.slack.names import SlackNames
from core.indexing.accepting import MARKS, is_accepted
from core.indexing.threads import Lead, Said

Message = Mapping[str, Any]

_LAYOUT = "1"
"""Raise it when threads are written down in another way: all are then read again."""

SPOKEN = frozenset({"", "file_share", "me_message", "thread_broadcast"})
"""Subtypes that are somebody's words; the others say that somebody joined, a bot spoke, a message is gone."""


@dataclass(frozen=True, slots=True)
class Authors:
    """Tells people from bots. Our own answers must never become their own sources."""

    names: SlackNames
    own: frozenset[str]

    async def is_human(self, message: Message) -> bool:
        """Whether a person wrote it."""
        user = str(message.get("user") or "")
        if not user or message.get("bot_id") or (message.get("subtype") or "") not in SPOKEN:
            return False
        return await self.is_person(user)

    async def is_person(self, user: str) -> bool:
        return user not in self.own and not (await self.names.person(user)).is_bot

    async def people(self, root: Message) -> set[str]:
        """The people in a thread, as far as its root tells (it names five who replied)."""
        found = {user for user in root.get("reply_users") or () if await self.is_person(str(user))}
        return found | ({str(root["user"])} if await self.is_human(root) else set())

    async def told(self, messages: Sequence[Message]) -> list[tuple[str, Said]]:
        """What people said, with their ids beside their names."""
        spoken = [each for each in messages if await self.is_human(each)]
        names = await self.names.referred(str(each.get("text") or "") for each in spoken)
        return [(str(each["user"]), await self._said(each, names)) for each in spoken]

    async def is_solved(self, messages: Sequence[Message]) -> bool:
        """Whether a reaction marks an answer, or who asked says that it was one."""
        if any(map(is_marked, messages)):
            return True
        told = await self.told(messages)
        return is_accepted(str(messages[0].get("user") or ""), [(by, said.text) for by, said in told])

    async def _said(self, message: Message, names: Names) -> Said:
        person = await self.names.person(str(message["user"]))
        files = [str(file.get("title") or file.get("name") or "") for file in message.get("files") or ()]
        text = markdown(str(message.get("text") or ""), names)
        if text.strip():  # a picture alone says nothing
            text = "\n".join([text, *(f"({name})" for name in files if name)])
        return Said(person.name, moment(str(message["ts"])), text)


def is_marked(message: Message) -> bool:
    """Whether a reaction says that this is the answer."""
    return any(reaction.get("name") in MARKS for reaction in message.get("reactions") or ())


def lead_of(id: str, root: Message, replies: Sequence[Message], *, people: int, solved: bool) -> Lead:
    """What the listing knows of a thread; `replies` are those that were looked at."""
    words = "\x1f".join(f"{each['ts']}|{each.get('subtype') or ''}|{each.get('text')}" for each in (root, *replies))
    digest = hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:16]
    seen = f"{_LAYOUT}.{latest_of(root)}.{root.get('reply_count') or 0}.{digest}"
    return Lead(id, moment(latest_of(root)), max(0, people - 1), seen, solved)


def latest_of(root: Message) -> str:
    """The ts of the last message in the thread."""
    return str(root.get("latest_reply") or root["ts"])


def last_listed(fingerprint: str) -> str:
    """The ts of the last message that was there when the thread was listed."""
    return ".".join(fingerprint.split(".")[1:3])


def moment(ts: str) -> datetime:
    return datetime.fromtimestamp(float(ts), UTC)
