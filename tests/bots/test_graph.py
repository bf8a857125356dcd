"""The drawing of the graph in the README is the graph."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def normal(drawing: str) -> list[str]:
    """The lines that say something, however they are indented."""
    return [line.strip() for line in drawing.splitlines() if line.strip()]


def test_the_readme_draws_the_graph_as_it_is() -> None:
    done = subprocess.run([sys.executable, "-m", "bots", "graph"], cwd=ROOT, capture_output=True, text=True, check=True)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"<!-- graph:start -->\n```mermaid\n(.*?)```\n<!-- graph:end -->", readme, re.S)
    assert block is not None
    assert normal(block[1]) == normal(done.stdout)
    assert "grade -.-> rewrite_web;" in normal(done.stdout)
