"""An answer that one person got, shown to others: only what every one of its new readers may read."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import timedelta

from core.answers import Answer
from core.desk.posting import postable
from core.errors import AccessDenied, InputError
from core.messages import Audience, ReplyTarget, SessionKey, Turn
from core.ports import Access, Catalog, Clock, Posts, TurnEdits, TurnQueue, TurnRecord

SHARING = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Destination:
    """Where an answer goes, and who reads it there. Without a `thread` it begins one of its own there."""

    target: ReplyTarget
    audience: Audience
    thread: str = ""


@dataclass(frozen=True, slots=True)
class SharingStores:
    """The record, as far as sharing needs it."""

    queue: TurnQueue
    record: TurnRecord
    edits: TurnEdits
    catalog: Catalog


class Sharing:
    """The use case. What was shared is a turn of its own, so that its thread knows what it is about."""

    def __init__(self, stores: SharingStores, access: Access, posts: Posts, clock: Clock) -> None:
        self._stores = stores
        self._access = access
        self._posts = posts
        self._clock = clock

    async def share(self, turn_id: str, user: str, to: Destination) -> Turn:
        """Post the answer there; a second time gives the first. Only who asked may.

        Raises InputError for an answer that is gone, AccessDenied for what the new readers may not read.
        """
        turn = await self._stores.record.find(turn_id=turn_id)
        if turn is None or turn.answer is None or turn.status != "answered":
            raise InputError("error.answer_gone")
        if turn.author.id != user:
            raise AccessDenied("error.share_not_yours")
        place = to.target
        identity = f"share/{turn.id}/{turn.revision}/{place.channel}/{to.thread}"
        known = await self._stores.edits.identified(place.platform, place.workspace, identity)
        if known is not None:
            return known
        shown = await postable(turn.answer, to.audience, self._access, self._stores.catalog)
        if not isinstance(shown, Answer):
            raise AccessDenied("error.share_unreadable", detail=turn_id)
        return await self._posted(replace(turn, identity=identity), to)

    async def _posted(self, turn: Turn, to: Destination) -> Turn:
        assert turn.answer is not None
        fresh = uuid.uuid4().hex[:16]
        target = await self._posts.post(to.target, turn.answer, fresh)
        thread = to.thread or target.message_ids[0]
        now = self._clock.now()
        copy = replace(
            turn,
            id=fresh,
            key=SessionKey(target.platform, target.workspace, target.channel, thread),
            audience=to.audience,
            target=replace(target, thread=target.thread or ("" if thread == "dm" else thread)),
            status="running",
            revision=1,
            owner=f"share/{fresh}",
            lease_until=now + SHARING,
            created_at=now,
        )
        stored = (await self._stores.queue.accept(copy)).turn
        ended = replace(stored, status="answered", answer=turn.answer)
        await self._stores.record.finish(ended)
        return ended
