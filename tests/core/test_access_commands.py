"""Who may run which command."""

from __future__ import annotations

from typing import get_args

import pytest

from core.access_commands import Command, Named, Person, Staff, may

STAFF = Staff(
    Named(frozenset({"slack/T1/U1"}), frozenset({"S1", "discord/G1/7"})),
    {"handbook": Named(frozenset({"U2"})), "runbooks": Named(groups=frozenset({"slack/T1/S2"}))},
)
ADMIN = Person("slack", "T1", "U1")
OWNER = Person("slack", "T1", "U2")
MEMBER = Person("slack", "T1", "U3", frozenset({"S9"}))
COMMANDS: tuple[Command, ...] = get_args(Command)


def allowed(person: Person, collection: str = "") -> set[str]:
    """The commands that the person may run."""
    return {command for command in COMMANDS if may(command, person, STAFF, collection)}


OPEN = allowed(MEMBER)


def test_everybody_may_ask_and_look_at_their_own() -> None:
    assert {"ask", "why", "new", "forget", "help", "collections"} <= OPEN
    assert OPEN.isdisjoint({"reindex", "jobs", "cancel", "problems", "router", "settings", "status"})


@pytest.mark.parametrize(
    "person",
    [
        ADMIN,
        Person("slack", "T1", "U3", frozenset({"S1"})),
        Person("discord", "G1", "42", frozenset({"7"})),
        Person("console", "local", "ann"),
    ],
)
def test_admins_and_whoever_sits_at_the_machine_may_everything(person: Person) -> None:
    assert allowed(person) == set(COMMANDS)
    assert allowed(person, "handbook") == set(COMMANDS)


def test_owners_may_with_their_collection_alone() -> None:
    assert {"reindex", "jobs", "cancel", "problems", "router"} <= allowed(OWNER, "handbook")
    assert "settings" not in allowed(OWNER, "handbook")
    assert allowed(OWNER) == allowed(OWNER, "runbooks") == allowed(OWNER, "unknown") == OPEN
    assert "reindex" in allowed(Person("slack", "T1", "U9", frozenset({"S2"})), "runbooks")


def test_an_id_in_full_is_that_of_one_workspace() -> None:
    assert allowed(Person("slack", "T2", "U1")) == OPEN
    assert allowed(Person("discord", "G2", "42", frozenset({"7"}))) == OPEN


def test_on_discord_a_person_is_the_same_on_every_server_and_in_direct_messages_but_a_role_is_not() -> None:
    staff = Staff(Named(frozenset({"discord/G1/42"})), {"handbook": Named(frozenset({"discord/G1/43"}))})
    for workspace in ("G1", "G2", "dm"):
        assert may("status", Person("discord", workspace, "42"), staff)
        assert may("reindex", Person("discord", workspace, "43"), staff, "handbook")
        assert not may("status", Person("discord", workspace, "43"), staff)
    assert not may("status", Person("slack", "G1", "42"), staff)


def test_programs_and_nobody_may_nothing() -> None:
    assert allowed(Person("slack", "T1", "U1", is_bot=True)) == set()
    assert allowed(Person("console", "local", "")) == set()


def test_a_command_that_nobody_knows_is_refused() -> None:
    assert not may("drop_everything", MEMBER, STAFF, "handbook")  # type: ignore[arg-type]
    assert not may("drop_everything", OWNER, STAFF, "handbook")  # type: ignore[arg-type]
