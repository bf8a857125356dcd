"""How often we may call each method of Slack: one budget by method, workspace and channel. Pure but for the clock.

Slack counts calls of a minute by method and workspace (its tiers), and about one message a second and channel. We stay
a little below, so that no call has to be refused to find out.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

PER_MINUTE = {
    "chat.startStream": 18,
    "chat.stopStream": 18,
    "chat.appendStream": 90,
    "chat.update": 48,
    "chat.delete": 45,
    "chat.getPermalink": 90,
    "assistant.threads.setStatus": 95,
    "assistant.threads.setTitle": 90,
    "assistant.threads.setSuggestedPrompts": 90,
    "conversations.history": 45,
    "conversations.replies": 45,
    "conversations.info": 45,
    "conversations.members": 90,
    "conversations.open": 45,
    "users.info": 90,
    "users.list": 18,
    "usergroups.list": 18,
    "usergroups.users.list": 18,
    "views.publish": 90,
    "views.open": 90,
    "views.update": 90,
}
"""A little under Slack's tiers (2: 20, 3: 50, 4: 100); a method that is not here is called as seldom as tier 2."""

POSTS = frozenset({"chat.postMessage", "chat.postEphemeral"})
POST_EVERY = 1.1
"""Seconds between messages in one channel."""

CROWD, LATELY = 5, 10.0
"""So many questions within so many seconds are a crowd: what each may cost is needed for the next one's first sign."""

OWED_FOR = 120.0
"""Seconds after which a debt is forgotten: whoever had it is gone, or waits for its turn like everybody."""

_RARE = 18


@dataclass
class Budget:
    """When what was called. `owed` are calls that must be possible later: who put up a placeholder must replace it."""

    now: Callable[[], float] = field(default=lambda: asyncio.get_running_loop().time())
    _calls: dict[tuple[str, ...], deque[float]] = field(default_factory=lambda: defaultdict(deque))
    _not_before: dict[tuple[str, str], float] = field(default_factory=dict)
    _owed: dict[tuple[str, str], deque[float]] = field(default_factory=lambda: defaultdict(deque))
    _begun: dict[str, deque[float]] = field(default_factory=lambda: defaultdict(lambda: deque(maxlen=CROWD)))

    def wait(self, method: str, team: str, channel: str = "", share: float = 1.0) -> float:
        """Seconds until the call may be made; 0: now. With a share of less than all, the rest is left for others."""
        calls, most, window = self._window(method, team, channel)
        most = max(1, int(most * share))
        held = self._not_before.get((method, team), 0.0) - self.now()
        full = calls[len(calls) - most] + window - self.now() if len(calls) >= most else 0.0
        return max(held, full, 0.0)

    def take(self, method: str, team: str, channel: str = "") -> bool:
        """Whether the call may be made now; then it counts. Calls that are owed are left for those who owe them."""
        calls, most, _ = self._window(method, team, channel)
        if self.wait(method, team, channel) > 0 or len(calls) + self._debts(method, team) >= max(most, 1):
            return False
        calls.append(self.now())
        return True

    async def turn(self, method: str, team: str, channel: str = "", share: float = 1.0) -> None:
        """Wait until the call may be made; it counts."""
        while (pause := self.wait(method, team, channel, share)) > 0:  # noqa: ASYNC110 - others may come first
            await asyncio.sleep(pause)
        self._window(method, team, channel)[0].append(self.now())

    def hold(self, method: str, team: str, seconds: float) -> None:
        """Slack asked for so much patience."""
        until = self.now() + seconds
        self._not_before[method, team] = max(until, self._not_before.get((method, team), 0.0))

    def owe(self, method: str, team: str) -> bool:
        """Keep one call for later, if there is room for it."""
        calls, most, _ = self._window(method, team, "")
        if len(calls) + self._debts(method, team) >= most:
            return False
        self._owed[method, team].append(self.now())
        return True

    def settle(self, method: str, team: str) -> None:
        """The call that was kept is made now, or not needed any more."""
        if self._debts(method, team):
            self._owed[method, team].popleft()

    def begins(self, team: str) -> None:
        """A reply shows its first sign of life there."""
        self._begun[team].append(self.now())

    def crowded(self, team: str) -> bool:
        """Whether so many begin there that only first signs and answers should be shown."""
        begun = self._begun[team]
        return len(begun) == CROWD and begun[0] > self.now() - LATELY

    def _debts(self, method: str, team: str) -> int:
        owed = self._owed[method, team]
        while owed and owed[0] <= self.now() - OWED_FOR:
            owed.popleft()
        return len(owed)

    def _window(self, method: str, team: str, channel: str) -> tuple[deque[float], int, float]:
        if method in POSTS:
            most, window, calls = 1, POST_EVERY, self._calls[method, team, channel]
        else:
            most, window, calls = PER_MINUTE.get(method, _RARE), 60.0, self._calls[method, team]
        while calls and calls[0] <= self.now() - window:
            calls.popleft()
        return calls, most, window
