"""What Slack tells of people, channels and user groups, as far as we ask. Remembers nothing, guesses nothing.

All of it raises SlackRefused, and UpstreamError when nothing comes back that could be read.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adapters.slack.answers import part
from adapters.slack.mrkdwn import SOMEONE
from adapters.slack.web import SlackRefused, SlackWeb

log = logging.getLogger(__name__)

MOST_GROUPS = 200


@dataclass(frozen=True, slots=True)
class User:
    """Somebody, as far as we ask. `outside`: a guest, or of another organisation."""

    id: str
    name: str = SOMEONE
    is_bot: bool = False
    is_admin: bool = False
    outside: bool = True
    locale: str = ""


@dataclass(frozen=True, slots=True)
class Room:
    """A channel, as far as we ask. `outside`: shared with another organisation. `is_open`: everybody can look in."""

    id: str
    name: str = ""
    is_direct: bool = False
    is_open: bool = False
    outside: bool = True


async def user_of(web: SlackWeb, team: str, id: str) -> User:
    """A person."""
    found = part(await web.call("users.info", team, user=id, include_locale=True), "user", dict)
    profile = found.get("profile") or {}
    name = profile.get("display_name") or profile.get("real_name") or found.get("real_name") or found.get("name")
    admin = bool(found.get("is_admin") or found.get("is_owner"))
    is_bot, locale = bool(found.get("is_bot")), str(found.get("locale") or "")
    return User(id, str(name or SOMEONE), is_bot, admin, is_outside(found, team), locale)


async def room_of(web: SlackWeb, team: str, id: str) -> Room:
    """A channel."""
    found = part(await web.call("conversations.info", team, channel=id), "channel", dict)
    outside = bool(found.get("is_ext_shared") or found.get("is_pending_ext_shared"))
    is_open = not (found.get("is_private") or found.get("is_im") or found.get("is_mpim"))
    return Room(id, str(found.get("name") or ""), bool(found.get("is_im")), is_open, outside)


async def groups_in(web: SlackWeb, team: str) -> dict[str, frozenset[str]]:
    """The members of each user group by its id. Where we may not see groups there are none for us."""
    try:
        answer = await web.call("usergroups.list", team, include_users=True)
    except SlackRefused as refused:
        log.warning("user groups can't be looked up, so nobody is in one: %s", refused)
        return {}
    members: dict[str, frozenset[str]] = {}
    for each in part(answer, "usergroups", list)[:MOST_GROUPS]:
        id, users = part(each, "id", str), each.get("users")
        if users is None:
            users = part(await web.call("usergroups.users.list", team, usergroup=id), "users", list)
        members[id] = frozenset(map(str, users))
    return members


def is_outside(user: Mapping[str, Any], team: str) -> bool:
    """Whether somebody, as Slack describes them, is a guest or of another organisation."""
    guest = user.get("is_restricted") or user.get("is_ultra_restricted") or user.get("is_stranger")
    teams = {str(user.get("team_id") or team), *((user.get("enterprise_user") or {}).get("teams") or ())}
    return bool(guest) or team not in teams
