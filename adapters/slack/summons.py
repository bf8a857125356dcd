"""Calling people on purpose: the one message of ours that mentions somebody. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adapters.slack import outgoing
from adapters.slack.blocks import SlackMessage, section
from core.access_commands import Named
from core.errors import InputError
from core.messages import Language
from core.wording import say

MOST = 20
_USER, _GROUP = re.compile(r"[UW][A-Z0-9]{2,20}"), re.compile(r"S[A-Z0-9]{2,20}")


def mentions(named: Named, team: str) -> str:
    """The people and groups of this workspace, as mentions; raises InputError when there is none here."""
    users = [f"<@{id}>" for id in sorted(_here(named.users, team)) if _USER.fullmatch(id)]
    groups = [f"<!subteam^{id}>" for id in sorted(_here(named.groups, team)) if _GROUP.fullmatch(id)]
    found = [*groups, *users][:MOST]
    if not found:
        raise InputError("error.nobody_to_ask")
    return " ".join(found)


def summons(who: str, key: str, language: Language) -> SlackMessage:
    """The sentence `key` with these mentions in it. A notification shows it without them."""
    before, _, after = say(key, language, who="\0").partition("\0")
    text = outgoing.mrkdwn(before) + who + outgoing.mrkdwn(after)
    return SlackMessage(outgoing.mrkdwn((before + after).strip(" :")), (section(text),))


def _here(ids: frozenset[str], team: str) -> Iterator[str]:
    """Ids of this workspace, bare."""
    for id in ids:
        place, _, bare = id.rpartition("/")
        if place in ("", f"slack/{team}"):
            yield bare
