"""Turns in a process's memory, by the rules of the SQL record. Knows no database.

Nothing here awaits in the middle of a change, so tasks of one loop can't interleave.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from core.activity import Outline, outline
from core.messages import Accepted, ReplyTarget, SessionKey, Turn
from core.ports import Clock


@dataclass
class MemoryRecord:
    """What the stores of one process share: all turns by id, in the order in which they were accepted."""

    clock: Clock
    turns: dict[str, Turn] = field(default_factory=dict)
    quiet: set[SessionKey] = field(default_factory=set)
    stopping: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    taken_back: set[tuple[str, str, str]] = field(default_factory=set)
    staying: set[str] = field(default_factory=set)
    """Turns whose answers stay, though they themselves were forgotten."""

    def of(self, key: SessionKey) -> list[Turn]:
        """The turns of one session, oldest first."""
        return [turn for turn in self.turns.values() if turn.key == key]

    def identified(self, platform: str, workspace: str, identity: str) -> Turn | None:
        """The turn of one message."""
        wanted = (platform, workspace, identity)
        found = (t for t in self.turns.values() if (t.key.platform, t.key.workspace, t.identity) == wanted)
        return next(found, None)

    def ours(self, turn: Turn) -> bool:
        """Whether this revision is current and its owner still at work."""
        stored = self.turns.get(turn.id)
        if stored is None or stored.status != "running":
            return False
        return (stored.revision, stored.owner) == (turn.revision, turn.owner)


class MemoryTurnQueue:
    """Accepting and claiming."""

    def __init__(self, record: MemoryRecord) -> None:
        self._record = record

    async def accept(self, turn: Turn) -> Accepted:
        """Store the turn, unless its message came before."""
        known = self._record.identified(turn.key.platform, turn.key.workspace, turn.identity)
        if known is not None:
            return Accepted(known, duplicate=True)
        if (turn.key.platform, turn.key.workspace, turn.identity) in self._record.taken_back:
            gone = replace(turn, question="", status="withdrawn", owner=None, lease_until=None)
            self._record.turns[turn.id] = gone
            return Accepted(gone, duplicate=True)
        waits = any(each.status in ("waiting", "running") for each in self._record.of(turn.key))
        self._record.turns[turn.id] = turn
        return Accepted(turn, waits=waits)

    async def claim(self, owner: str, lease: timedelta, platforms: frozenset[str] | None = None) -> Turn | None:
        """Take the oldest turn that may run."""
        now = self._record.clock.now()
        free = self._claimable(now, owner)
        turn = next((each for each in free if platforms is None or each.key.platform in platforms), None)
        if turn is None:
            return None
        claimed = replace(turn, status="running", owner=owner, lease_until=now + lease, attempts=turn.attempts + 1)
        self._record.turns[turn.id] = claimed
        return claimed

    async def renew(self, turn: Turn, lease: timedelta) -> bool:
        """Prolong the lease while the turn is ours; a lease of nothing gives it back."""
        if not self._record.ours(turn):
            return False
        stored = self._record.turns[turn.id]
        self._record.turns[turn.id] = replace(stored, lease_until=self._record.clock.now() + lease)
        return True

    def _claimable(self, now: datetime, owner: str) -> Iterator[Turn]:
        """Oldest first; of each session only the first unfinished one, while nothing else of it runs."""
        busy = {turn.key for turn in self._record.turns.values() if _at_work(turn, now)}
        for turn in self._record.turns.values():
            if turn.status in ("waiting", "running") and turn.key not in busy:
                busy.add(turn.key)
                if turn.lease_until is not None if turn.status == "running" else _free_for(turn, owner, now):
                    yield turn


class MemoryTurnRecord:
    """Progress, results, lookups."""

    def __init__(self, record: MemoryRecord) -> None:
        self._record = record

    async def retarget(self, turn: Turn, target: ReplyTarget) -> bool:
        """Store where the reply stands, unless somebody else has taken the turn over."""
        stored = self._record.turns.get(turn.id)
        if stored is None or stored.owner not in (turn.owner, None):
            return False
        self._record.turns[turn.id] = replace(stored, target=target)
        return True

    async def finish(self, turn: Turn) -> bool:
        """Store how the turn ended, if this revision is current and still ours; where it stands is `retarget`'s."""
        if not self._record.ours(turn):
            return False
        self._record.turns[turn.id] = replace(
            self._record.turns[turn.id],
            status=turn.status,
            answer=turn.answer,
            error_id=turn.error_id,
            owner=None,
            lease_until=None,
        )
        return True

    async def find(self, *, turn_id: str | None = None, key: SessionKey | None = None) -> Turn | None:
        """One turn by id, or the latest finished turn of a session."""
        if turn_id is not None:
            turn = self._record.turns.get(turn_id)
            return turn if turn is not None and key in (None, turn.key) else None
        finished = [t for t in self._record.of(key) if t.status in ("answered", "failed")] if key else []
        return finished[-1] if finished else None


