"""Looking for the messages of a turn where its reply goes: what a killed process or a lost call has left there."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from adapters.slack.marks import marked
from adapters.slack.web import SlackWeb
from core.messages import ReplyTarget, Turn

Found = dict[str, Any]

PAGES, PAGE = 5, 200
"""Of messages since the question, among which ours are looked for."""

EARLIER = timedelta(minutes=1)
"""How far the clock of a process may be ahead of Slack's."""

_TS = re.compile(r"\d+\.\d+")


async def found_of(web: SlackWeb, turn: Turn, target: ReplyTarget, *, streams: bool) -> list[Found]:
    """The turn's messages in its thread (or its direct message) since it was asked, oldest first.

    A stream can't be marked while it grows: with `streams` every one of ours there counts. Raises SlackRefused,
    SlackUnsure, UpstreamTimeout.
    """
    me = await web.me(target.workspace)
    there = await said_since(web, target, _asked_at(turn))
    return [each for each in there if marked(each) == turn.id or (streams and _is_stream(each, me))]


async def said_since(web: SlackWeb, target: ReplyTarget, since: str) -> list[Found]:
    """What stands in a thread or a channel since then, oldest first. Raises as `found_of`."""
    method = "conversations.replies" if target.thread else "conversations.history"
    about = {"channel": target.channel, "ts": target.thread or None, "oldest": since, "include_all_metadata": True}
    found: list[Found] = []
    cursor = ""
    for _ in range(PAGES):
        page = await web.call(method, target.workspace, **about, limit=PAGE, cursor=cursor or None)
        found += [each for each in page.get("messages") or () if str(each.get("ts", "")) > since]
        cursor = str((page.get("response_metadata") or {}).get("next_cursor") or "")
        if not cursor:
            break
    return sorted(found, key=lambda each: str(each["ts"]))


def grows(message: Found) -> bool:
    """Whether it stays a stream until somebody ends it."""
    return str(message.get("streaming_state", "completed")) != "completed"


def _is_stream(message: Found, me: str) -> bool:
    return message.get("user") == me and not message.get("metadata") and "streaming_state" in message


def _asked_at(turn: Turn) -> str:
    """As a timestamp of Slack's; no message of ours is older."""
    said = turn.identity.rpartition(":")[2]
    return said if _TS.fullmatch(said) else shortly_before(turn.created_at)


def shortly_before(moment: datetime) -> str:
    """As a timestamp of Slack's."""
    return f"{(moment - EARLIER).timestamp():.6f}"
