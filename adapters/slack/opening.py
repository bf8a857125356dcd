"""What a person began a thread with: asked for where somebody names us in it and says no more."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adapters.slack.events import Spoken
from adapters.slack.threads import SPOKEN
from adapters.slack.web import SlackWeb
from core.errors import RefdeskError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opening:
    """The look-up."""

    web: SlackWeb

    async def of(self, spoken: Spoken, us: str) -> str:
        """The root of its thread, in Slack's own markup and without our name; nothing where no person wrote it."""
        place = spoken.place
        try:
            page = await self.web.call(
                "conversations.replies", place.team, channel=place.channel, ts=spoken.thread_ts, limit=1
            )
        except RefdeskError as error:
            log.info("what the thread %s began with can't be read: %s", spoken.thread_ts, error)
            return ""
        root: Mapping[str, Any] = next(iter(page.get("messages") or ()), {})
        if not root.get("user") or root.get("bot_id") or root["user"] == us or root.get("subtype", "") not in SPOKEN:
            return ""
        return re.sub(rf"<@{us}(?:\|[^>]*)?>", "", str(root.get("text") or ""))
