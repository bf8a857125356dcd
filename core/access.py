"""Who may read which collection, and who may run which command: pure rules, asked once before anything is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.documents import Readable
from core.messages import Audience


@dataclass(frozen=True, slots=True)
class Visible:
    """One collection's visibility: everyone, or the listed channels (``platform/workspace/channel``) and roles."""

    collection: str
    everyone: bool = True
    channels: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()


def readable(audience: Audience, visibility: Sequence[Visible]) -> Readable:
    """The collections that every reader of the reply may read.

    Roles count only where the reply is private to the asker (`audience.user` is set); in a shared
    thread the channel alone decides.
    """
    return Readable(frozenset(rule.collection for rule in visibility if _may_read(audience, rule)))


def _may_read(audience: Audience, rule: Visible) -> bool:
    if rule.everyone:
        return True
    place = f"{audience.platform}/{audience.workspace}/{audience.channel}"
    if place in rule.channels:
        return True
    return audience.user is not None and bool(audience.roles & rule.roles)
