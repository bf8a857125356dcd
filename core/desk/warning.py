"""What the router's self-tests warn of, told to the admins as direct messages: once for each change, and no channel.

Each process that serves a platform looks; the record knows who was told what, so that an admin hears it once. A
message that can't be sent is tried again later. Knows no platform.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime

from core.access_commands import Named
from core.catalog.alarms import Alarm
from core.catalog.telling import told_alarms
from core.desk.routing_told import standing_alarms
from core.documents import Readable
from core.errors import RefdeskError
from core.messages import Language, ReplyTarget
from core.ports import Access, Catalog, Directs, Posts, RouterRecord, WarningsTold
from core.pulse import Pulse
from core.wording import say

log = logging.getLogger(__name__)

EVERY, AGAIN = 30.0, 3600.0
"""Seconds between looks, and until somebody who could not be told is tried again."""

MOST_ADMINS, MOST_ALARMS = 20, 10


@dataclass(frozen=True, slots=True)
class WarningStores:
    """What a warning is made from, and who was told."""

    router: RouterRecord
    catalog: Catalog
    access: Access
    told: WarningsTold


@dataclass
class RouterWarnings:
    """Tells inside `async with warnings.running()`. Of `admins` those who are named as users, in full or bare."""

    stores: WarningStores
    posts: Posts
    directs: Mapping[str, Directs]
    pulses: Mapping[str, Pulse]
    admins: Named
    everything: Readable
    language: Language = "en"
    every: float = EVERY
    _later: dict[str, float] = field(default_factory=dict)
    _seen: dict[str, datetime | None] = field(default_factory=dict)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Meanwhile admins are warned."""
        loop = asyncio.create_task(self._loop(), name="router warnings")
        try:
            yield
        finally:
            loop.cancel()
            with suppress(asyncio.CancelledError):
                await loop

    async def _loop(self) -> None:
        while True:
            try:
                await self.look()
            except RefdeskError as error:
                log.warning("whether there is something to warn of could not be looked up: %s", error)
            except Exception:
                log.exception("whether there is something to warn of could not be looked up")
            await asyncio.sleep(self.every)

    async def look(self) -> None:
        """Tell what the latest test is the first to warn of; once for each test, and where that failed, later again."""
        tests, stores = await self.stores.router.tests(1), self.stores
        tested, now = tests[0].at if tests else None, asyncio.get_running_loop().time()
        due = [each for each in self._people() if self._seen.get(each) != tested and self._later.get(each, now) <= now]
        if not due and self._seen.get("") == tested:
            return
        self._seen[""] = tested
        standing = await standing_alarms(stores.router, stores.catalog, self.everything)
        if standing and not self.admins.users:
            log.warning("nobody is told what the router warns of: no admin is named by id under [admins] users")
        for person in due:
            if await (self._told(person) if standing else stores.told.claim(person, ())) is not None:
                self._seen[person] = tested

    def _people(self) -> list[str]:
        """As ``platform/workspace/id``, without a workspace ``platform//id``; those whose platform is connected."""
        found = set[str]()
        for id in self.admins.users:
            platform, slash, _ = id.partition("/")
            full = id if slash else f"{'discord' if id.isdigit() else 'slack'}//{platform}"
            name = full.partition("/")[0]
            if name in self.directs and self.pulses[name].connected:
                found.add(full)
        return sorted(found)[:MOST_ADMINS]

    async def _told(self, person: str) -> frozenset[str] | None:
        """What they were told now; None where it failed."""
        platform, workspace, user = person.split("/")
        try:
            target, audience = await self.directs[platform].open(workspace, user)
            readable = await self.stores.access.readable(audience)
            found = await standing_alarms(self.stores.router, self.stores.catalog, readable)
            new = await self._new(person, found)
            if new:
                await self._send(person, target, new)
        except RefdeskError as error:
            self._later[person] = asyncio.get_running_loop().time() + AGAIN
            log.warning("%s could not be warned of the router: %s", person, error)
            return None
        return frozenset(new)

    async def _new(self, person: str, found: Sequence[Alarm]) -> dict[str, Alarm]:
        """What they were not told yet; it counts as told now, and what has passed is forgotten."""
        by_sign = {_sign(alarm): alarm for alarm in found[:MOST_ALARMS]}
        fresh = await self.stores.told.claim(person, tuple(by_sign))
        return {sign: alarm for sign, alarm in by_sign.items() if sign in fresh}

    async def _send(self, person: str, target: ReplyTarget, new: Mapping[str, Alarm]) -> None:
        lines = told_alarms(list(new.values()), self.language)
        text = "\n".join([say("router.warned", self.language), *(f"- {line.strip()}" for line in lines)])
        try:
            await self.posts.post(target, text)
        except RefdeskError:
            await self.stores.told.release(person, tuple(new))
            raise


def _sign(alarm: Alarm) -> str:
    """What makes it another warning: whose questions go where most often, not that one more or less went astray."""
    first = [(pair.confusion.asked, pair.confusion.routed) for pair in alarm.pairs[:1]]
    return hashlib.sha256(repr((alarm.place, first)).encode()).hexdigest()[:32]
