"""Who may read which collection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.access import Visible, readable, suggestions
from core.channels import Channel, Told, applied
from core.documents import Readable
from core.messages import Audience

CHANNEL = Audience("slack", "T1", "C1")
ALONE = replace(CHANNEL, user="U1", roles=frozenset({"lead"}))
OPEN = Visible("handbook")
BY_CHANNEL = Visible("ops", everyone=False, channels=frozenset({"slack/T1/C1"}))
BY_ROLE = Visible("salaries", everyone=False, roles=frozenset({"lead"}))
NOBODY = Visible("archive", everyone=False)
RULES = (OPEN, BY_CHANNEL, BY_ROLE, NOBODY)

NAMES = st.sampled_from(["a", "b", "c"])
SOME = st.frozensets(NAMES)
PLACES = st.sampled_from(["p/w/a", "p/w/b"])
PEOPLE = st.sampled_from(["U1", "p/w/U2", "p/v/U1"])
GROUPS = st.sampled_from(["a", "p/w/b", "p/v/c"])
SPACES = st.sampled_from(["p/w", "p/v"])
VISIBLE = st.builds(
    Visible,
    NAMES,
    st.booleans(),
    st.frozensets(PLACES),
    st.frozensets(GROUPS),
    st.frozensets(SPACES),
    st.frozensets(PEOPLE),
    st.booleans(),
    st.frozensets(PLACES),
    SOME,
)
RULES_OF_ALL_KINDS = st.lists(VISIBLE, unique_by=lambda rule: rule.collection)
SAID = st.dictionaries(PLACES, st.builds(Channel, shown=SOME, hidden=SOME)).map(lambda said: Told(1, said))


@dataclass(frozen=True)
class Reader:
    """Somebody who reads along."""

    user: str
    groups: frozenset[str]
    outside: bool


READERS = st.lists(
    st.builds(Reader, st.sampled_from(["U1", "U2", "U3"]), st.frozensets(GROUPS), st.booleans()), min_size=1, max_size=4
)


def audience_of(readers: Sequence[Reader], channel: str) -> Audience:
    """What an adapter says of these readers: one alone is a private reply."""
    outside = any(reader.outside for reader in readers)
    if len(readers) == 1:
        return Audience("p", "w", channel, readers[0].user, readers[0].groups, outside)
    return Audience("p", "w", channel, external=outside)


def names(audience: Audience) -> set[str]:
    """The collections that the audience may read."""
    return set(readable(audience, RULES).collections)


def test_everyone_reads_what_is_for_everyone() -> None:
    assert "handbook" in names(Audience("discord", "G", "x"))


def test_a_channel_reads_what_is_for_it_and_only_there() -> None:
    assert names(CHANNEL) == {"handbook", "ops"}
    for elsewhere in (replace(CHANNEL, channel="C2"), replace(CHANNEL, workspace="T2"), replace(CHANNEL, platform="x")):
        assert names(elsewhere) == {"handbook"}


def test_roles_count_only_where_the_reply_is_private() -> None:
    assert names(ALONE) == {"handbook", "ops", "salaries"}
    assert names(replace(ALONE, user=None)) == {"handbook", "ops"}
    assert names(replace(ALONE, roles=frozenset({"staff"}))) == {"handbook", "ops"}
    assert names(replace(ALONE, roles=frozenset())) == {"handbook", "ops"}


def test_what_is_for_nobody_is_read_by_nobody() -> None:
    assert "archive" not in names(replace(ALONE, roles=frozenset({"lead", ""})))


def test_a_channel_whose_name_holds_a_slash_is_no_other_channel() -> None:
    assert names(Audience("slack", "T1", "C1/x")) == {"handbook"}


@given(st.lists(VISIBLE), NAMES, SOME)
def test_a_shared_reply_never_shows_more_than_a_private_one(
    rules: list[Visible], channel: str, roles: frozenset[str]
) -> None:
    private = Audience("p", "w", channel, "U1", roles)
    shared = replace(private, user=None)
    assert readable(shared, rules).collections <= readable(private, rules).collections


@given(st.lists(VISIBLE), NAMES)
def test_only_collections_that_exist_are_readable(rules: list[Visible], channel: str) -> None:
    assert readable(Audience("p", "w", channel), rules).collections <= {rule.collection for rule in rules}


def test_a_workspace_reads_what_is_for_it() -> None:
    rule = Visible("handbook", everyone=False, workspaces=frozenset({"slack/T1"}))
    assert readable(CHANNEL, [rule]).collections
    assert readable(ALONE, [rule]).collections
    assert not readable(replace(CHANNEL, workspace="T2"), [rule]).collections
    assert not readable(replace(CHANNEL, platform="discord"), [rule]).collections


def test_who_has_a_role_in_a_workspace_belongs_to_it_in_a_private_message_too() -> None:
    rule = Visible("handbook", everyone=False, workspaces=frozenset({"discord/G1"}))
    private = Audience("discord", "", "D1", "42", frozenset({"discord/G1/7"}))
    assert readable(private, [rule]).collections
    assert not readable(replace(private, user=None), [rule]).collections
    assert not readable(replace(private, roles=frozenset({"discord/G2/7"})), [rule]).collections


def test_people_are_named_in_full_or_by_the_bare_id_and_count_only_in_private() -> None:
    for form in ("U1", "slack/T1/U1"):
        rule = Visible("salaries", everyone=False, users=frozenset({form}))
        assert readable(ALONE, [rule]).collections
        assert not readable(CHANNEL, [rule]).collections
        assert not readable(replace(ALONE, user="U2"), [rule]).collections
    elsewhere = Visible("salaries", everyone=False, users=frozenset({"slack/T2/U1"}))
    assert not readable(ALONE, [elsewhere]).collections


@pytest.mark.parametrize("workspace", ["G1", "G2", "dm"])
def test_where_an_id_holds_everywhere_a_person_is_named_from_any_of_its_workspaces(workspace: str) -> None:
    private = Audience("discord", workspace, "D1", "42")
    for form in ("42", "discord/G1/42"):
        rule = Visible("salaries", everyone=False, users=frozenset({form}))
        assert readable(private, [rule]).collections, form
        assert not readable(replace(private, user="43"), [rule]).collections
        assert not readable(replace(private, user=None), [rule]).collections
    for other in ("slack/G1/42", "discord/G1/142", "discord/42/7"):
        assert not readable(private, [Visible("salaries", everyone=False, users=frozenset({other}))]).collections


def test_readers_from_outside_read_only_what_is_external_whatever_else_lets_them_in() -> None:
    lets_in: dict[str, frozenset[str]] = {
        "channels": frozenset({"slack/T1/C1"}),
        "roles": frozenset({"lead"}),
        "workspaces": frozenset({"slack/T1"}),
        "users": frozenset({"U1"}),
    }
    for rule in (Visible("x"), *(Visible("x", everyone=False, **{name: ids}) for name, ids in lets_in.items())):
        assert readable(ALONE, [rule]).collections
        assert not readable(replace(ALONE, external=True), [rule]).collections
        assert readable(replace(ALONE, external=True), [replace(rule, external=True)]).collections


def test_external_alone_lets_nobody_in() -> None:
    assert not readable(replace(ALONE, external=True), [Visible("x", everyone=False, external=True)]).collections


def test_nobody_reads_in_a_channel_what_is_hidden_there() -> None:
    rule = replace(OPEN, hidden_in=frozenset({"slack/T1/C1"}))
    assert not readable(CHANNEL, [rule]).collections
    assert not readable(ALONE, [rule]).collections
    assert readable(replace(CHANNEL, channel="C2"), [rule]).collections


def test_what_is_about_other_collections_is_read_where_all_of_them_are() -> None:
    about = Visible("notes", within=frozenset({"handbook", "ops", "notes"}))
    of_notes = Visible("notes of notes", within=frozenset({"notes"}))
    assert {"notes", "notes of notes"} <= readable(CHANNEL, [*RULES, about, of_notes]).collections
    elsewhere = readable(replace(CHANNEL, channel="C2"), [*RULES, of_notes, about]).collections
    assert elsewhere == {"handbook"}
    assert not readable(CHANNEL, [replace(about, within=frozenset({"gone"}))]).collections


def test_what_is_suggested_while_typing_is_readable() -> None:
    here = Readable(frozenset({"handbook", "runbooks", "books"}))
    assert suggestions(here, " Book") == ["books", "handbook", "runbooks"]
    assert suggestions(here, "salaries") == []
    assert suggestions(here, "", 2) == ["books", "handbook"]


@given(RULES_OF_ALL_KINDS, READERS, st.builds(Reader, PEOPLE, st.frozensets(GROUPS), st.booleans()), NAMES)
def test_one_more_reader_never_adds_a_collection(
    rules: list[Visible], readers: list[Reader], another: Reader, channel: str
) -> None:
    before = readable(audience_of(readers, channel), rules).collections
    assert readable(audience_of([*readers, another], channel), rules).collections <= before


@given(RULES_OF_ALL_KINDS, READERS, NAMES)
def test_a_reader_from_outside_only_takes_away(rules: list[Visible], readers: list[Reader], channel: str) -> None:
    audience = replace(audience_of(readers, channel), external=False)
    outside = readable(replace(audience, external=True), rules).collections
    assert outside <= readable(audience, rules).collections
    assert outside <= {rule.collection for rule in rules if rule.external}


@given(RULES_OF_ALL_KINDS, SAID, READERS, NAMES)
def test_what_is_said_in_chat_shows_no_outsider_what_is_not_external(
    rules: list[Visible], said: Told, readers: list[Reader], channel: str
) -> None:
    audience = replace(audience_of(readers, channel), external=True)
    assert readable(audience, applied(rules, said)).collections <= {r.collection for r in rules if r.external}


@given(RULES_OF_ALL_KINDS, SAID, READERS, NAMES)
def test_what_is_said_of_other_channels_changes_nothing_here(
    rules: list[Visible], said: Told, readers: list[Reader], channel: str
) -> None:
    audience = audience_of(readers, channel)
    elsewhere = Told(1, {place: each for place, each in said.channels.items() if place != f"p/w/{channel}"})
    assert readable(audience, applied(rules, elsewhere)) == readable(audience, rules)


@given(RULES_OF_ALL_KINDS, READERS, NAMES)
def test_each_rule_speaks_for_itself_and_for_what_is_about_it(
    rules: list[Visible], readers: list[Reader], channel: str
) -> None:
    audience = audience_of(readers, channel)
    alone = {each.collection for each in rules if readable(audience, [replace(each, within=frozenset())]).collections}
    found = readable(audience, list(reversed(rules))).collections
    about = {rule.collection: rule.within for rule in rules}
    assert found <= alone
    assert all(about[name] <= found for name in found)
    assert not any(about[name] <= found for name in alone - found)
