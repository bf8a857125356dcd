"""Who may read which collection: pure rules by id, asked once before anything is read.

Names play no part: a renamed channel, group or person reads what it read before. Which command somebody may
run stands in `core.access_commands`, what an answer gives away in `core.access_answers`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from core.documents import Readable
from core.messages import Audience

WORLDWIDE = frozenset({"discord"})
"""Platforms on which somebody has one id in all workspaces; in a private message there they are in none of them."""


@dataclass(frozen=True, slots=True)
class Visible:
    """One collection's visibility. Each of the first fields lets readers in; the last three only keep them out.

    `channels` are ``platform/workspace/channel``, `workspaces` ``platform/workspace``; `roles` (Slack's user
    groups, Discord's roles) and `users` are ``platform/workspace/id``, or the bare id. Without `external` nobody
    from outside a workspace reads it, whatever else is set; in the channels of `hidden_in` nobody at all, nor whoever
    may not read all collections of `within`: what stands in it is about them.
    """

    collection: str
    everyone: bool = True
    channels: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    workspaces: frozenset[str] = frozenset()
    users: frozenset[str] = frozenset()
    external: bool = False
    hidden_in: frozenset[str] = frozenset()
    within: frozenset[str] = frozenset()


def readable(audience: Audience, visibility: Sequence[Visible]) -> Readable:
    """The collections that every reader of the reply may read.

    Users and roles count only where the reply is private to the asker (`audience.user` is set); in a shared
    thread the place alone decides, since who reads along there may change at any time.
    """
    return Readable(_without_what_is_about_others([rule for rule in visibility if _may_read(audience, rule)]))


def _without_what_is_about_others(open_to_them: Sequence[Visible]) -> frozenset[str]:
    """The collections but those about something that is not among them; one may be about another that is not."""
    names = frozenset(rule.collection for rule in open_to_them)
    left = [rule for rule in open_to_them if rule.within <= names]
    return names if len(left) == len(open_to_them) else _without_what_is_about_others(left)


def place_of(audience: Audience) -> str:
    """The channel of a reply as rules and settings name it."""
    return f"{audience.platform}/{audience.workspace}/{audience.channel}"


def _may_read(audience: Audience, rule: Visible) -> bool:
    place = place_of(audience)
    if (audience.external and not rule.external) or place in rule.hidden_in:
        return False
    return rule.everyone or place in rule.channels or _member(audience, rule) or _named(audience, rule)


def _member(audience: Audience, rule: Visible) -> bool:
    """Whether all readers belong to one of the rule's workspaces; who has a role somewhere is a member there."""
    own = {f"{audience.platform}/{audience.workspace}"}
    if audience.user:
        own |= {role.rpartition("/")[0] for role in audience.roles if role.count("/") == 2}
    return bool(own & rule.workspaces)


def _named(audience: Audience, rule: Visible) -> bool:
    """Whether the one reader is named, or one of their groups."""
    if not audience.user:
        return False
    where = (audience.platform, audience.workspace)
    groups = {form for role in audience.roles for form in forms_of(role, *where)}
    return bool(groups & rule.roles) or is_named(audience.user, rule.users, *where)


def is_named(user: str, users: Collection[str], platform: str, workspace: str) -> bool:
    """Whether a person is one of `users`. Where ids hold everywhere, the workspace in front of one tells nothing."""
    if platform in WORLDWIDE:
        users = {id.rpartition("/")[2] for id in users if "/" not in id or id.startswith(f"{platform}/")}
    return any(form in users for form in forms_of(user, platform, workspace))


def forms_of(id: str, platform: str, workspace: str) -> Iterator[str]:
    """The ways in which a rule may name a person or a group: in full, or bare.

    Somebody may bring ids of other workspaces along (a private message on Discord belongs to none); those are full.
    """
    full = id if id.count("/") == 2 else f"{platform}/{workspace}/{id}"
    yield full
    yield full.rpartition("/")[2]


def suggestions(readable: Readable, typed: str, limit: int = 25) -> list[str]:
    """Collection names to choose from while somebody types: those that begin with it before those that hold it."""
    wanted = typed.strip().casefold()
    found = sorted(name for name in readable.collections if wanted in name)
    return sorted(found, key=lambda name: not name.startswith(wanted))[:limit]
