"""The history of the tables, run by `adapters.sql.migrate`. `HEAD` names the newest version (a test compares)."""

from __future__ import annotations

HEAD = "0010"
