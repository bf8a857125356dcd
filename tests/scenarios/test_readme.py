"""The README's tables are what the code says, and every rule of the graph has its test."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import tests.scenarios
from core.policy import PRESETS, Policy
from tests.scenarios.tables import README, blocks, written
from tests.scenarios.variants import VARIANTS, Variant

HERE = Path(__file__).parent
TESTS = HERE.parent


def names(path: Path) -> set[str]:
    """The tests that a file defines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    defined = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return {node.name for node in defined if node.name.startswith("test_")}


def test_the_tables_of_the_readme_are_as_they_are_rendered() -> None:
    """Else run `python -m tests.scenarios`."""
    readme = README.read_text(encoding="utf-8")
    assert all(f"<!-- {name}:start -->\n" in readme for name in blocks())
    assert written(readme) == readme


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_every_variant_is_settings_that_exist_and_scenarios_that_run(variant: Variant) -> None:
    assert variant.preset in PRESETS
    assert set(variant.changes) <= set(Policy.__dataclass_fields__) - {"name"}
    assert all(getattr(PRESETS[variant.preset], name) != value for name, value in variant.changes.items())
    assert set(variant.tests) <= names(HERE / "test_variants.py")
    assert variant.policy.name == variant.preset


def test_every_preset_is_some_published_variant() -> None:
    assert {variant.preset for variant in VARIANTS if not variant.changes} == set(PRESETS)


@pytest.mark.parametrize("rule", range(1, 17))
def test_every_rule_has_a_test_of_its_name(rule: int) -> None:
    assert any(name.startswith(f"test_rule_{rule:02d}_") for name in names(HERE / "test_rules.py"))


def test_the_tests_named_beside_the_rules_exist() -> None:
    told = re.findall(r"^ {8}(tests/\S+\.py): (\w+)$", tests.scenarios.__doc__ or "", re.MULTILINE)
    assert len(told) > 20
    for path, name in told:
        assert name in names(TESTS.parent / path), f"{path}: {name}"
