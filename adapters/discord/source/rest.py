"""Reading Discord's REST API: patiently within its rate limits, and with one error for each way it says no.

Not discord.py's own: that one asks a host that is set for the whole process, and sleeps through a limit of any
length; a sync has its own host and its own deadline.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import aiohttp

from core.errors import SourceError

API = "https://discord.com/api/v10"

_AGENT = "DiscordBot (refdesk, 0.1)"
_AGAIN = 3
_LARGEST = 16 * 2**20
_BROKEN = (500, 502, 503, 504, 520, 521, 522, 524)


class Refused(Exception):
    """Discord said no to one request: its status and its own code."""

    def __init__(self, status: int, code: int, says: str) -> None:
        super().__init__(f"{status} {code} {says}".strip())
        self.status, self.code = status, code


class Unanswered(Exception):
    """Discord gave nothing that can be used, however often it was asked."""


@dataclass(frozen=True, slots=True)
class Door:
    """Where the API is, and the bot's token. `name` is where the token is set, for whoever has to."""

    token: str = field(repr=False)
    base: str = API
    name: str = "DISCORD_BOT_TOKEN"


@dataclass
class Pace:
    """When the next request may go out, by what Discord said of its limits. One for a source, however many visits.

    A limit that would keep us longer than `patience` seconds is not waited for.
    """

    patience: float = 60.0
    at_once: int = 4
    _not_before: dict[str, float] = field(default_factory=dict)

    async def turn(self, bucket: str) -> None:
        """Wait until a request of this bucket may go out."""
        if (wait := self._left(bucket)) > 0:
            await asyncio.sleep(wait)
            await self.turn(bucket)  # more may have been learnt meanwhile

    def learn(self, bucket: str, headers: Mapping[str, str]) -> None:
        """What an answer says of the bucket that is left."""
        if headers.get("X-RateLimit-Remaining") == "0":
            self.hold(bucket, min(_seconds(headers.get("X-RateLimit-Reset-After")), self.patience))

    def hold(self, bucket: str, seconds: float) -> None:
        """Ask nothing of a bucket for so long; `""` are all together."""
        until = asyncio.get_running_loop().time() + seconds
        self._not_before[bucket] = max(until, self._not_before.get(bucket, 0.0))

    def _left(self, bucket: str) -> float:
        until = max(self._not_before.get(name, 0.0) for name in ("", bucket))
        return until - asyncio.get_running_loop().time()


class Rest:
    """One visit; `async with` opens and closes its connections."""

    def __init__(self, door: Door, pace: Pace, seconds: float = 30.0) -> None:
        self._door, self._pace, self._seconds = door, pace, seconds
        self._slots = asyncio.Semaphore(pace.at_once)

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=self._seconds, sock_connect=10),
            headers={"Authorization": f"Bot {self._door.token}", "User-Agent": _AGENT},
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def get(self, path: str, **params: str | int) -> Any:
        """What stands there; raises Refused, Unanswered, and SourceError `error.discord_token`."""
        if not self._door.token:
            raise SourceError("error.discord_token", name=self._door.name)
        bucket = _bucket(path)
        what = ""
        async with self._slots:
            for attempt in range(_AGAIN):
                await self._pace.turn(bucket)
                try:
                    return await self._once(path, params, bucket)
                except _Later as later:
                    if later.seconds > self._pace.patience:
                        raise Unanswered(f"rate limit of {later.seconds:.0f} s") from later
                    self._pace.hold(later.bucket, later.seconds)
                    what = "rate limit"
                except _Broken as broken:
                    what = str(broken)
                    if attempt + 1 < _AGAIN:
                        await asyncio.sleep(0.5 * 2**attempt)
        raise Unanswered(what)

    async def _once(self, path: str, params: Mapping[str, str | int], bucket: str) -> Any:
        try:
            async with self._session.get(
                self._door.base.rstrip("/") + path, params=params, allow_redirects=False
            ) as response:
                body = await response.content.read(_LARGEST + 1)
                while len(body) <= _LARGEST and (more := await response.content.read(_LARGEST)):
                    body += more
        except TimeoutError as error:
            raise _Broken(f"no answer within {self._seconds:g} s") from error
        except (aiohttp.ClientError, OSError) as error:
            raise _Broken("no connection") from error
        self._pace.learn(bucket, response.headers)
        return self._read(response.status, response.headers, body, bucket)

    def _read(self, status: int, headers: Mapping[str, str], body: bytes, bucket: str) -> Any:
        told = _told(body) if len(body) <= _LARGEST else None
        if status == 200 and told is not None:
            return told
        if status == 401:
            raise SourceError("error.discord_token", name=self._door.name)
        if status == 429:
            named = told if isinstance(told, dict) else {}
            seconds = _seconds(named.get("retry_after") or headers.get("Retry-After"), missing=self._pace.patience + 1)
            raise _Later(seconds, "" if named.get("global") or not named else bucket)
        if status in _BROKEN or not isinstance(told, dict):
            raise _Broken(str(status))
        code = told.get("code")
        raise Refused(status, code if isinstance(code, int) else 0, str(told.get("message", ""))[:200])


class _Later(Exception):
    """Discord asks to come again later."""

    def __init__(self, seconds: float, bucket: str) -> None:
        super().__init__(f"{seconds}")
        self.seconds, self.bucket = seconds, bucket


class _Broken(Exception):
    """What may go better the next time."""


def _bucket(path: str) -> str:
    """Requests that Discord counts together: of one kind, in one channel or guild."""
    first, _, rest = path.strip("/").partition("/")
    id_, _, rest = rest.partition("/")
    return f"{first}/{id_}/{'/'.join('' if part.isdecimal() else part for part in rest.split('/'))}"


def _told(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _seconds(text: object, missing: float = 1.0) -> float:
    try:
        return max(0.0, float(text)) if isinstance(text, int | float | str) else missing
    except ValueError:
        return missing