class MemoryTurnLog:
    """The outlines of turns."""

    def __init__(self, record: MemoryRecord) -> None:
        self._record = record

    async def since(self, moment: datetime) -> Sequence[Outline]:
        """One outline for each question asked at or after the moment, in the order of acceptance."""
        turns = [turn for turn in self._record.turns.values() if turn.created_at >= moment]
        return [outline(turn.status, turn.answer, turn.created_at.date()) for turn in turns]


class MemoryTurnEdits:
    """What people do to a question after they asked it."""

    def __init__(self, record: MemoryRecord) -> None:
        self._record = record

    async def identified(self, platform: str, workspace: str, identity: str) -> Turn | None:
        """The turn of this message, whatever its status."""
        return self._record.identified(platform, workspace, identity)

    async def revise(self, turn_id: str, question: str, *, addressed: bool = False) -> Turn | None:
        """Ask anew, as the next revision."""
        turn = self._record.turns.get(turn_id)
        if turn is None or (turn.question == question and not (addressed and turn.quiet)):
            return None
        return self._restart(replace(turn, question=question, status="waiting", quiet=turn.quiet and not addressed))

    async def withdraw(self, turn_id: str) -> Turn | None:
        """End it as withdrawn and drop its words."""
        turn = self._record.turns.get(turn_id)
        return None if turn is None else self._restart(replace(turn, question="", status="withdrawn"))

    async def take_back(self, platform: str, workspace: str, identity: str) -> None:
        """This message is gone: should it still come, it is nothing."""
        self._record.taken_back.add((platform, workspace, identity))

    async def unfinished(self, platform: str, workspace: str) -> Sequence[str]:
        """The ids of the turns there that wait or are being answered, in the order of acceptance."""
        there = [turn for turn in self._record.turns.values() if turn.status in ("waiting", "running")]
        return [turn.id for turn in there if (turn.key.platform, turn.key.workspace) == (platform, workspace)]

    async def left_standing(self, platforms: frozenset[str] | None = None) -> Sequence[Turn]:
        """Those that were withdrawn and of which messages may still be there."""
        left = [turn for turn in self._record.turns.values() if turn.id not in self._record.staying]
        gone = [turn for turn in left if turn.status == "withdrawn" and turn.target.message_ids]
        return [turn for turn in gone if platforms is None or turn.key.platform in platforms]

    async def stop(self, turn_id: str) -> bool:
        """Ask whichever process is at it to end with what it has."""
        turn = self._record.turns.get(turn_id)
        if turn is None or turn.status not in ("waiting", "running"):
            return False
        self._record.stopping.add(turn_id)
        return True

    async def asked_by(self, key: SessionKey, author: str, *, anywhere: bool = False) -> Sequence[str]:
        """The ids of the questions of this person that have no end yet, in the session or `anywhere` in its channel."""
        own = [turn for turn in self._record.turns.values() if turn.author.id == author]
        there = [turn for turn in own if turn.key == (replace(key, thread=turn.key.thread) if anywhere else key)]
        return [turn.id for turn in there if turn.status in ("waiting", "running")]

    async def stopping(self, turn_id: str) -> bool:
        """Whether somebody asked for that."""
        return turn_id in self._record.stopping

    async def call(self, turn_id: str, called: bool = True) -> bool:
        """Note that somebody is called to it."""
        if turn_id not in self._record.turns or (turn_id in self._record.called) == called:
            return False
        (self._record.called.add if called else self._record.called.discard)(turn_id)
        return True

    def _restart(self, turn: Turn) -> Turn | None:
        if self._record.turns[turn.id].status == "withdrawn":
            return None
        fresh = replace(
            turn, revision=turn.revision + 1, owner=None, lease_until=None, attempts=0, answer=None, error_id=None
        )
        self._record.turns[turn.id] = fresh
        self._record.stopping.discard(turn.id)
        return fresh


def _free_for(turn: Turn, owner: str, now: datetime) -> bool:
    """Whoever heard a turn has it to itself for a moment."""
    return turn.owner in (None, owner) or turn.lease_until is None or turn.lease_until <= now


def _at_work(turn: Turn, now: datetime) -> bool:
    return turn.status == "running" and turn.lease_until is not None and turn.lease_until > now
