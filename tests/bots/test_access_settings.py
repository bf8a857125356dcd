"""Readers, admins and owners in refdesk.toml: by id, with a sentence for every mistake; and `refdesk channel`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bots.settings import Settings, validated
from core.access import Visible
from core.access_commands import Named
from core.errors import ConfigError


def settings(visibility: dict[str, Any], **more: Any) -> Settings:
    """The settings of one collection."""
    section = {"name": "docs", "source": "folder:x", "visibility": visibility}
    return validated({"collections": [{**section, **more.pop("collection", {})}], **more}, "refdesk.toml")


def rule(visibility: dict[str, Any]) -> Visible:
    """Its rule."""
    return settings(visibility).collections[0].visibility.rule("docs")


def mistake(visibility: dict[str, Any], **more: Any) -> str:
    """The sentence."""
    with pytest.raises(ConfigError) as caught:
        settings(visibility, **more)
    return caught.value.user_message("en")


def test_nothing_said_is_for_everyone_but_readers_from_outside() -> None:
    assert rule({}) == Visible("docs")
    assert rule({"everyone": True, "channels": [], "roles": []}) == Visible("docs")
    assert rule({"external": True}) == Visible("docs", external=True)


def test_whoever_names_somebody_means_nobody_else() -> None:
    assert rule({"channels": ["slack/T01/C42"]}) == Visible("docs", False, frozenset({"slack/T01/C42"}))
    assert not rule({"everyone": False}).everyone
    assert "leave that out" in mistake({"everyone": True, "channels": ["slack/T01/C42"]})


def test_groups_and_roles_are_the_same_and_every_list_arrives() -> None:
    made = rule(
        {
            "workspaces": ["slack/T01", "discord/81"],
            "groups": ["slack/T01/S1"],
            "roles": ["discord/81/7"],
            "users": ["slack/T01/U1", "W2"],
        }
    )
    assert made.roles == {"slack/T01/S1", "discord/81/7"}
    assert made.workspaces == {"slack/T01", "discord/81"}
    assert made.users == {"slack/T01/U1", "W2"}


@pytest.mark.parametrize(
    ("field", "written", "found_by"),
    [
        ("channels", "#general", "end of the channel's details"),
        ("channels", "general", "slack/T01/C42"),
        ("channels", "slack/T01/general", "slack/T01/C42"),
        ("channels", "slack/T01/C42/170.1", "slack/T01/C42"),
        ("channels", "C42", "slack/T01/C42"),
        ("channels", "Slack/T01/C42", "slack/T01/C42"),
        ("channels", "discord/81/ops", "developer mode"),
        ("roles", "lead", "right-click on the role"),
        ("groups", "@oncall", "slack/T01/S42"),
        ("users", "@ann", "profile"),
        ("users", "ann@example.com", "profile"),
        ("workspaces", "acme", "slack/T01"),
        ("workspaces", "slack/acme", "slack/T01"),
        ("channels", "", "slack/T01/C42"),
    ],
)
def test_a_name_in_the_place_of_an_id_is_refused_with_the_way_to_the_id(
    field: str, written: str, found_by: str
) -> None:
    told = mistake({field: [written]})
    assert field in told
    assert found_by in told
    assert repr(written) in told


def test_a_bare_id_is_taken_while_it_can_only_mean_one() -> None:
    assert rule({"groups": ["S1"]}).roles == {"S1"}
    assert settings({"groups": ["S1"], "users": ["slack/T01/U1"]}, admins={"users": ["U2"]})
    assert settings({"roles": ["123456789"], "channels": ["discord/81/5", "discord/82/6"]})
    told = mistake({"groups": ["S1"], "users": ["slack/T01/U1"]}, admins={"users": ["slack/T02/U2"]})
    assert "slack/WORKSPACE/S1" in told
    assert "T01, T02" in told


def test_admins_and_owners_are_people_and_groups() -> None:
    made = settings({}, admins={"users": ["slack/T01/U1"], "roles": ["7"]}, collection={"owners": {"groups": ["S2"]}})
    assert made.admins.named == Named(frozenset({"slack/T01/U1"}), frozenset({"7"}))
    assert made.collections[0].owners.named == Named(groups=frozenset({"S2"}))
    assert "admins.channels is not a setting" in mistake({}, admins={"channels": ["slack/T01/C1"]})
    assert "visibility.channel is not a setting" in mistake({"channel": ["slack/T01/C1"]})


CONFIG = """
[[collections]]
name = "handbook"
source = "folder:docs"
[[collections]]
name = "salaries"
source = "folder:docs"
[collections.visibility]
groups = ["slack/T01/S42"]
"""


def test_the_command_sets_and_lists_what_holds_in_a_channel(tmp_path: Path) -> None:
    (tmp_path / "refdesk.toml").write_text('timezone = "Asia/Seoul"\n' + CONFIG, encoding="utf-8")

    def refdesk(*arguments: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "bots", "channel", *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout + done.stderr

    assert refdesk() == (0, "Nothing is set for any channel.\n")
    code, told = refdesk("slack/T01/C42", "--default", "handbook", "--show", "salaries", "--hint", "handbook=Leave.")
    assert code == 0
    assert "shown there: salaries" in told
    assert "hint of handbook: Leave." in told
    assert "+09:00 console/" in told
    code, told = refdesk("slack/T01/C42", "--hint", "handbook", "--show", "handbook")
    assert (code, told.startswith("A hint is written NAME=TEXT")) == (2, True)
    assert "hint of handbook: Leave." in refdesk("slack/T01/C42")[1]
    assert "hint of handbook" not in refdesk("slack/T01/C42", "--hint", "handbook=")[1]
    code, told = refdesk()
    assert told.startswith("slack/T01/C42: speaks up as configured; searches handbook\n")
    assert refdesk("slack/T01/general", "--mode", "auto")[0] == 2
    assert refdesk("--mode", "auto")[0] == 2
    assert refdesk("slack/T01/C42", "--show", "nothing")[0] == 2
