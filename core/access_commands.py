"""Who may run which command: pure rules by id. What somebody may read is another question (`core.access`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Self, get_args

from core.access import forms_of, is_named
from core.messages import Message

Open = Literal["ask", "why", "new", "forget", "help", "collections"]
"""What everybody may do; what comes of it is bounded by what they may read."""

Owned = Literal["reindex", "jobs", "cancel", "problems", "router", "correct"]
"""What the owners of a collection may do with it, and admins with all."""

Command = Literal[Open, Owned, "settings", "status"]
"""The last are for admins alone."""

_OPEN, _OWNED = frozenset(get_args(Open)), frozenset(get_args(Owned))


@dataclass(frozen=True, slots=True)
class Person:
    """Who runs a command. `workspace` is their own, also in a channel that two workspaces share.

    `is_admin`: the platform says that they administer the workspace.
    """

    platform: str
    workspace: str
    id: str
    groups: frozenset[str] = frozenset()
    is_bot: bool = False
    is_admin: bool = False

    @classmethod
    def of(cls, message: Message) -> Self:
        """The author of a message. Their groups count here wherever they ask: this is no question of readers."""
        author, key = message.author, message.key
        return cls(key.platform, key.workspace, author.id, author.roles, author.is_bot)

    @property
    def name(self) -> str:
        """The person in full, for the record."""
        return f"{self.platform}/{self.workspace}/{self.id}"


@dataclass(frozen=True, slots=True)
class Named:
    """People by id and by the ids of their groups (roles), in full or bare."""

    users: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()

    def has(self, person: Person) -> bool:
        """Whether the person is one of them."""
        where = (person.platform, person.workspace)
        if is_named(person.id, self.users, *where):
            return True
        return any(not self.groups.isdisjoint(forms_of(group, *where)) for group in person.groups)

    @property
    def is_anybody(self) -> bool:
        """Whether there is one."""
        return bool(self.users or self.groups)

    def is_on(self, platform: str) -> bool:
        """Whether one of them may be somebody there; a bare id is."""
        return any(id.partition("/")[0] in (platform, id) for id in self.users | self.groups)


@dataclass(frozen=True, slots=True)
class Staff:
    """Admins, the owners of each collection, and platforms whose every user holds the files anyway."""

    admins: Named = Named()
    owners: Mapping[str, Named] = field(default_factory=dict)
    operated: frozenset[str] = frozenset({"console"})

    def asked(self, collections: Iterable[str]) -> Named:
        """Whom one can ask about these: their owners, else the admins."""
        found = [self.owners[name] for name in collections if name in self.owners]
        users = frozenset[str]().union(*(each.users for each in found))
        groups = frozenset[str]().union(*(each.groups for each in found))
        return Named(users, groups) if users or groups else self.admins


def may(command: Command, person: Person, staff: Staff, collection: str = "") -> bool:
    """Whether they may run it, on this collection or (without one) on all. A command nobody knows is refused."""
    if person.is_bot or not person.id:
        return False
    if command in _OPEN or person.platform in staff.operated or person.is_admin or staff.admins.has(person):
        return True
    owners = staff.owners.get(collection)
    return command in _OWNED and owners is not None and owners.has(person)
