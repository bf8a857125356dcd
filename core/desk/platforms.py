"""One desk for several platforms: each reply, thread and post goes to the platform that it belongs to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.answers import Answer
from core.errors import RefdeskError
from core.messages import Audience, ReplyTarget, ThreadMessage, Turn
from core.ports import Audiences, Posts, Reply, ReplyFactory, ThreadReader


def _of(parts: Mapping[str, object], platform: str) -> None:
    if platform not in parts:
        raise RefdeskError("error.platform_closed", platform=platform)


@dataclass(frozen=True, slots=True)
class PlatformReplies:
    """The ReplyFactory of all platforms, by name. A turn of one that is not running here can't be answered here."""

    factories: Mapping[str, ReplyFactory]

    async def open(self, turn: Turn) -> Reply:
        """The reply on the turn's own platform. Raises RefdeskError."""
        _of(self.factories, turn.key.platform)
        return await self.factories[turn.key.platform].open(turn)

    def let_go(self, turn: Turn) -> None:
        """On the turn's own platform, if it is running here."""
        factory = self.factories.get(turn.key.platform)
        if factory is not None:
            factory.let_go(turn)


@dataclass(frozen=True, slots=True)
class PlatformPosts:
    """The Posts of all platforms, by name."""

    posts: Mapping[str, Posts]

    async def post(self, target: ReplyTarget, content: Answer | str, turn_id: str = "") -> ReplyTarget:
        """Posted on the target's own platform. Raises RefdeskError."""
        _of(self.posts, target.platform)
        return await self.posts[target.platform].post(target, content, turn_id)

    async def stands(self, target: ReplyTarget) -> bool:
        """As the target's own platform tells it."""
        _of(self.posts, target.platform)
        return await self.posts[target.platform].stands(target)


@dataclass(frozen=True, slots=True)
class PlatformReaders:
    """The ThreadReader of all platforms, by name; a platform without one has nothing to read."""

    readers: Mapping[str, ThreadReader]

    async def around(self, turn: Turn, cursor: str | None) -> Sequence[ThreadMessage]:
        """As the turn's own platform tells it."""
        reader = self.readers.get(turn.key.platform)
        return await reader.around(turn, cursor) if reader else []

    async def beside(self, turn: Turn) -> Sequence[ThreadMessage]:
        """As the turn's own platform tells it."""
        reader = self.readers.get(turn.key.platform)
        return await reader.beside(turn) if reader else []


@dataclass(frozen=True, slots=True)
class PlatformAudiences:
    """The Audiences of all platforms, by name; a platform without one tells everything with its events."""

    audiences: Mapping[str, Audiences]

    async def of(self, turn: Turn) -> Audience:
        """As the turn's own platform tells it."""
        audiences = self.audiences.get(turn.key.platform)
        return await audiences.of(turn) if audiences else turn.audience
