"""Getting events, commands and clicks to the app: over its sockets or to its URL, again when it doesn't acknowledge."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from tests.slack_server.rules import Rules

What = Literal["events_api", "interactive", "slash_commands"]


class Unacknowledged(Exception):
    """The app did not acknowledge; the message is Slack's own reason."""


@dataclass
class Delivery:
    """One thing the app is told. Times are the loop's; `reply` is what came with the acknowledgement."""

    what: What
    body: dict[str, Any]
    began: float
    sent: list[float] = field(default_factory=list)
    acked: float | None = None
    reply: Any = None
    failures: list[str] = field(default_factory=list)
    done: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def event(self) -> Mapping[str, Any]:
        """The inner event, for events."""
        found = self.body.get("event", {})
        return found if isinstance(found, dict) else {}

    @property
    def seconds(self) -> float | None:
        """From the (last) sending to the acknowledgement."""
        return None if self.acked is None else self.acked - self.sent[-1]

    @property
    def lost(self) -> bool:
        """Given up by Slack."""
        return self.done.is_set() and self.acked is None


class Carrier(Protocol):
    """One way to the app."""

    async def carry(self, what: What, body: dict[str, Any], attempt: int, reason: str, seconds: float) -> Any:
        """The app's reply; raises Unacknowledged."""
        ...


@dataclass
class Courier:
    """Delivers side by side, in the order things happened; keeps what became of each."""

    rules: Rules
    carrier: Carrier
    deliveries: list[Delivery] = field(default_factory=list)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def send(self, what: What, body: dict[str, Any]) -> Delivery:
        """Start delivering; `done` is set at the end."""
        delivery = Delivery(what, body, asyncio.get_running_loop().time())
        self.deliveries.append(delivery)
        task = asyncio.get_running_loop().create_task(self._deliver(delivery))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return delivery

    async def settled(self) -> None:
        """Until everything is acknowledged or given up."""
        await asyncio.gather(*(each.done.wait() for each in self.deliveries))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _deliver(self, delivery: Delivery) -> None:
        """Events are sent up to four times, what people wait for once."""
        loop = asyncio.get_running_loop()
        waits = (0.0, *self.rules.retries) if delivery.what == "events_api" else (0.0,)
        reason = ""
        try:
            for attempt, wait in enumerate(waits):
                if wait:
                    await asyncio.sleep(wait)
                delivery.sent.append(loop.time())
                try:
                    seconds = self.rules.ack_seconds
                    delivery.reply = await self.carrier.carry(delivery.what, delivery.body, attempt, reason, seconds)
                except Unacknowledged as error:
                    reason = str(error)
                    delivery.failures.append(reason)
                    if reason == "no_retry":
                        return
                else:
                    delivery.acked = loop.time()
                    return
        finally:
            delivery.done.set()
