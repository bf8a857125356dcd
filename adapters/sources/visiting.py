"""Getting pages from a site: politely, within limits, and never from a machine that is not on the public internet.

Every hop of a redirect is looked at anew, and a connection goes to the very address that was looked at. Knows
HTTP; nothing of what a page says.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import aiohttp
from yarl import URL

from adapters.sources.connecting import CheckedResolver, Inside
from adapters.sources.resolving import Resolve, system_resolve
from core.web.addresses import Address, is_ip, joined
from core.web.reach import Reach

ROBOT = "refdesk"
_HOPS = 5
_PATIENCE = 30.0
"""Seconds that a site may ask us to wait before we ask again."""
_AGAIN = 2
_CHUNK = 2**16


class NotGiven(Exception):
    """A page could not be had: `reason` is a key of `core.wording`; `status` 0 when nobody answered."""

    def __init__(self, url: str, reason: str, detail: str, status: int = 0) -> None:
        super().__init__(f"{reason} {detail}")
        self.url, self.reason, self.detail, self.status = url, reason, detail, status


class LedAway(Exception):
    """A redirect leads to where nothing is wanted from."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


@dataclass(frozen=True, slots=True)
class Manners:
    """How much at once, how often, how long. `seconds` and `bytes` are of one page."""

    per_second: float = 4.0
    at_once: int = 4
    seconds: float = 30.0
    bytes: int = 10 * 2**20


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it came, after all redirects. `body` is empty unless `status` is 200 and its kind was wanted."""

    url: str
    status: int
    media_type: str = ""
    charset: str = ""
    etag: str = ""
    modified: str = ""
    robots: str = ""
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked for besides the address: which kinds, where a redirect may lead, what is known by address."""

    wanted: Callable[[str], bool] = lambda _: True
    may_follow: Callable[[Address], bool] = lambda _: True
    known: Callable[[str], Mapping[str, str]] = lambda _: {}
    bytes: int | None = None


