"""The status line under a thread: set, set again before Slack takes it down, and taken down at the end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass, field

from adapters.slack.web import SlackRefused, SlackWeb
from core.errors import RefdeskError
from core.messages import ReplyTarget

log = logging.getLogger(__name__)

REFRESH = 90.0
"""Seconds after which it is set again; Slack takes it down after two minutes."""

REFRESHES = 10
"""How often at most: no run takes so long, and nobody may be at it any more."""

REFUSED_FOR = 3600.0
"""Seconds for which a refusal in a channel is believed."""

_OF_CHANNELS = frozenset(
    {
        "access_denied",
        "channel_not_found",
        "channel_type_not_supported",
        "ekm_access_denied",
        "feature_not_enabled",
        "is_archived",
        "method_not_supported_for_channel_type",
        "missing_scope",
        "no_permission",
        "not_allowed_token_type",
        "not_in_channel",
        "restricted_action",
        "team_access_not_granted",
        "unknown_method",
    }
)
"""What is refused for the whole channel. Any other code is about the one message or thread, or passes."""


@dataclass
class Refusals:
    """Where Slack does not take status lines, or streams; what a channel is may change, so this is forgotten again."""

    _until: dict[str, float] = field(default_factory=dict)

    def note(self, channel: str, code: str) -> None:
        """It was refused there; remembered where the next one would be refused as well."""
        if code not in _OF_CHANNELS:
            return
        now = asyncio.get_running_loop().time()
        self._until = {name: until for name, until in self._until.items() if until > now}
        self._until[channel] = now + REFUSED_FOR

    def has(self, channel: str) -> bool:
        """Whether it would be refused."""
        return self._until.get(channel, 0.0) > asyncio.get_running_loop().time()


@dataclass
class StatusLine:
    """One thread's status line; kept up while the work that it tells of is done in this process (`is_ours`)."""

    web: SlackWeb
    target: ReplyTarget
    refused: Refusals
    is_ours: bool = True
    _text: str = ""
    _task: asyncio.Task[None] | None = None

    @property
    def is_up(self) -> bool:
        """Whether people see one."""
        return bool(self._text)

    async def set(self, text: str) -> bool:
        """Whether people see a status line now, this one or the one before."""
        if not self.target.thread or self.refused.has(self.target.channel):
            return False
        if await self._put(text):
            self._text = text
            if self._task is None and self.is_ours:
                self._task = asyncio.create_task(self._kept_up(), name="status line")
        return self.is_up

    async def end(self, *, replaced: bool) -> None:
        """Not needed any more; a message of ours takes it down by itself."""
        self.let_go()
        if self._text and not replaced:
            with contextlib.suppress(RefdeskError):
                await self._put("")
        self._text = ""

    def let_go(self) -> None:
        """It is not kept up any more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _put(self, text: str) -> bool:
        method = "assistant.threads.setStatus"
        about = {"channel_id": self.target.channel, "thread_ts": self.target.thread, "status": text}
        try:
            return await self.web.now(method, self.target.workspace, **about) is not None
        except SlackRefused as error:
            log.info("no status line in %s: %s", self.target.channel, error.code)
            self.refused.note(self.target.channel, error.code)
            self._text = ""
            return False

    async def _kept_up(self) -> None:
        for _ in range(REFRESHES):
            await asyncio.sleep(REFRESH)
            if self._text:
                await self._put(self._text)
