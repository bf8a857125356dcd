"""Several processes on one index file: one writes, the others see all of a version or nothing of it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from adapters.embedded.index import EmbeddedIndex
from tests.index.values import ANALYZER, Index, scope


async def _writer(path: Path, *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.index.worker", str(path), *arguments, stdout=asyncio.subprocess.PIPE
    )


async def test_a_reader_sees_each_version_whole_while_another_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    async with EmbeddedIndex(path, ANALYZER) as opened:
        index = Index(opened.vectors, opened.lexical, opened.passages)
        writer = await _writer(path, "25")
        assert writer.stdout is not None
        seen = 0
        while line := await writer.stdout.readline():
            stored = int(line)
            for version in {stored, max(1, stored - 1)}:
                published = scope({"a.md": str(version)})
                words, meaning = await index.words(published, "word"), await index.meaning(published, "word")
                assert len(words) in {0, 5}  # 0: the writer has moved on and cleaned up
                assert len(meaning) in {0, 5}
                texts = await index.passages.get(published, words)
                assert all(f"round {version} " in found.text for found in texts.values())
                seen += len(words) == 5
        assert await writer.wait() == 0
        assert seen > 0
        assert len(await index.words(scope({"a.md": "25"}), "word")) == 5
        assert await index.passages.versions("docs") == [("a.md", "24"), ("a.md", "25")]


async def test_a_writer_that_is_killed_leaves_a_usable_index(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    writer = await _writer(path, "2", "die")
    await writer.communicate()
    assert writer.returncode == -9
    async with EmbeddedIndex(path, ANALYZER) as opened:
        index = Index(opened.vectors, opened.lexical, opened.passages)
        assert len(await index.words(scope({"a.md": "2"}), "word")) == 5
