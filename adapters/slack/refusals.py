"""What Slack says when it does not do what it was asked for: its code, its status, how long to wait. Pure."""

from __future__ import annotations

from slack_sdk.errors import SlackApiError

_PASSING = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"})


def code_of(error: SlackApiError) -> str:
    """Slack's own word for it; empty where there is none."""
    return _field(error, "error")


def needed_of(error: SlackApiError) -> str:
    """The scope that is missing."""
    return _field(error, "needed")


def status_of(error: SlackApiError) -> int:
    """slack_sdk hands on its own response or, for a body that is no JSON, aiohttp's."""
    return int(getattr(error.response, "status_code", 0) or getattr(error.response, "status", 0) or 0)


def retry_after(error: SlackApiError) -> float | None:
    """Seconds that Slack asked for; None when it did not."""
    if status_of(error) != 429 and code_of(error) != "ratelimited":
        return None
    headers = {str(name).lower(): value for name, value in (getattr(error.response, "headers", None) or {}).items()}
    found = headers.get("retry-after", "")
    value = found[0] if isinstance(found, list) else found
    return float(value) if str(value).isdecimal() else 30.0


def is_passing(error: SlackApiError) -> bool:
    """Whether it is trouble and no refusal, which may also have come after the call was carried out."""
    code, status = code_of(error), status_of(error)
    return code in _PASSING or status >= 500 or (not code and status < 400)


def _field(error: SlackApiError, name: str) -> str:
    data = getattr(error.response, "data", None)
    return str(data.get(name) or "") if isinstance(data, dict) else ""
