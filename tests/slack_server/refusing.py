"""How a method says no: ``{"ok": false, "error": …}`` with whatever else belongs to the code."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """A refusal by Slack's own code."""

    def __init__(self, code: str, **more: Any) -> None:
        super().__init__(code)
        self.code, self.more = code, more

    @property
    def body(self) -> dict[str, Any]:
        return {"ok": False, "error": self.code, **self.more}
