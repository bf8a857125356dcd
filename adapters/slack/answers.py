"""Reading Slack's answers: page after page, and what should be in them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, TypeVar

from adapters.slack.web import SlackUnsure, SlackWeb

K = TypeVar("K")


def part(answer: Any, name: str, kind: type[K]) -> K:
    """What an answer, or a part of one, holds under this name. Raises SlackUnsure for one without it."""
    found = answer.get(name) if isinstance(answer, Mapping) else None
    if not isinstance(found, kind):
        raise SlackUnsure(detail=f"an answer without {name}")
    return found


def cursor_of(page: Mapping[str, Any]) -> str:
    """Where the next page begins; empty after the last one."""
    return str((page.get("response_metadata") or {}).get("next_cursor") or "")


async def pages(web: SlackWeb, method: str, team: str, most: int, **params: Any) -> AsyncIterator[dict[str, Any]]:
    """The answers of a method with cursors, `most` of them; the last has a cursor where there would be more.

    Raises what `SlackWeb.call` does, and SlackUnsure for pages that lead in a circle.
    """
    cursor, seen = "", {""}
    for _ in range(most):
        page = await web.call(method, team, **params, cursor=cursor or None)
        yield page
        cursor = cursor_of(page)
        if not cursor:
            return
        if cursor in seen:
            raise SlackUnsure(detail=f"{method} gives the same page again")
        seen.add(cursor)
