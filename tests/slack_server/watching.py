"""What a test asks: what stands in a thread, who saw what, when the first sign of life came, what was called."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tests.slack_server.stage import Call, Stage
from tests.slack_server.values import Channel, Message, User, View


class Watching(Stage):
    """The observing side of a SlackServer. All waiting is bounded."""

    async def until(self, holds: Callable[[], Any], seconds: float = 10.0) -> Any:
        """Wait until `holds()` is true; its value. Fails after `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := holds()):
                    self._changed.clear()
                    try:
                        await asyncio.wait_for(self._changed.wait(), 0.05)
                    except TimeoutError:
                        continue
                return found
        except TimeoutError as error:
            shown = [f"{each.method} {each.error or 'ok'}" for each in self.calls[-12:]]
            raise AssertionError(f"nothing like that within {seconds} s; the last calls: {shown}") from error

    async def answer_in(
        self,
        thread: Message,
        *,
        after: Message | None = None,
        when: Callable[[Message], bool] = lambda _: True,
        still: float = 0.1,
        seconds: float = 10.0,
    ) -> Message:
        """The bot's latest message in the thread, once it fits `when` and nothing about it changes for a while.

        `after`: later than this one. A message that is still streamed, and a thread with a status, are not done.
        """
        earliest = (after or thread).ts

        def last() -> Message | None:
            found = [each for each in self.bot_messages(thread) if each.ts > earliest and when(each)]
            if not found or found[-1].is_streaming or self.status_in(thread):
                return None
            moments = [found[-1].written, *(at for at, _ in found[-1].versions)]
            return found[-1] if self.now - max(moments) >= still else None

        return await self.until(last, seconds)  # type: ignore[no-any-return]

    def bot_messages(self, where: Channel | Message) -> list[Message]:
        """What our bot has posted in a channel, or in the thread of a message; oldest first."""
        bots = {each.user for each in self.world.installs.values()}
        if isinstance(where, Message):
            found = self.world.channels[where.channel].thread(where.root)
        else:
            found = sorted(where.messages.values(), key=lambda each: each.ts)
        return [each for each in found if each.user in bots and each.subtype != "assistant_app_thread"]

    def shown_to(self, user: User) -> list[Message]:
        """What this person alone sees, oldest first."""
        return [each.message for each in self.world.ephemerals if each.user == user.id]

    def status_in(self, thread: Message) -> str:
        """The status line that stands under the thread now; ``""`` when it is cleared or has run out."""
        at, text = self.statuses.get((thread.channel, thread.root), (0.0, ""))
        return text if text and self.now - at < self.rules.status_seconds else ""

    def home_of(self, user: User) -> View | None:
        """The person's Home tab, once it was published."""
        return self.world.homes.get((user.workspace, user.id))

    def modal_of(self, user: User) -> View | None:
        """The modal that is open in front of the person."""
        return next((each for each in reversed(self.world.views.values()) if each.user == user.id), None)

    def first_sign(self, message: Message) -> float | None:
        """Seconds from writing the message to the first status, message or stream in its thread."""
        found = [
            each.at - message.written
            for each in self.signs
            if each.channel == message.channel and each.thread == message.root and each.at >= message.written
        ]
        return min(found, default=None)

    def called(self, method: str, **args: Any) -> list[Call]:
        """The granted calls of a method that had these arguments."""
        return [
            each
            for each in self.calls
            if each.method == method
            and not each.error
            and all(str(each.args.get(name, "")) == str(value) for name, value in args.items())
        ]

    def refused(self, error: str = "") -> list[Call]:
        """The calls that Slack said no to (with this code)."""
        return [each for each in self.calls if each.error and error in ("", each.error)]
