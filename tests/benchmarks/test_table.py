"""The kept results and the README's table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.rows import Row
from tests.benchmarks.store import load, merged, save
from tests.benchmarks.table import END, START, inserted, render

OLD = Row("nDCG", 50.0, "", command="make bench ONLY=retrieval")
NEW = Row("nDCG", 52.5, "", "≥ 50", "make bench ONLY=retrieval", met=True)
OTHER = Row("seconds", 9.0, "s", "≤ 5", "make bench ONLY=scale", met=False)


def test_rows_survive_the_file(tmp_path: Path) -> None:
    assert load(tmp_path / "none.json") == []
    save(tmp_path / "build" / "bench.json", [NEW, OTHER])
    assert load(tmp_path / "build" / "bench.json") == [NEW, OTHER]


def test_one_benchmark_replaces_only_its_own_rows() -> None:
    assert merged([OLD, OTHER], [NEW], frozenset({NEW.command})) == [OTHER, NEW]


def test_the_table_stands_between_its_markers_and_says_what_was_missed() -> None:
    page = inserted(f"# Title\n{START}\nold\n{END}\nrest", render([NEW, OTHER]))
    assert "old" not in page
    assert page.startswith("# Title\n")
    assert page.endswith(f"{END}\nrest")
    assert "| seconds | 9 s (missed) | ≤ 5 |" in page


def test_a_page_without_markers_is_left_alone() -> None:
    with pytest.raises(ValueError, match="bench:start"):
        inserted("# Title", "table")
