"""A collection of corrections is read where all that it is about is read, as soon as something is said in chat."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adapters.clock import SystemClock
from adapters.sql.database import Database, sqlite_url
from adapters.sql.feedback import SqlCorrections
from adapters.sql.publisher import SqlPublisher
from bots.compose.access import Doors, doors
from bots.serve import at_start
from bots.settings import validated
from core.access_commands import Person
from core.desk.settings import Inquiry
from core.feedback import Correction
from core.messages import Audience
from tests.access.readers import HERE
from tests.stores.values import a_publication

SALES, ELSEWHERE = Audience("slack", "T1", "C1"), Audience("slack", "T1", "C2")
TERMINAL = Audience("console", "local", "terminal")
ADMIN = Inquiry(Person("slack", "T1", "U0"), Audience("slack", "T1", "D0", "U0"), HERE)
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@dataclass
class Ground:
    """The doors as they are composed, and what stands behind them."""

    doors: Doors
    corrections: SqlCorrections
    publisher: SqlPublisher
    published: int = 0

    async def publish(self, *kept: Correction) -> None:
        """A sync of the corrections, and of nothing else."""
        self.published += 1
        documents = {each.document: each.text for each in kept}
        await self.publisher.publish(a_publication("corrections", self.published, documents))

    async def read(self, audience: Audience) -> set[str]:
        """What is readable."""
        return set((await self.doors.access.readable(audience)).collections)


@asynccontextmanager
async def opened(folder: Path, visibility: dict[str, Any] | None = None) -> AsyncIterator[Ground]:
    collections = [
        {"name": "hr", "source": "folder:hr", "visibility": visibility or {}},
        {"name": "docs", "source": "folder:docs"},
        {"name": "corrections", "source": "corrections:", "visibility": visibility or {}},
    ]
    settings = validated({"collections": collections, "admins": {"users": ["slack/T1/U0"]}}, "refdesk.toml")
    async with Database(sqlite_url(folder / "refdesk.db"), SystemClock()) as database:
        made = doors(settings, database, SystemClock())
        yield Ground(made, SqlCorrections(database), SqlPublisher(database))


def said(id: str, about: Sequence[str]) -> Correction:
    return Correction(id, "How long is leave?", "14 months.", "slack/T1/U0", NOW, tuple(about))


async def test_what_is_hidden_in_a_channel_hides_what_was_written_about_it_at_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as ground:
        kept = said("c1", ["docs", "hr"])
        await ground.corrections.put(kept)
        await ground.publish(kept)
        assert await ground.read(SALES) == {"hr", "docs", "corrections"}
        await ground.doors.channels.set_visible(ADMIN, ["hr"], False)
        assert await ground.read(SALES) == {"docs"}
        assert await ground.read(ELSEWHERE) == await ground.read(TERMINAL) == {"hr", "docs", "corrections"}


async def test_corrections_about_other_things_are_read_until_one_about_the_hidden_is_published(tmp_path: Path) -> None:
    async with opened(tmp_path) as ground:
        await ground.doors.channels.set_visible(ADMIN, ["hr"], False)
        first, second = said("c1", ["docs"]), said("c2", ["hr"])
        await ground.corrections.put(first)
        await ground.publish(first)
        await ground.corrections.put(second)
        assert await ground.read(SALES) == {"docs", "corrections"}
        await ground.publish(first, second)
        assert await ground.read(SALES) == {"docs"}


async def test_shown_in_a_channel_corrections_are_read_there_only_where_their_subject_is_too(tmp_path: Path) -> None:
    async with opened(tmp_path, {"users": ["slack/T1/U0"]}) as ground:
        kept = said("c1", ["hr"])
        await ground.corrections.put(kept)
        await ground.publish(kept)
        await ground.doors.channels.set_visible(ADMIN, ["corrections"], True)
        assert await ground.read(SALES) == {"docs"}
        await ground.doors.channels.set_visible(ADMIN, ["hr"], True)
        assert await ground.read(SALES) == {"docs", "hr", "corrections"}


@pytest.mark.parametrize("gone", [True, False])
async def test_one_that_was_taken_back_or_is_about_what_is_gone_is_read_by_nobody(tmp_path: Path, gone: bool) -> None:
    async with opened(tmp_path) as ground:
        kept = said("c1", ["sold"] if gone else ["docs"])
        await ground.corrections.put(kept)
        await ground.publish(kept)
        if not gone:
            await ground.corrections.remove("c1")
        assert await ground.read(SALES) == await ground.read(TERMINAL) == {"hr", "docs"}
        await ground.publish()
        assert await ground.read(SALES) == {"hr", "docs", "corrections"}


async def test_a_correction_of_a_correction_is_about_the_first_one_s_subject_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as ground:
        kept = [said("c1", ["hr"]), said("c2", ["corrections"])]
        for each in kept:
            await ground.corrections.put(each)
        await ground.publish(*kept)
        assert "corrections" in await ground.read(SALES)
        await ground.doors.channels.set_visible(ADMIN, ["hr"], False)
        assert "corrections" not in await ground.read(SALES)


def test_a_process_that_starts_reads_corrections_anew_by_the_rules_of_now() -> None:
    collections = [{"name": "hr", "source": "folder:hr"}, {"name": "right", "source": "corrections:"}]
    settings = validated({"collections": collections}, "refdesk.toml")
    assert at_start(settings, {"hr", "right"}) == ("right",)
    assert at_start(settings, set()) == ("hr", "right")
