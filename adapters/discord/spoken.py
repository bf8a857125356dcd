"""Messages of Discord as words: ids become names, markup that only Discord knows becomes text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from adapters.discord.source.guilds import Guild, Payload
from core.indexing.threads import Said

_MESSAGE, _REPLY, _STARTER = 0, 19, 21
_TOKEN = re.compile(
    r"<(?:@!?(?P<person>\d+)|@&(?P<role>\d+)|#(?P<channel>\d+)|a?:(?P<emoji>\w+):\d+"
    r"|t:(?P<time>-?\d{1,12})(?::[a-zA-Z])?|/(?P<command>[^:<>]{1,100}):\d+|id:(?P<section>\w+))>"
)
_CODE = re.compile(r"(```.*?(?:```|\Z)|``.*?``|`[^`\n]*`)", re.DOTALL)
UNKNOWN = "…"


class Named(Protocol):
    """Whoever knows what roles and channels are called."""

    @property
    def roles(self) -> Mapping[str, str]: ...

    @property
    def channels(self) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class Post:
    """What one person said. `by` is the author's id; `opens`: it is the first message of the thread."""

    by: str
    said: Said
    opens: bool


def spoken(messages: Iterable[Payload], guild: Guild) -> tuple[Post, ...]:
    """What people wrote, oldest first; bots, webhooks and Discord's own notes are left out."""
    told = [_starter(message) if message.get("type") == _STARTER else message for message in messages]
    people = {
        str(known["id"]): shown_name(known)
        for message in filter(None, told)
        for known in (message["author"], *(message.get("mentions") or ()))
    }
    found = (_post(message, guild, people, opens=number == 0) for number, message in enumerate(told) if message)
    return tuple(filter(None, found))


def shown_name(user: Payload) -> str:
    """The name that people see."""
    return str(user.get("global_name") or user.get("username") or UNKNOWN)


def _starter(note: Payload) -> Payload | None:
    """The message that a thread hangs on; None when it was deleted."""
    starter = note.get("referenced_message")
    return starter if isinstance(starter, dict) else None


def _post(message: Payload, guild: Guild, people: Mapping[str, str], *, opens: bool) -> Post | None:
    author = message["author"]
    if author.get("bot") or message.get("webhook_id") or message.get("type", _MESSAGE) not in (_MESSAGE, _REPLY):
        return None
    text = _words(message, guild, people)
    when = datetime.fromisoformat(str(message["timestamp"])).astimezone(UTC)
    said = Said(shown_name(author), when, text)
    return Post(str(author["id"]), said, opens) if text else None


def _words(message: Payload, guild: Guild, people: Mapping[str, str]) -> str:
    """The words of a message, what it passes on as a quotation, and what hangs on it."""
    parts = [named(str(message.get("content") or ""), guild, people).strip()]
    for each in message.get("message_snapshots") or ():
        passed_on = named(str(each.get("message", {}).get("content") or ""), guild, people).strip()
        parts.append("\n".join(f"> {line}" for line in passed_on.split("\n")) if passed_on else "")
    if any(parts):  # a picture alone says nothing
        parts.extend(f"📎 {each.get('filename', '')}" for each in message.get("attachments") or ())
    return "\n\n".join(filter(None, parts))


def named(text: str, guild: Named, people: Mapping[str, str]) -> str:
    """Names in place of ids, outside of code."""

    def name(match: re.Match[str]) -> str:
        if match["person"]:
            return "@" + people.get(match["person"], UNKNOWN)
        if match["role"]:
            return "@" + guild.roles.get(match["role"], UNKNOWN)
        if match["channel"]:
            return "#" + guild.channels.get(match["channel"], UNKNOWN)
        if match["time"]:
            return _day(int(match["time"]))
        if match["command"]:
            return f"`/{match['command']}`"
        return f":{match['emoji']}:" if match["emoji"] else f"#{match['section']}"

    return "".join(part if number % 2 else _TOKEN.sub(name, part) for number, part in enumerate(_CODE.split(text)))


def _day(seconds: int) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
    except (OverflowError, OSError, ValueError):
        return UNKNOWN
