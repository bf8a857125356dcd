"""The front desk, put together over a base: the same for every platform that is open."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from adapters.clock import SystemClock
from core.desk.feedback import Saved
from core.desk.reindex import Reindexing, Wish
from core.documents import Readable
from core.feedback import Correction
from core.jobs import Asker
from core.ports import Directory, Directs, Posts

if TYPE_CHECKING:
    from bots.compose.base import Base
    from core.access_corrections import Takes
    from core.desk.about_answers import AboutAnswers
    from core.desk.desk import Desk
    from core.desk.errands import Errands
    from core.desk.feedback import Receiving
    from core.desk.front import Front
    from core.desk.routing_told import RouterView
    from core.desk.share import Sharing
    from core.desk.standing_told import Overview
    from core.desk.threads import Threads
    from core.desk.warning import RouterWarnings
    from core.pulse import Pulse


@dataclass(frozen=True, slots=True)
class Platforms:
    """What the front desk needs of the platforms: posts to any of them; by platform names, connections, ways to one."""

    posts: Posts
    names: Mapping[str, Directory]
    pulses: Mapping[str, Pulse]
    directs: Mapping[str, Directs] = field(default_factory=dict)


async def opened_front(stack: AsyncExitStack, base: Base, desk: Desk, platforms: Platforms) -> Front:
    """Ready until the stack is closed; meanwhile it is told how jobs go, and admins what the router does wrong."""
    from core.desk.channel_talk import ChannelTalk
    from core.desk.front import Front
    from core.desk.knowing import Knowing
    from core.desk.routing_told import RouterView

    access, staff, catalog = base.gates.access, base.gates.staff, base.stores.catalog
    receiving = _receiving(base)
    await stack.enter_async_context(router_warnings(base, platforms).running())
    router = RouterView(access, staff, catalog, base.router, base.settings.rules.router_tokens)
    return Front(
        Knowing(access, catalog),
        router,
        _overview(base, router, platforms.pulses),
        await _errands(stack, base, platforms),
        _answers(base, desk, receiving),
        receiving,
        _sharing(base, platforms.posts),
        _threads(base, desk),
        ChannelTalk(base.gates.channels),
    )


async def _errands(stack: AsyncExitStack, base: Base, platforms: Platforms) -> Errands:
    from adapters.sql.job_news import SqlJobNews
    from adapters.sql.jobs import SqlJobRecord
    from core.desk.errands import Bulletin, Errands, Gates
    from core.desk.reports import JobReports, ReportStores

    access, upkeep, posts = base.gates.access, base.upkeep, platforms.posts
    record, news = SqlJobRecord(base.database), SqlJobNews(base.database)
    stores = ReportStores(record, news, base.stores.catalog, base.router, access)
    reports = await stack.enter_async_context(JobReports(stores, posts, frozenset(platforms.names)))
    stack.enter_context(upkeep.runner.heard_by(reports))
    gates, when = Gates(access, base.gates.staff), (SystemClock(), ZoneInfo(base.settings.timezone))
    return Errands(upkeep.reindexing, upkeep.jobs, gates, Bulletin(posts, reports, platforms.names), when)


def router_warnings(base: Base, platforms: Platforms) -> RouterWarnings:
    """Not running yet."""
    from adapters.sql.warnings_told import SqlWarningsTold
    from core.desk.warning import RouterWarnings, WarningStores

    gates, everything = base.gates, Readable(frozenset(base.targets))
    stores = WarningStores(base.router, base.stores.catalog, gates.access, SqlWarningsTold(base.database))
    admins, language = gates.staff.admins, base.settings.language
    return RouterWarnings(stores, platforms.posts, platforms.directs, platforms.pulses, admins, everything, language)


def _overview(base: Base, router: RouterView, pulses: Mapping[str, Pulse]) -> Overview:
    from adapters.sql.activity import SqlTurnLog
    from adapters.sql.feedback import SqlFeedback
    from core.desk.standing_told import Overview

    upkeep, gates = base.upkeep, base.gates
    log, feedback = SqlTurnLog(base.database), SqlFeedback(base.database)
    clock, zone = SystemClock(), ZoneInfo(base.settings.timezone)
    return Overview(
        gates.access, gates.staff, log, feedback, upkeep.jobs, upkeep.schedules, clock, zone, router, pulses
    )


def _receiving(base: Base) -> Receiving:
    """Corrections are taken where there is a collection that they go into without anybody new reading them."""
    from adapters.sql.feedback import SqlCorrections, SqlFeedback
    from core.access_corrections import taking
    from core.desk.feedback import Receiving, ReceivingStores

    every = base.settings.collections
    rules = {each.name: each.visibility.rule(each.name) for each in every}
    taken = {each.name: taking(each.name, rules) for each in every if each.kind == "corrections"}
    stores = ReceivingStores(SqlFeedback(base.database), SqlCorrections(base.database), base.stores.record)
    saved = _saved(base.upkeep.reindexing, taken) if taken else None
    return Receiving(
        stores, base.gates.staff, SystemClock(), saved, lambda about: any(takes(about) for takes in taken.values())
    )


def _saved(reindexing: Reindexing, taken: Mapping[str, Takes]) -> Saved:
    """A correction that was kept is read by the collections that take it."""

    async def saved(correction: Correction) -> None:
        names = tuple(name for name, takes in taken.items() if takes(correction.about))
        await reindexing.ask(Wish(Asker("corrections"), names), Readable(frozenset(names)), lambda _: True)

    return saved


def _answers(base: Base, desk: Desk, receiving: Receiving) -> AboutAnswers:
    from adapters.sql.turns import SqlTurnEdits
    from core.desk.about_answers import AboutAnswers, AnswerStores
    from core.desk.passages import FootnoteReading

    access, stores = base.gates.access, base.stores
    reading = FootnoteReading(stores.record, access, stores.catalog, base.index.passages)
    asked = AnswerStores(stores.record, SqlTurnEdits(base.database), access)
    return AboutAnswers(asked, reading, receiving, desk, base.gates.staff)


def _sharing(base: Base, posts: Posts) -> Sharing:
    from adapters.sql.copies import SqlTurnCopies
    from adapters.sql.turns import SqlTurnEdits
    from core.desk.share import Sharing, SharingStores

    stores, database = base.stores, base.database
    kept = SharingStores(stores.queue, stores.record, SqlTurnEdits(database), SqlTurnCopies(database), stores.catalog)
    return Sharing(kept, base.gates.access, posts, SystemClock())


def _threads(base: Base, desk: Desk) -> Threads:
    from adapters.sql.belongings import SqlBelongings
    from adapters.sql.sessions import SqlAttendances
    from core.desk.threads import Threads

    return Threads(SqlAttendances(base.database), SqlBelongings(base.database), base.gates.access, desk.drop)
