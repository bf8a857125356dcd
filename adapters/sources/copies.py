"""What sources keep on disk between syncs: one folder for each collection, named by it. Reads no document."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

SUFFIXES = (".git", ".site", ".discord")


def copies(folder: Path) -> frozenset[str]:
    """The collections of which something is kept below the folder."""
    return frozenset(each.stem for each in _kept(folder))


def remove_copies(folder: Path, collection: str) -> int:
    """Delete what is kept of a collection; how many folders that were. Raises OSError."""
    found = [each for each in _kept(folder) if each.stem == collection]
    for each in found:
        shutil.rmtree(each)
    return len(found)


def _kept(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (each for each in folder.iterdir() if each.suffix in SUFFIXES and not each.is_symlink())
