"""`refdesk router` as people and scripts run it: Cards, prompt, self-test, and what the last sync changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.catalog.prompt import prompt_hash
from tests.bots.test_command import refdesk

CONFIG = """
[[collections]]
name = "kitchen"
source = "folder:kitchen"
title = "Kitchen"
hint = "Recipes and kitchen equipment"

[[collections]]
name = "garage"
source = "folder:garage"
"""
KITCHEN = ("sourdough bread", "chicken soup", "vegetable curry", "apple pie", "roast potatoes", "tomato sauce")
GARAGE = ("brake pads", "engine oil", "spark plugs", "winter tyres", "air filter", "car battery")
ACTIONS = ("Preparing", "Storing", "Buying", "Checking the quality of", "Replacing old")


def write(folder: Path, subjects: tuple[str, ...]) -> None:
    folder.mkdir()
    for subject in subjects:
        parts = [f"## {action} {subject}\n\nThe {subject}: {action.lower()} takes an hour.\n" for action in ACTIONS]
        name = subject.replace(" ", "-")
        (folder / f"{name}.md").write_text(f"# All about {subject}\n\n" + "\n".join(parts), encoding="utf-8")


def shown(*arguments: str, cwd: Path) -> Any:
    done = refdesk("router", *arguments, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "refdesk.toml").write_text(CONFIG, encoding="utf-8")
    write(tmp_path / "kitchen", KITCHEN)
    write(tmp_path / "garage", GARAGE)
    return tmp_path


def test_cards_prompt_and_self_test_change_together_and_the_diff_says_how(place: Path) -> None:
    done = refdesk("sync", cwd=place)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Router self-test:") == 2
    before = shown(cwd=place)
    assert [card["name"] for card in before["cards"]] == ["garage", "kitchen"]
    assert before["cards"][1]["hint"] == "Recipes and kitchen equipment"
    assert before["prompt_hash"] == prompt_hash(before["prompt"]) == before["self_test"]["prompt_hash"]
    test = before["self_test"]
    assert 0 <= test["accuracy"] <= 1
    versions = {card["name"]: card["version"] for card in before["cards"]}
    assert test["card_versions"] == versions
    held = {card["name"]: card["held_back"] for card in before["cards"]}
    assert {name: counted["asked"] for name, counted in test["collections"].items()} == held
    assert min(held.values()) > 0

    (place / "refdesk.toml").write_text(CONFIG + 'hint = "Cars"\n', encoding="utf-8")
    (place / "garage" / "fuel-pump.md").write_text(
        "# Fuel pump\n\n## How do I test the fuel pump?\n\nListen.\n", "utf-8"
    )
    (place / "garage" / "engine-oil.md").unlink()
    assert refdesk("sync", "garage", cwd=place).returncode == 0
    garage, kitchen = shown("--diff", cwd=place)["changes"]
    assert garage["before"] == versions["garage"] != garage["after"]
    assert garage["hint"] == ["", "Cars"]
    assert "How do I test the fuel pump?" in garage["questions"]["added"]
    assert any("engine oil" in heading for heading in garage["headings"]["removed"])
    assert "documents" not in garage
    assert kitchen["before"] is None

    lines = refdesk("router", cwd=place, lang="ko_KR.UTF-8").stdout
    for part in ("### garage: garage", f"version {garage['after']}", "hint: Cars", "라우터 점검", "잡담", "추이:"):
        assert part in lines
    assert before["prompt"] not in lines
