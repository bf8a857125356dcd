"""What a sync costs: nothing changed, one page in a hundred changed, and how much memory it takes.

10,000 small files of seeded words. Each part runs in a process of its own, so that its peak memory is its own; memory
is told for a quarter of the files and for all of them.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from adapters.clock import SystemClock
from adapters.embedded.index import EmbeddedIndex
from adapters.local.hashing import HashingEmbedder
from adapters.parsers.reading import DocumentReader
from adapters.parsers.splitter import MarkdownSplitter
from adapters.sources.folder import FolderSource
from adapters.sql.catalog import SqlCatalog, SqlDigests
from adapters.sql.database import Database, sqlite_url
from adapters.sql.publisher import SqlPublisher
from bots.process import tune
from core.catalog.cards import Cards
from core.indexing.carding import CatalogCards
from core.indexing.parts import SyncPorts, SyncTarget
from core.indexing.report import SyncReport
from core.indexing.sync import Syncer
from core.retrieval.analysis import BigramAnalyzer
from tests.benchmarks.rows import Row
from tests.benchmarks.scale import Texts, at_most, peak_mb

FILES = 10_000
FEW = FILES // 4
CHANGED = FILES // 100

Measured = dict[str, float]


async def run(_: Path | None) -> list[Row]:
    """All rows."""
    few, all_ = await _apart(FEW), await _apart(FILES)
    grown = all_["peak_mb"] / few["peak_mb"]
    share = all_["changed_s"] / all_["first_s"]
    return [
        at_most("sync: nothing changed in 10,000 small files", all_["unchanged_s"], "s", 5),
        Row("sync: 10,000 small files for the first time (hashing embedder)", round(all_["first_s"], 1), "s"),
        Row("sync: 100 of them changed", round(all_["changed_s"], 1), "s"),
        at_most("sync: 1 % changed, as a share of the first sync", round(100 * share, 1), "%", 25),
        Row("sync: passages embedded anew for those 100", all_["embedded"], "passages"),
        Row("sync: peak memory with 2,500 files", round(few["peak_mb"]), "MB"),
        Row("sync: peak memory with 10,000 files", round(all_["peak_mb"]), "MB"),
        at_most("sync: peak memory with four times the files", round(grown, 2), "times", 1.5),
    ]


async def _apart(files: int) -> Measured:
    command = [sys.executable, "-m", "tests.benchmarks.syncs", str(files)]
    done = await asyncio.to_thread(subprocess.run, command, stdout=subprocess.PIPE, check=True)
    measured: Measured = json.loads(done.stdout)
    return measured


async def _measured(files: int) -> Measured:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        texts = Texts(3)
        for number in range(files):
            _write(folder, number, texts)
        first = await _synced(folder)
        again = await _synced(folder)
        for number in range(0, files, files // CHANGED):
            _write(folder, number, texts)
        changed = await _synced(folder)
    assert (first.added, again.unchanged, again.published) == (files, files, False), again
    assert changed.changed == CHANGED, changed
    return {
        "first_s": first.seconds,
        "unchanged_s": again.seconds,
        "changed_s": changed.seconds,
        "embedded": changed.embedded,
        "peak_mb": peak_mb(),
    }


def _write(folder: Path, number: int, texts: Texts) -> None:
    path = folder / "files" / f"{number % 100:02}" / f"page-{number}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# Page {number}\n\n{texts.text(number % 2 == 1, 40)}\n", encoding="utf-8")


async def _synced(folder: Path) -> SyncReport:
    async with _syncer(folder) as syncer:
        return await syncer.sync(SyncTarget("files", FolderSource(folder / "files")))


@asynccontextmanager
async def _syncer(folder: Path) -> AsyncIterator[Syncer]:
    """As a new process would have it: nothing is in memory from the sync before."""
    clock, embedder = SystemClock(), HashingEmbedder(64)
    async with (
        Database(sqlite_url(folder / "record.sqlite"), clock) as database,
        EmbeddedIndex(folder / "files.sqlite", BigramAnalyzer()) as index,
    ):
        catalog, digests = SqlCatalog(database), SqlDigests(database)
        yield Syncer(
            SyncPorts(
                read=DocumentReader().read,
                splitter=MarkdownSplitter(),
                embedder=embedder,
                vectors=index.vectors,
                lexical=index.lexical,
                passages=index.passages,
                catalog=catalog,
                digests=digests,
                publisher=SqlPublisher(database),
                cards=CatalogCards(catalog, digests, Cards(embedder), {}, {}),
                clock=clock,
            )
        )


def _main(arguments: Sequence[str]) -> None:
    tune()  # as the command does
    print(json.dumps(asyncio.run(_measured(int(arguments[0])))))


if __name__ == "__main__":
    _main(sys.argv[1:])
