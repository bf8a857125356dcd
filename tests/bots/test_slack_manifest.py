"""The manifest: what Slack takes, the fewest scopes, and the same table everywhere."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from bots.__main__ import app
from bots.slack_features import FEATURES, NAMES, events_of, scopes_of
from bots.slack_manifest import Wished, manifest
from bots.slack_settings import SlackSettings
from core.errors import ConfigError
from core.wording import say
from tests.slack_server import events
from tests.slack_server.rules import EVENTS, SCOPES

README = Path(__file__).parents[2] / "README.md"


def made(wished: Wished | None = None, **slack: Any) -> dict[str, Any]:
    return manifest(SlackSettings(**slack), wished or Wished())


def scopes(document: dict[str, Any]) -> set[str]:
    return set(document["oauth_config"]["scopes"]["bot"])


def heard(document: dict[str, Any]) -> set[str]:
    return set(document["settings"]["event_subscriptions"]["bot_events"])


def test_socket_mode_needs_no_address() -> None:
    document = made()
    assert document["settings"]["socket_mode_enabled"] is True
    assert "http" not in json.dumps(document)
    assert document["settings"]["token_rotation_enabled"] is False


def test_scopes_and_events_exist_at_slack() -> None:
    assert scopes(made()) <= SCOPES
    assert heard(made(Wished(assistant=True))) <= EVENTS


@pytest.mark.parametrize("left_out", NAMES)
def test_each_event_is_one_that_the_scopes_allow(left_out: str) -> None:
    document = made(features=tuple(each for each in NAMES if each != left_out))
    needed = {events.scope_of(each) for each in heard(document)} - {""}
    assert needed <= scopes(document)


@pytest.mark.parametrize("feature", [each for each in FEATURES if each.scopes and each.name])
def test_a_feature_that_is_left_out_asks_for_nothing(feature: Any) -> None:
    rest = tuple(each for each in NAMES if each != feature.name)
    assert not {each.name for each in feature.scopes} & scopes(made(features=rest))
    assert {each.name for each in feature.scopes} <= scopes(made(features=(feature.name,)))


def test_without_home_there_is_no_home_tab_but_still_messages() -> None:
    home = made(features=("agent",))["features"]["app_home"]
    assert (home["home_tab_enabled"], home["messages_tab_enabled"]) == (False, True)


def test_the_agent_view_or_the_older_assistant_view() -> None:
    agent, older = made(), made(Wished(assistant=True))
    assert "agent_view" in agent["features"]
    assert "assistant_view" not in agent["features"]
    assert "assistant_view" in older["features"]
    assert heard(older) - heard(agent) == {"assistant_thread_started", "assistant_thread_context_changed"}
    assert not {"agent_view", "assistant_view"} & set(made(features=())["features"])


def test_over_http_slack_is_told_where_everything_goes() -> None:
    several: dict[str, Any] = {"workspaces": "several", "teams": ("T0123",), "public_url": "https://desk.acme.example/"}
    document = made(Wished(url="https://desk.acme.example/"), mode="http", **several)
    there = "https://desk.acme.example/slack/events"
    assert document["settings"]["event_subscriptions"]["request_url"] == there
    assert document["settings"]["interactivity"]["request_url"] == there
    assert document["features"]["slash_commands"][0]["url"] == there
    assert document["oauth_config"]["redirect_urls"] == ["https://desk.acme.example/slack/oauth_redirect"]
    assert document["settings"]["socket_mode_enabled"] is False


@pytest.mark.parametrize("url", ["http://desk.acme.example", "desk.acme.example", "https://", "https://u:p@host"])
def test_an_address_that_slack_would_not_call_is_refused(url: str) -> None:
    with pytest.raises(ConfigError):
        made(Wished(url=url))


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("name", ["R", "Refdesk", "x" * 35])
def test_names_and_descriptions_are_as_long_as_slack_takes(language: Any, name: str) -> None:
    document = made(Wished(name=name, language=language))
    features = document["features"]
    assert len(document["display_information"]["name"]) <= 35
    assert len(document["display_information"]["description"]) <= 140
    assert len(features["bot_user"]["display_name"]) <= 80
    assert len(features["shortcuts"][0]["name"]) <= 24
    assert len(features["shortcuts"][0]["description"]) <= 150
    assert len(features["slash_commands"][0]["description"]) <= 2000
    assert len(features["agent_view"]["agent_description"]) <= 300


@pytest.mark.parametrize("name", ["", "  ", "x" * 36])
def test_a_name_that_slack_does_not_take_is_refused(name: str) -> None:
    with pytest.raises(ConfigError):
        made(Wished(name=name))


def test_the_command_is_the_one_of_the_settings() -> None:
    assert made(command="/desk")["features"]["slash_commands"][0]["command"] == "/desk"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "over HTTP"),
        ({"mode": "http"}, "public_url"),
        ({"mode": "http", "public_url": "http://x.example"}, "https"),
        ({"mode": "http", "public_url": "https://x.example"}, "teams"),
        ({"mode": "http", "public_url": "https://x.example", "teams": ("acme",)}, "T0123ABCD"),
    ],
)
def test_several_workspaces_need_an_address_and_a_list_of_them(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        SlackSettings(workspaces="several", **given)


def test_the_command_prints_json_or_yaml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    as_json = CliRunner().invoke(app, ["slack", "manifest"])
    as_yaml = CliRunner().invoke(app, ["slack", "manifest", "--yaml"])
    assert json.loads(as_json.stdout) == yaml.safe_load(as_yaml.stdout) == made()
    refused = CliRunner().invoke(app, ["slack", "manifest", "--http", "http://x.example"])
    assert (refused.exit_code, refused.stdout) == (2, "")


def test_the_readme_says_what_the_table_says() -> None:
    """The rows between the marks, as `scope_table` writes them."""
    text = README.read_text(encoding="utf-8")
    found = re.search(r"<!-- scopes -->\n(.*?)\n<!-- /scopes -->", text, re.DOTALL)
    assert found
    assert found[1] == scope_table()


def scope_table() -> str:
    """The README's table."""
    rows = ["| scope | for | feature |", "| --- | --- | --- |"]
    for feature in FEATURES:
        for name, why in scopes_of([feature.name]).items():
            if name in {each.name for each in feature.scopes}:
                rows.append(f"| `{name}` | {say(why, 'en')} | {f'`{feature.name}`' if feature.name else 'always'} |")
    rows += ["", f"Events: {', '.join(f'`{each}`' for each in events_of(NAMES))}."]
    return "\n".join(rows)
