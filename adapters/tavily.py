"""WebSearch by Tavily: one bounded request for each search, its results filtered by our own list of domains.

Neither the key nor what was searched for ever stands in a log or an error: the service's own words, which may
repeat both, are dropped here.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import TracebackType
from typing import TYPE_CHECKING, Any

from core.documents import Passage
from core.errors import ConfigError, RefdeskError, UpstreamError, UpstreamRefused, UpstreamTimeout
from core.web.domains import Domains
from core.web.pages import Page, Reading, Wanted, passages_of

if TYPE_CHECKING:
    from tenacity import RetryCallState

    from adapters.tavily_http import Service

BASE_URL = "https://api.tavily.com"
QUERY_LIMIT = 400
"""Characters of a query that the service reads."""
ATTEMPTS = 3
LONGEST_PAUSE = 4.0
_INCLUDED, _EXCLUDED = 300, 150
"""Domains that the service takes; what is beyond them is only filtered here."""
_UNUSABLE = (ValueError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class TavilyOptions:
    """Where the service is and how long a search may take in seconds, retries included."""

    base_url: str = BASE_URL
    timeout: float = 15.0
    max_results: int = 5


class _Again(Exception):  # no error of its own: it carries one
    """Worth another try, `after` seconds if the service said so; `error` when there is none."""

    def __init__(self, error: UpstreamError, after: float | None = None) -> None:
        super().__init__(error.reason)
        self.error = error
        self.after = after


class TavilySearch:
    """Implements `core.ports.WebSearch`; open with `async with`. Raises ConfigError without a key or a domain."""

    def __init__(self, key: str, reading: Reading, options: TavilyOptions | None = None) -> None:
        # Tavily's own client would go on without a key, to a free service on the internet.
        if not key.strip():
            raise ConfigError("error.web_key")
        if not reading.domains.open:
            raise ConfigError("error.web_domains")
        self._key = key.strip()
        self._reading = reading
        self._options = options or TavilyOptions()
        self._opening = asyncio.Lock()
        self._service: Service | None = None
        self._calls = 0

    @property
    def calls(self) -> int:
        """How many requests were sent, tries that failed included."""
        return self._calls + (self._service.calls if self._service else 0)

    async def __aenter__(self) -> TavilySearch:
        """Raises ConfigError when the library is not installed."""
        if importlib.util.find_spec("tavily") is None:
            raise ConfigError("error.web_extra")
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        service, self._service = self._service, None
        if service is not None:
            self._calls += service.calls
            await service.close()

    async def search(self, query: str, *, fresh_from: date | None, limit: int) -> Sequence[Passage]:
        """At most `limit` passages of admitted pages; raises UpstreamError and its kinds."""
        text = " ".join(query.split())[:QUERY_LIMIT]
        if not text or limit < 1:
            return ()
        try:
            async with asyncio.timeout(self._options.timeout):
                results = await self._persistently(self._asked(text, fresh_from, limit))
                wanted = Wanted(text, limit, fresh_from)
                return await asyncio.to_thread(passages_of, _pages(results), wanted, self._reading)
        except TimeoutError:
            raise UpstreamTimeout("error.web_timeout", seconds=f"{self._options.timeout:g}") from None

    def _asked(self, query: str, fresh_from: date | None, limit: int) -> dict[str, Any]:
        """The arguments of one search; the domains are filtered again when the results are here."""
        domains: Domains = self._reading.domains
        asked: dict[str, Any] = {
            "query": query,
            "search_depth": "basic",
            "max_results": min(limit, self._options.max_results, 20),
            "include_raw_content": "markdown",
            "timeout": self._options.timeout,
        }
        if not domains.allow_any:
            asked["include_domains"] = sorted(domains.allow)[:_INCLUDED]
        if domains.deny:
            asked["exclude_domains"] = sorted(domains.deny)[:_EXCLUDED]
        if fresh_from is not None:
            asked["start_date"] = fresh_from.isoformat()
        return asked

    async def _persistently(self, asked: Mapping[str, Any]) -> object:
        """The results, tried again while the service is busy or broken and time is left for it."""
        from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, stop_before_delay

        retrying = AsyncRetrying(
            retry=retry_if_exception_type(_Again),
            stop=stop_after_attempt(ATTEMPTS) | stop_before_delay(self._options.timeout),
            wait=_pause,
            reraise=True,
        )
        try:
            return await retrying(self._once, asked)
        except _Again as last:
            raise last.error from None

    async def _once(self, asked: Mapping[str, Any]) -> object:
        service = await self._opened()
        from adapters.tavily_http import BROKEN, TIMEOUTS, Answered, TooLarge

        try:
            return (await service.client.search(**asked))["results"]
        except Answered as answered:
            raise _refusal(answered.status, answered.after) from None
        except TIMEOUTS:
            raise UpstreamTimeout("error.web_timeout", seconds=f"{self._options.timeout:g}") from None
        except BROKEN as broken:
            raise _Again(UpstreamError("error.web_down", detail=type(broken).__name__)) from None
        except (TooLarge, *_UNUSABLE) as unusable:
            raise UpstreamError("error.web_answer", detail=type(unusable).__name__) from None

    async def _opened(self) -> Service:
        async with self._opening:
            if self._service is None:
                http = await asyncio.to_thread(importlib.import_module, "adapters.tavily_http")
                self._service = http.Service(self._key, self._options.base_url, self._options.timeout)
        return self._service


def _refusal(status: int, after: float | None) -> _Again | RefdeskError:
    detail = f"status {status}"
    if status in (401, 403):
        return UpstreamRefused("error.web_key_refused", detail=detail)
    if status in (432, 433):
        return UpstreamRefused("error.web_quota", detail=detail)
    if status == 429:
        return _Again(UpstreamRefused("error.web_busy", detail=detail), after)
    if status >= 500:
        return _Again(UpstreamError("error.web_down", detail=detail), after)
    return UpstreamError("error.web_answer", detail=detail)


def _pause(state: RetryCallState) -> float:
    from tenacity import wait_random_exponential

    failure = state.outcome.exception() if state.outcome else None
    if isinstance(failure, _Again) and failure.after is not None:
        return failure.after
    return wait_random_exponential(multiplier=0.5, max=LONGEST_PAUSE)(state)


def _pages(results: object) -> Iterator[Page]:
    """What can be read of the results; an entry that is none is passed over."""
    if not isinstance(results, list):
        raise UpstreamError("error.web_answer", detail="no list of results")
    for each in results:
        if isinstance(each, dict):
            yield Page(
                url=_text(each.get("url")),
                title=_text(each.get("title")),
                text=_text(each.get("raw_content")),
                snippet=_text(each.get("content")),
                published=_text(each.get("published_date")),
            )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