@dataclass
class Visitor:
    """One visit; `async with` opens and closes its connections."""

    reach: Reach
    manners: Manners = field(default_factory=Manners)
    resolve: Resolve = system_resolve
    requests: int = 0

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.manners.at_once)
        self._resolver = CheckedResolver(self.reach, self.resolve)
        self._pause = 1 / self.manners.per_second
        self._next = 0.0

    async def __aenter__(self) -> Self:
        connector = aiohttp.TCPConnector(
            resolver=self._resolver, limit=self.manners.at_once, socket_factory=self._resolver.socket
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            timeout=aiohttp.ClientTimeout(total=self.manners.seconds, sock_connect=10),
            headers={"User-Agent": ROBOT, "Accept-Encoding": "gzip, deflate", "Accept": "text/html, */*;q=0.5"},
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,  # a small answer may unpack to a huge one
            trust_env=False,  # a proxy would connect to addresses that nobody looked at
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    def slow_down(self, seconds: float) -> None:
        """Leave at least so long between two requests, as the site asks."""
        self._pause = max(self._pause, min(seconds, _PATIENCE))

    async def get(self, at: Address, asking: Asking) -> Fetched:
        """The page; raises NotGiven and LedAway. 304 when it is as it was known, 404 and 410 are answers too."""
        async with self._slots:
            for hop in range(_HOPS + 1):
                found = await self._patiently(at, asking)
                if isinstance(found, Fetched):
                    return found
                target = joined(at.url, found)
                if target is None or hop == _HOPS:
                    what = "too many redirects" if target else "a redirect to no page"
                    raise NotGiven(at.url, "parse.page_failed", what)
                if not asking.may_follow(target):
                    raise LedAway(target.url)
                at = target
        raise AssertionError("unreachable")

    async def _patiently(self, at: Address, asking: Asking) -> Fetched | str:
        for attempt in range(_AGAIN + 1):
            await self._turn()
            try:
                return await self._once(at, asking)
            except _Later as later:
                if attempt == _AGAIN or later.seconds > _PATIENCE:
                    raise NotGiven(at.url, "parse.page_failed", str(later.status), later.status) from later
                await asyncio.sleep(later.seconds)
        raise AssertionError("unreachable")

    async def _turn(self) -> None:
        """Wait until it is this request's turn."""
        now = asyncio.get_running_loop().time()
        at = max(now, self._next)
        self._next = at + self._pause
        await asyncio.sleep(at - now)

    async def _once(self, at: Address, asking: Asking) -> Fetched | str:
        """The page, or where it has moved to."""
        if is_ip(at.host) and not self._resolver.admits_literal(at.host):
            raise NotGiven(at.url, "parse.page_private", at.host)
        self.requests += 1
        try:
            async with self._session.get(
                URL(at.url, encoded=True), headers=dict(asking.known(at.url)), allow_redirects=False
            ) as response:
                return await self._read(at, response, asking)
        except TimeoutError as error:
            raise NotGiven(at.url, "parse.page_failed", f"no answer within {self.manners.seconds:g} s") from error
        except aiohttp.ClientConnectorError as error:
            if isinstance(error.os_error, Inside):
                raise NotGiven(at.url, "parse.page_private", at.host) from error
            raise NotGiven(at.url, "parse.page_failed", "no connection") from error
        except (aiohttp.ClientError, ValueError, OSError) as error:
            raise NotGiven(at.url, "parse.page_failed", type(error).__name__) from error

    async def _read(self, at: Address, response: aiohttp.ClientResponse, asking: Asking) -> Fetched | str:
        status, headers = response.status, response.headers
        if status in (301, 302, 303, 307, 308) and headers.get("Location"):
            return headers["Location"].strip()
        if status in (429, 503):
            raise _Later(status, headers.get("Retry-After", ""))
        kind = response.content_type.lower() if "Content-Type" in headers else ""
        body = b""
        if status == 200 and asking.wanted(kind):
            body = await self._body(at, response, asking.bytes or self.manners.bytes)
        return Fetched(
            at.url,
            status,
            kind,
            (response.charset or "").strip("\"'").lower(),
            headers.get("ETag", ""),
            headers.get("Last-Modified", ""),
            " ".join(headers.getall("X-Robots-Tag", [])).lower(),
            body,
        )

    async def _body(self, at: Address, response: aiohttp.ClientResponse, limit: int) -> bytes:
        unpack = _unpacker(response.headers.get("Content-Encoding", "").strip().lower())
        if unpack is None:
            raise NotGiven(at.url, "parse.page_failed", "an unknown encoding")
        data = bytearray()
        try:
            async for chunk in response.content.iter_chunked(_CHUNK):
                data += unpack(chunk, limit + 1 - len(data))
                if len(data) > limit:
                    raise NotGiven(at.url, "parse.too_large", str(max(1, limit // 2**20)))
        except zlib.error as error:
            raise NotGiven(at.url, "parse.page_failed", "broken compression") from error
        return bytes(data)


class _Later(Exception):
    """The site asks to come again later."""

    def __init__(self, status: int, after: str) -> None:
        super().__init__(str(status))
        self.status = status
        self.seconds = float(after) if after.isdecimal() else 1.0


def _unpacker(encoding: str) -> Callable[[bytes, int], bytes] | None:
    """What undoes a content encoding, at most so many bytes at a time; None for one that was not asked for."""
    if encoding in ("", "identity"):
        return lambda chunk, most: chunk[: max(0, most)]
    if encoding in ("gzip", "x-gzip"):
        return bounded(31)
    return bounded(15) if encoding == "deflate" else None


def bounded(window: int) -> Callable[[bytes, int], bytes]:
    """A decompressor that never makes more than it is allowed to."""
    machine = zlib.decompressobj(window)

    def unpack(chunk: bytes, most: int) -> bytes:
        return machine.decompress(chunk, max(1, most))

    return unpack
