"""The README's tables on policies and models, rendered from what they tell of. No test here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path

from bots.model_settings import STEPS, ModelSettings
from core.policy import PRESETS, Policy
from tests.scenarios.variants import VARIANTS, Variant

README = Path(__file__).parents[2] / "README.md"
PROFILES = ("local", "fast", "model")
BUDGETS = ("max_model_calls", "max_web_searches", "max_rewrites", "max_regenerations", "max_loops", "deadline")


def blocks() -> dict[str, str]:
    """Each generated block of the README by its name."""
    return {"presets": presets(), "variants": variants(), "profiles": profiles(), "budgets": budgets()}


def presets() -> str:
    """Every field of a policy in which the presets differ."""
    differing = [f.name for f in fields(Policy) if f.name != "name" and len(_values(f.name)) > 1]
    rows = [[f"`{name}`", *(_said(getattr(policy, name)) for policy in PRESETS.values())] for name in differing]
    return _table(["field", *(f"`{name}`" for name in PRESETS)], rows)


def variants() -> str:
    """Each published variant, its settings, its flaw, and the scenarios that show it."""
    heads = ["published as", "settings", "its flaw", "here", "scenario"]
    return _table(heads, [_row(variant) for variant in VARIANTS])


def profiles() -> str:
    """Who does each step under each profile."""
    chosen = {name: ModelSettings.model_validate({"profile": name, "large": "any"}) for name in PROFILES}
    words = {"local": "keyless", "model": "model", "cascade": "keyless, a model where unsure"}
    rows = [[f"`{step}`", *(words[settings.family(step)] for settings in chosen.values())] for step in STEPS]
    return _table(["step", *(f"`{name}`" for name in PROFILES)], rows)


def budgets() -> str:
    """The limits of one question."""
    default = Policy()
    return _table(["setting", "default"], [[f"`{name}`", _said(getattr(default, name))] for name in BUDGETS])


def written(readme: str) -> str:
    """The README with its blocks as they should be."""
    for name, block in blocks().items():
        pattern = re.compile(rf"(<!-- {name}:start -->\n).*?(<!-- {name}:end -->)", re.DOTALL)
        readme = pattern.sub(lambda m, b=block: f"{m[1]}{b}{m[2]}", readme)  # type: ignore[misc]
    return readme


def _row(variant: Variant) -> Sequence[str]:
    changed = ", ".join(f"`{name} = {_toml(value)}`" for name, value in variant.changes.items())
    settings = f'`preset = "{variant.preset}"`' + (f", {changed}" if changed else "")
    tests = "<br>".join(f"`{name.removeprefix('test_')}`" for name in variant.tests)
    return [f"**{variant.name}**: {variant.source}", settings, variant.flaw, variant.here, tests]


def _values(name: str) -> set[object]:
    return {getattr(policy, name) for policy in PRESETS.values()}


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
