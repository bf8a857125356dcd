"""What goes wrong with a request, as data: an answer, a delay, a dead line; and how often one may ask."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Fault:
    """The next request that fits is answered so.

    `lost`: the work is done and the answer never comes, or is this one in its stead. `retry_after` makes it a rate
    limit, `cloudflare` one that stands before Discord and answers in HTML.
    """

    status: int = 0
    code: int = 0
    says: str = "no"
    method: str = "*"
    path: str = "*"
    delay: float = 0.0
    hang_up: bool = False
    lost: bool = False
    retry_after: float | None = None
    everywhere: bool = False
    cloudflare: bool = False

    def fits(self, method: str, path: str) -> bool:
        """Whether this request is meant."""
        return self.method in ("*", method) and fits(self.path, path)


@dataclass
class Limit:
    """At most `count` requests in `per` seconds for each channel (or other first id) of the path.

    `everywhere` counts all requests together, as the global limit does.
    """

    count: int
    per: float
    method: str = "*"
    path: str = "*"
    everywhere: bool = False
    _times: dict[str, deque[float]] = field(default_factory=dict)

    def fits(self, method: str, path: str) -> bool:
        """Whether this request counts."""
        return self.everywhere or (self.method in ("*", method) and fits(self.path, path))

    def bucket(self, path: str) -> str:
        """Requests with the same name are counted together."""
        return "" if self.everywhere else "/".join(path.split("/")[:3])

    def ask(self, path: str, now: float) -> float:
        """Count a request; the seconds to wait when it is one too many, else 0."""
        times = self._times.setdefault(self.bucket(path), deque())
        while times and now - times[0] >= self.per:
            times.popleft()
        if len(times) >= self.count:
            return times[0] + self.per - now
        times.append(now)
        return 0.0

    def headers(self, path: str, now: float) -> dict[str, str]:
        """What every answer of the bucket says of it."""
        times = self._times.get(self.bucket(path), deque())
        rest = max(0.0, times[0] + self.per - now) if times else 0.0
        return {
            "X-RateLimit-Limit": str(self.count),
            "X-RateLimit-Remaining": str(self.count - len(times)),
            "X-RateLimit-Reset-After": f"{rest:.3f}",
            "X-RateLimit-Bucket": f"{abs(hash((self.method, self.path))):016x}",
        }


def fits(pattern: str, path: str) -> bool:
    """Whether a path is meant: `*` stands for one part of it, alone for any path."""
    if pattern == "*":
        return True
    wanted, parts = pattern.strip("/").split("/"), path.strip("/").split("/")
    return len(wanted) == len(parts) and all(map(fnmatchcase, parts, wanted))


def too_many(seconds: float, *, everywhere: bool = False) -> tuple[dict[str, object], dict[str, str]]:
    """Body and headers of a 429."""
    body: dict[str, object] = {"message": "You are being rate limited.", "retry_after": seconds, "global": everywhere}
    headers = {"Retry-After": str(math.ceil(seconds)), "Via": "1.1 google"}
    headers["X-RateLimit-Scope"] = "global" if everywhere else "user"
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    return body, headers
