"""Writes the README's tables anew: ``python -m tests.scenarios``."""

from __future__ import annotations

from tests.scenarios.tables import README, written

if __name__ == "__main__":
    README.write_text(written(README.read_text(encoding="utf-8")), encoding="utf-8")
