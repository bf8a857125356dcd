"""A folder on this machine as a source of documents.

Lists by `os.scandir` and reads nothing until a document is fetched. Knows nothing of formats beyond
the media type that a name suggests.
"""

from __future__ import annotations

import asyncio
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from adapters.sources.choosing import DEFAULT_EXCLUDE, is_text, matcher, media_type
from adapters.sources.files import found, read_file, there
from core.documents import Listing, Problem, SourceEntry
from core.errors import ParseError, SourceError


class FolderSource:
    """The files below `root` that match `include` and not `exclude`, both like lines of a .gitignore.

    Links are followed only to what lies inside `root`. A folder that can't be read makes the
    listing incomplete, so that nothing of it is taken for deleted.
    """

    def __init__(
        self,
        root: Path,
        include: Sequence[str] = ("**/*",),
        exclude: Sequence[str] = DEFAULT_EXCLUDE,
        max_bytes: int = 25 * 2**20,
    ) -> None:
        self._root, self._include, self._exclude, self._max_bytes = root, tuple(include), tuple(exclude), max_bytes

    async def list(self) -> Listing:
        """All documents there are now; raises SourceError `error.folder_…` when there is nothing to list."""
        return await asyncio.to_thread(self._list)

    async def fetch(self, entry: SourceEntry) -> bytes:
        """The file's bytes; raises ParseError `parse.unreadable`, `parse.gone` or `parse.too_large`."""
        return await asyncio.to_thread(self._read, entry.id)

    def _list(self) -> Listing:
        root = self._real_root()
        walk = _Walk(root, matcher(self._include), matcher(self._exclude))
        try:
            walk.go(str(root))
        except PermissionError as error:
            raise SourceError("error.folder_permission", path=self._root) from error
        except OSError as error:  # gone in this moment, or a disk that doesn't answer
            raise SourceError("error.folder_missing", path=self._root) from error
        if not walk.entries and not walk.problems:
            raise SourceError("error.folder_empty", path=self._root, include=", ".join(self._include))
        entries = tuple(sorted(walk.entries.values(), key=lambda entry: entry.id))
        return Listing(entries, walk.complete, tuple(walk.problems))

    def _real_root(self) -> Path:
        try:
            root = there(self._root.expanduser()).resolve(strict=True)
            is_folder = root.is_dir()
        except PermissionError as error:
            raise SourceError("error.folder_permission", path=self._root) from error
        except (OSError, RuntimeError, ValueError) as error:  # missing, a loop of links, a NUL in the name
            raise SourceError("error.folder_missing", path=self._root) from error
        if not is_folder:
            raise SourceError("error.folder_missing", path=self._root)
        return root

    def _read(self, name: str) -> bytes:
        root = self._real_root()
        path = found(root, name)
        if path is None or not path.resolve().is_relative_to(root):
            raise ParseError("parse.gone")
        try:
            return read_file(path.resolve(), self._max_bytes)
        except OSError as error:
            raise ParseError("parse.unreadable", detail=str(error)) from error


@dataclass
class _Walk:
    """One pass over the tree: what was found, and what could not be looked at."""

    root: Path
    include: Callable[[str], bool]
    exclude: Callable[[str], bool]
    entries: dict[str, SourceEntry] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    complete: bool = True
    waiting: list[tuple[str, str]] = field(default_factory=list)

    def go(self, path: str) -> None:
        """Everything below `path`; raises OSError when it can't be read itself. Depth costs no calls in calls."""
        self._folder(path, "")
        while self.waiting:
            path, prefix = self.waiting.pop()
            with self._told(prefix.rstrip("/")):
                self._folder(path, prefix)

    def _folder(self, path: str, prefix: str) -> None:
        with os.scandir(path) as listed:
            children = sorted(listed, key=lambda child: child.name)
        for child in children:
            name = unicodedata.normalize("NFC", prefix + child.name)
            with self._told(name):
                self._child(child, name)

    @contextmanager
    def _told(self, name: str) -> Iterator[None]:
        """What can't be looked at is named, and makes the listing incomplete."""
        try:
            yield
        except FileNotFoundError:
            pass  # gone since the folder was read
        except OSError as error:
            self.complete = False
            self.problems.append(Problem(name, "parse.unreadable", str(error)))

    def _child(self, child: os.DirEntry[str], name: str) -> None:
        if not is_text(name):
            self.problems.append(Problem(ascii(name), "parse.name"))
        elif child.is_symlink() and not self._points_inside(child.path):
            return
        elif child.is_dir():
            if not self.exclude(name + "/") and not self._is_loop(child):
                self.waiting.append((child.path, name + "/"))
        elif self.include(name) and not self.exclude(name):
            self._file(child, name)

    def _file(self, child: os.DirEntry[str], name: str) -> None:
        state = child.stat()
        if not stat.S_ISREG(state.st_mode):
            return  # pipes and sockets would never end
        if name in self.entries:
            self.problems.append(Problem(name, "parse.name_twice"))
        else:  # whether it may be read is seen at fetch: it exists, so it must not count as deleted
            self.entries[name] = SourceEntry(
                id=name,
                fingerprint=f"{state.st_size}-{state.st_mtime_ns}",
                size=state.st_size,
                media_type=media_type(name),
                modified=datetime.fromtimestamp(state.st_mtime, UTC),
            )

    def _points_inside(self, path: str) -> bool:
        target = Path(os.path.realpath(path))
        return target.is_relative_to(self.root) and target.exists()

    def _is_loop(self, child: os.DirEntry[str]) -> bool:
        """A link to a folder inside the root is listed where it lies, not a second time."""
        return child.is_symlink()
