"""The arguments of a call, however they were sent: JSON, form, query string; and how they are read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.slack_server.refusing import ApiError


@dataclass(frozen=True, slots=True)
class Args:
    """Arguments by name. Forms carry lists and objects as JSON and truths as 0 and 1."""

    values: dict[str, Any]

    def text(self, name: str) -> str:
        value = self.values.get(name)
        return "" if value is None else str(value)

    def need(self, name: str, code: str = "invalid_arguments") -> str:
        """A required string; raises ApiError."""
        if not self.text(name):
            what = {"response_metadata": {"messages": [f"[ERROR] missing required field: {name}"]}}
            raise ApiError(code, **(what if code == "invalid_arguments" else {}))
        return self.text(name)

    def flag(self, name: str, default: bool = False) -> bool:
        value = self.values.get(name)
        return default if value is None else value not in (False, 0, "0", "false", "False", "")

    def number(self, name: str, default: int, most: int) -> int:
        try:
            value = int(self.values.get(name) or default)
        except (TypeError, ValueError) as error:
            raise ApiError("invalid_limit") from error
        if not 1 <= value <= most:
            raise ApiError("invalid_limit")
        return value

    def structure(self, name: str, code: str) -> Any:
        """A list or an object, also as JSON in a string; None when it isn't given."""
        value = self.values.get(name)
        if isinstance(value, str) and value:
            try:
                return json.loads(value)
            except json.JSONDecodeError as error:
                raise ApiError(code) from error
        return value or None if value != [] else []


async def arguments(request: web.Request) -> tuple[Args, str]:
    """Arguments and token of a request. The token comes in its header, else among the arguments."""
    values: dict[str, Any] = dict(request.query)
    if request.method == "POST":
        if request.content_type == "application/json":
            body = await request.json()
            if not isinstance(body, dict):
                raise ApiError("json_not_object")
            values |= body
        else:
            values |= {name: value for name, value in (await request.post()).items() if isinstance(value, str)}
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    token = given if scheme == "Bearer" else str(values.pop("token", ""))
    return Args(values), token
