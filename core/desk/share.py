"""An answer that one person got, shown to others: only what every one of its new readers may read, and once."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import timedelta

from core.answers import Answer
from core.desk.posting import postable
from core.errors import AccessDenied, InputError, UpstreamUnsure
from core.messages import Audience, ReplyTarget, SessionKey, Turn
from core.ports import Access, Catalog, Clock, Posts, TurnCopies, TurnEdits, TurnQueue, TurnRecord

UNDER_WAY = timedelta(minutes=3)
"""After that, one that is not known to be posted counts as lost; nothing that people set off takes so long."""


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
    copies: TurnCopies
    catalog: Catalog


class Sharing:
    """The use case. What was shared is a turn of its own, so that its thread knows what it is about."""

    def __init__(self, stores: SharingStores, access: Access, posts: Posts, clock: Clock) -> None:
        self._stores = stores
        self._access = access
        self._posts = posts
        self._clock = clock

    async def share(self, turn_id: str, user: str, to: Destination) -> Turn:
        """Post the answer there; a second time gives the first while that stands. Only who asked may.

        Raises InputError for an answer that is gone or just being posted, AccessDenied for what the new readers may
        not read.
        """
        turn = await self._stores.record.find(turn_id=turn_id)
        if turn is None or turn.answer is None or turn.status != "answered":
            raise InputError("error.answer_gone")
        if turn.author.id != user:
            raise AccessDenied("error.share_not_yours")
        copy = self._copy(turn, to)
        known = await self._known(copy)
        if known is not None:
            return known
        shown = await postable(turn.answer, to.audience, self._access, self._stores.catalog)
        if not isinstance(shown, Answer):
            raise AccessDenied("error.share_unreadable", detail=turn_id)
        if (await self._stores.queue.accept(copy)).duplicate:
            raise InputError("error.share_under_way")
        return await self._posted(copy, turn.answer, to)

    def _copy(self, turn: Turn, to: Destination) -> Turn:
        """Its turn, which nobody claims; it stands alone until it has a thread."""
        place, fresh = to.target, uuid.uuid4().hex[:16]
        return replace(
            turn,
            id=fresh,
            key=SessionKey(place.platform, place.workspace, place.channel, f"share/{fresh}"),
            identity=f"share/{turn.id}/{turn.revision}/{place.channel}/{to.thread}",
            audience=to.audience,
            target=place,
            status="running",
            revision=1,
            owner=f"share/{fresh}",
            lease_until=None,
            created_at=self._clock.now(),
            answer=None,
        )

    async def _known(self, copy: Turn) -> Turn | None:
        """The same answer there, from before and not taken away. Raises InputError for one just being posted."""
        known = await self._stores.edits.identified(copy.key.platform, copy.key.workspace, copy.identity)
        if known is None:
            return None
        if known.status != "running":
            if await self._posts.stands(known.target):
                return known
        elif self._clock.now() - known.created_at < UNDER_WAY:
            raise InputError("error.share_under_way")
        await self._stores.copies.drop(known.id)
        return None

    async def _posted(self, copy: Turn, answer: Answer, to: Destination) -> Turn:
        try:
            target = await self._posts.post(to.target, answer, copy.id)
        except UpstreamUnsure:  # it may be there: who presses again at once must not post a second
            raise
        except Exception:
            await self._stores.copies.drop(copy.id)
            raise
        thread = to.thread or target.message_ids[0]
        shared = replace(
            copy,
            key=SessionKey(target.platform, target.workspace, target.channel, thread),
            target=replace(target, thread=target.thread or ("" if thread == "dm" else thread)),
            status="answered",
            answer=answer,
        )
        await self._stores.copies.settle(shared)
        return shared
