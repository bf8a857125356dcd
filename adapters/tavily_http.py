"""The HTTP below Tavily's client: a connection pool of our own, answers of bounded size, statuses as exceptions.

Imported only when something is searched: its libraries take longer to load than an answer's first words.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from email.utils import parsedate_to_datetime

import httpx
from tavily import AsyncTavilyClient
from tavily.errors import TimeoutError as TavilyTimeout

LARGEST = 8 * 2**20
"""Bytes of an answer; it is compressed nowhere, so these are the bytes that are read."""

TIMEOUTS = (httpx.TimeoutException, TavilyTimeout)
BROKEN = (httpx.TransportError, httpx.InvalidURL, OSError)


class Answered(Exception):
    """The service answered with another status than 200; `after` is what its Retry-After asks for, in seconds."""

    def __init__(self, status: int, after: float | None) -> None:
        super().__init__(f"status {status}")
        self.status = status
        self.after = after


class TooLarge(Exception):
    """The answer is longer than anything that was asked for."""


class Service:
    """One pool of connections and Tavily's client over it; `calls` counts the requests that were sent."""

    def __init__(self, key: str, base_url: str, timeout: float) -> None:
        self.calls = 0
        self._http = httpx.AsyncClient(
            base_url=base_url,
            timeout=timeout,
            headers={"Accept-Encoding": "identity"},
            event_hooks={"request": [self._count], "response": [_judge]},
            follow_redirects=False,  # the key goes to this address alone
        )
        self.client = AsyncTavilyClient(api_key=key, client=self._http)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _count(self, _: httpx.Request) -> None:
        self.calls += 1


async def _judge(response: httpx.Response) -> None:
    """Before the body is read: Tavily's client drops the headers of a refusal, Retry-After among them."""
    if response.status_code != httpx.codes.OK:
        raise Answered(response.status_code, _seconds(response.headers))
    length, coding = (response.headers.get(name, "") for name in ("content-length", "content-encoding"))
    if (length.isdecimal() and int(length) > LARGEST) or coding not in ("", "identity"):
        raise TooLarge
    if isinstance(response.stream, httpx.AsyncByteStream):
        response.stream = _Bounded(response.stream)


class _Bounded(httpx.AsyncByteStream):
    """The same bytes, until there are too many of them."""

    def __init__(self, inner: httpx.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for part in self._inner:
            read += len(part)
            if read > LARGEST:
                raise TooLarge
            yield part

    async def aclose(self) -> None:
        """Close the stream below."""
        await self._inner.aclose()


def _seconds(headers: httpx.Headers) -> float | None:
    """Retry-After in seconds from now; a date counts from the service's own clock."""
    value = headers.get("retry-after", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        until, now = parsedate_to_datetime(value), parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError):
        return None
