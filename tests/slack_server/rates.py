"""Rate limits by method, workspace and channel, as sliding windows; off unless `Rules.rates` is set."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from dataclasses import dataclass, field

PER_MINUTE = {1: 1, 2: 20, 3: 50, 4: 100, 5: 600}
"""Calls a minute by tier; 5 stands for Slack's “special” ones."""


@dataclass
class Rates:
    """When each key was called lately; a refused call does not count."""

    posts_at_once: int = 1
    _calls: dict[tuple[str, ...], deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def wait(self, key: tuple[str, ...], most: int, window: float, now: float) -> int:
        """0 and the call counts, or the whole seconds after which to come again."""
        calls = self._calls[key]
        while calls and calls[0] <= now - window:
            calls.popleft()
        if len(calls) < most:
            calls.append(now)
            return 0
        return max(1, math.ceil(calls[0] + window - now))

    def check(self, method: str, tier: int, workspace: str, channel: str, now: float) -> int:
        """Seconds to wait before this call may be made; 0: now."""
        if method in ("chat.postMessage", "chat.postEphemeral"):
            return self.wait((method, workspace, channel), self.posts_at_once, float(self.posts_at_once), now)
        return self.wait((method, workspace), PER_MINUTE[tier], 60.0, now)
