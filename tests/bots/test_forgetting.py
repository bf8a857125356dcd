"""A collection that was taken out of refdesk.toml: `refdesk check` names it, `refdesk index --forget` deletes it."""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from adapters.console.screen import Screen
from bots import admin, forgetting
from bots.compose import Seat, opened
from bots.settings import load
from core.errors import InputError, StoreError
from core.indexing import forgetting as use_case
from tests.bots.test_pinecone import CONFIG as PINECONE
from tests.bots.test_pinecone import refdesk
from tests.pinecone_server.server import serving

DOCS = '[[collections]]\nname = "docs"\nsource = "folder:docs"\n'
PAYROLL = '[[collections]]\nname = "payroll"\nsource = "folder:payroll"\n'


def configured(place: Path, *collections: str) -> None:
    (place / "refdesk.toml").write_text('data_dir = "data"\n' + "".join(collections), encoding="utf-8")


@pytest.fixture
async def place(tmp_path: Path) -> Path:
    """Two collections are indexed, one of them is configured no more."""
    for name, text in (("docs", "# VPN\n\nIt changes every 90 days."), ("payroll", "# Pay\n\nThe salary is 4711.")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "page.md").write_text(text, encoding="utf-8")
    configured(tmp_path, DOCS, PAYROLL)
    async with opened(load(tmp_path / "refdesk.toml"), seat=Seat(Screen(io.StringIO(), io.StringIO()))) as app:
        await app.sync(app.names)
    (tmp_path / "data" / "sources" / "payroll.site").mkdir(parents=True)
    configured(tmp_path, DOCS)
    return tmp_path


def held(place: Path) -> set[str]:
    """The collections whose passages stand in the index file."""
    with closing(sqlite3.connect(place / "data" / "index.db")) as index:
        query = "SELECT collection FROM passages UNION SELECT collection FROM versions"
        return {row[0] for row in index.execute(query)}


async def test_it_is_named_with_the_remedy_and_deleted(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = load(place / "refdesk.toml")
    await admin.check(settings)
    assert (
        "payroll is in the index but not in refdesk.toml; `refdesk index --forget payroll` deletes it."
        in capsys.readouterr().out
    )
    assert await forgetting.forget(settings, "payroll") == 0
    assert "payroll is deleted: 1 documents, 1 versions" in capsys.readouterr().out
    assert held(place) == {"docs"}
    assert not (place / "data" / "sources" / "payroll.site").exists()
    await admin.check(settings)
    assert "payroll" not in capsys.readouterr().out
    with pytest.raises(InputError, match="forget_unknown"):
        await forgetting.forget(settings, "payroll")


async def test_one_that_is_configured_is_refused_with_the_remedy(place: Path) -> None:
    with pytest.raises(InputError) as refused:
        await forgetting.forget(load(place / "refdesk.toml"), "docs")
    assert "Take it out there" in refused.value.user_message("en")
    assert held(place) == {"docs", "payroll"}


async def test_a_name_that_is_a_path_deletes_nothing(place: Path) -> None:
    for name in ("../docs", "", ".", "docs/../payroll"):
        with pytest.raises(InputError):
            await forgetting.forget(load(place / "refdesk.toml"), name)
    assert (place / "data" / "sources" / "payroll.site").exists()


async def test_a_deletion_that_broke_off_is_still_named_and_repeated(place: Path) -> None:
    async with opened(load(place / "refdesk.toml"), seat=Seat(Screen(io.StringIO(), io.StringIO()))) as app:
        whole = app.forgetting

        class Breaking:
            """Copies that can't be deleted."""

            async def names(self) -> frozenset[str]:
                return frozenset()

            async def remove(self, collection: str) -> int:
                raise StoreError("error.store_access", path=collection, what="Read-only file system")

        holders = whole._holders
        broken = use_case.Holders(
            holders.vectors, holders.lexical, holders.archive, Breaking(), holders.record, holders.publisher
        )
        with pytest.raises(StoreError):
            await use_case.Forgetting(broken, frozenset({"docs"})).forget("payroll")
        assert held(place) == {"docs"}
        assert await whole.strays() == ("payroll",)
        again = await whole.forget("payroll")
        assert (again.documents, again.versions, again.copies) == (1, 0, 1)
        assert await whole.strays() == ()


async def test_the_vectors_at_pinecone_go_too(tmp_path: Path) -> None:
    async with serving() as server:
        for name in ("docs", "payroll"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "page.md").write_text(f"# {name}\n\nWhat stands in {name}.\n", encoding="utf-8")
        config = PINECONE.format(url=server.url)
        (tmp_path / "refdesk.toml").write_text(PAYROLL + config, encoding="utf-8")
        synced = await refdesk("sync", cwd=tmp_path, key=server.key)
        (tmp_path / "refdesk.toml").write_text(config, encoding="utf-8")
        done = await refdesk("index", "--forget", "payroll", cwd=tmp_path, key=server.key)
        (index,) = server.indexes.values()
        for space in index.namespaces.values():
            space.catch_up()
        left = {name.partition(".")[0]: len(space.records) for name, space in index.namespaces.items() if space.records}
    assert synced.returncode == 0, synced.stderr
    assert done.returncode == 0, done.stderr
    assert left == {"docs": 1}
