"""Slack's events as what happened in words: somebody wrote, edited, or deleted; or nothing that concerns us. Pure.

`message` and `app_mention` for one message come out alike, so whichever arrives first may be used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adapters.slack.marks import marked
from adapters.slack.mrkdwn import Names, channels_in, markdown, people_in
from adapters.slack.threads import SPOKEN

MESSAGE_LINK = re.compile(
    r"https?://[\w.-]+\.slack\.com/archives/([A-Z0-9]+)/p(\d{10})(\d{6})"
    r"(?:\?(?:[^\s<>|]{0,200}?&(?:amp;)?)?thread_ts=(\d{10}\.\d{6}))?"
)
"""Its channel, its two halves of a timestamp, and the thread it stands in, if it is a reply there."""

_GROUP = re.compile(r"<!subteam\^")
_PERSON = re.compile(r"<@([UW][A-Z0-9]+)(?:\|[^>]*)?>")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an event happened. `kind` is Slack's channel_type, empty where the event does not tell it."""

    team: str
    channel: str
    kind: str = ""
    shared: bool = False

    @property
    def is_direct(self) -> bool:
        """Whether it is a conversation with us alone."""
        return self.kind == "im" or self.channel.startswith("D")


@dataclass(frozen=True, slots=True)
class Spoken:
    """Somebody wrote (or, for `Edited`, has changed what they wrote)."""

    place: Place
    ts: str
    thread_ts: str
    user: str
    text: str
    is_bot: bool = False
    user_team: str = ""
    beside: bool = False
    """Whether it quotes, links to or brings along anything that is not in its words."""

    def mentions(self, us: str) -> bool:
        """Whether we are named."""
        return us in _PERSON.findall(self.text)

    def mentions_others(self, us: str) -> bool:
        """Whether somebody else is named, or a group."""
        return any(each != us for each in _PERSON.findall(self.text)) or bool(_GROUP.search(self.text))

    def refers(self, us: str) -> bool:
        """Whether people or channels are named whose names the text does not tell."""
        return any(each != us for each in people_in(self.text)) or any(channels_in(self.text))

    def words(self, us: str, names: Names) -> str:
        """The text without our name, wherever in it that stands, and with names instead of ids."""
        bare = re.sub(rf"[ \t]*<@{us}(?:\|[^>]*)?>(?:[ \t]*[,:](?=\s))?", "", self.text)
        return markdown(bare, names).strip()


@dataclass(frozen=True, slots=True)
class Edited:
    """A message has other words now."""

    now: Spoken


@dataclass(frozen=True, slots=True)
class Deleted:
    """A message was taken back."""

    place: Place
    ts: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """Nothing that concerns us, and why."""

    reason: str


Happened = Spoken | Edited | Deleted | Skipped


def happened(body: Mapping[str, Any]) -> Happened:
    """What an `event_callback` tells."""
    event: Mapping[str, Any] = body.get("event") or {}
    if event.get("type") not in ("message", "app_mention"):
        return Skipped(f"event {event.get('type')}")
    place = _place(body, event)
    match event.get("subtype") or "":
        case "message_changed":
            return _changed(place, event)
        case "message_deleted":
            return Deleted(place, str(event.get("deleted_ts") or ""))
        case subtype if subtype in SPOKEN or subtype == "bot_message":
            return _spoken(place, event)
        case subtype:
            return Skipped(f"message {subtype}")


def is_ours(event: Mapping[str, Any], app_id: str) -> bool:
    """Whether we wrote the message ourselves."""
    return bool(marked(dict(event))) or bool(app_id and event.get("app_id") == app_id)


def _place(body: Mapping[str, Any], event: Mapping[str, Any]) -> Place:
    team = str(body.get("team_id") or event.get("team") or "")
    for each in body.get("authorizations") or ():
        team = str(each.get("team_id") or team)
        break
    shared = bool(body.get("is_ext_shared_channel"))
    return Place(team, str(event.get("channel") or ""), str(event.get("channel_type") or ""), shared)


def _spoken(place: Place, message: Mapping[str, Any]) -> Spoken | Skipped:
    ts, user = str(message.get("ts") or ""), str(message.get("user") or message.get("bot_id") or "")
    if not ts or not user:
        return Skipped("message without an author")
    text = str(message.get("text") or "")
    beside = bool(message.get("attachments") or message.get("files") or MESSAGE_LINK.search(text))
    is_bot = bool(message.get("bot_id")) or message.get("subtype") == "bot_message" or user == "USLACKBOT"
    return Spoken(
        place,
        ts,
        str(message.get("thread_ts") or ""),
        user,
        text,
        is_bot,
        str(message.get("user_team") or message.get("source_team") or ""),
        beside,
    )


def _changed(place: Place, event: Mapping[str, Any]) -> Happened:
    """An edit by a person changes the text; previews, reactions and files of a message don't."""
    now, before = event.get("message") or {}, event.get("previous_message") or {}
    if now.get("subtype") == "tombstone":
        return Deleted(place, str(now.get("ts") or ""))
    if str(now.get("text") or "") == str(before.get("text") or ""):
        return Skipped("edit of no words")
    spoken = _spoken(place, now)
    return Edited(spoken) if isinstance(spoken, Spoken) and not spoken.is_bot else Skipped("edit by a bot")
