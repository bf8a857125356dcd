"""Who may read which collection."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.access import Visible, readable
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
VISIBLE = st.builds(Visible, NAMES, st.booleans(), st.frozensets(st.sampled_from(["p/w/a", "p/w/b"])), SOME)


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
