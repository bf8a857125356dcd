"""What went wrong at a model service, in our own words.

A vendor's error never leaves this adapter, not even as a cause: its text repeats keys and prompts, and a log
prints causes. `fault_of` keeps what is harmless: the status, the error's code, how long to wait.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Literal

from core.chat import Usage
from core.errors import UpstreamError, UpstreamRefused, UpstreamTimeout

_OPTION = r"\b(temperature|max_completion_tokens|max_tokens|stream_options)\b"
"""Fields that some servers refuse and that can be left out."""

_NO = r"(?:unsupported|unknown|unrecogni[sz]ed|unexpected|extra|forbidden|not (?:supported|permitted|allowed|support))"
_REFUSED_OPTION = re.compile(rf"{_NO}[^;{{]{{0,60}}?{_OPTION}|{_OPTION}[^;{{]{{0,60}}?{_NO}", re.I)
"""The two must stand close together: some servers repeat the whole request in their message."""

_QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_FILTERED = frozenset({"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"})
_TOO_LONG = re.compile(
    r"context_length_exceeded|maximum context|context (length|window|size)|prompt is too long|too many tokens", re.I
)
_TRANSPORTS = frozenset({"openai", "httpx2", "httpcore2", "aiohttp"})
_CODE = re.compile(r"[A-Za-z_]{1,40}")


@dataclass(frozen=True, slots=True)
class Fault:
    """One failure. `status` 0: nothing was answered. `after`: seconds that the server asked us to wait.

    `blame` tells structured output whose fault it was: another method of asking may do better (`method`), this
    answer was unusable (`answer`), or trying otherwise is no use (``""``). `about`: an option that was refused.
    """

    reason: str
    kind: type[UpstreamError] = UpstreamError
    status: int = 0
    passing: bool = False
    after: float | None = None
    blame: Literal["", "method", "answer"] = ""
    about: str = ""
    code: str = ""
    fields: Mapping[str, object] = field(default_factory=dict)

    def error(self, usage: Usage | None = None) -> UpstreamError:
        """The error for the rest of Refdesk, with what was paid for nothing."""
        detail = f"HTTP {self.status} {self.code}".strip() if self.status else self.code
        error = self.kind(self.reason, detail=detail, **self.fields)
        error.usage = usage
        return error


class Failure(Exception):
    """Carries a fault within this adapter."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


DECLINED = Fault("error.model_declined", UpstreamRefused)
EMPTY = Fault("error.model_empty", UpstreamRefused, blame="answer")
CUT_SHORT = Fault("error.model_cut", UpstreamRefused)
BROKEN_OFF = Fault("error.model_broken", passing=True)
PROSE = Fault("error.model_unusable", UpstreamRefused, blame="method")
UNUSABLE = Fault("error.model_unusable", UpstreamRefused, blame="answer")
UNREADABLE = Fault("error.model_answer")


def fault_of(error: BaseException, *, model: str, host: str, begun: bool = False) -> Fault:
    """The fault behind an error of the client, of its transport, or of our own clock."""
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return _told(error, status, model, host)
    if any(isinstance(each, TimeoutError) for each in _causes(error)):
        return Fault("error.model_slow", UpstreamTimeout, fields={"host": host})
    if not isinstance(error, OSError) and type(error).__module__.partition(".")[0] not in _TRANSPORTS:
        return replace(UNREADABLE, code=type(error).__name__)
    return BROKEN_OFF if begun else Fault("error.model_unreachable", passing=True, fields={"host": host})


def fault_in_stream(told: object) -> Fault:
    """An error that a server reports in the middle of a stream."""
    code = _code(told)
    if code in _QUOTA:
        return Fault("error.model_quota", UpstreamRefused, code=code)
    if code in _FILTERED:
        return DECLINED
    return Fault("error.model_broken", passing=True, code=code)


def _told(error: BaseException, status: int, model: str, host: str) -> Fault:
    body = getattr(error, "body", None)
    code, text = _code(body), str(getattr(error, "message", ""))
    reason = _reason(status, code, text)
    passing = reason in ("error.model_busy", "error.model_down")
    option = re.search(_OPTION, str(_part(body, "param"))) or _REFUSED_OPTION.search(text)
    refused = reason == "error.model_request"
    return Fault(
        reason,
        UpstreamError if passing else UpstreamRefused,
        status,
        passing=passing,
        after=_after(error),
        blame="method" if refused else "",
        about=next(filter(None, option.groups())) if option and refused else "",
        code=code,
        fields={"host": host, "model": model},
    )


def _reason(status: int, code: str, text: str) -> str:
    cases = (
        (status == 402 or code in _QUOTA, "error.model_quota"),
        (status in (401, 403), "error.model_key"),
        (status == 429, "error.model_busy"),
        (status in (408, 409) or status >= 500, "error.model_down"),
        (status == 404 and not _is_about_tools(text), "error.model_missing"),
        (code in _FILTERED, "error.model_declined"),
        (bool(_TOO_LONG.search(f"{code} {text}")), "error.model_long"),
    )
    return next((reason for holds, reason in cases if holds), "error.model_request")


def _is_about_tools(text: str) -> bool:
    """Routers of models answer 404 when no model that they know can call tools."""
    return "tool" in text or "response_format" in text


def _code(body: object) -> str:
    """The error's code, if it looks like one: nothing that could be a key or a sentence."""
    for value in (_part(body, "code"), _part(body, "type")):
        if isinstance(value, str) and _CODE.fullmatch(value):
            return value
    return ""


def _part(body: object, name: str) -> object:
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    return inner.get(name) if isinstance(inner, Mapping) else None


def _after(error: BaseException) -> float | None:
    """Seconds from Retry-After, which is a number or a date; None when there is none, or none that makes sense."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    value = str(headers.get("retry-after", "")).strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return seconds if 0 <= seconds < float("inf") else None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it came from: the transport calls a refused connection a timeout, its cause tells."""
    while error is not None:
        yield error
        error = error.__cause__
