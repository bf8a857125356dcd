"""Files of this machine: found in whichever normal form a disk has their names, and opened so that nothing but a
plain file of a size that is wanted is ever read.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from core.errors import ParseError

MB = 2**20


def opened(path: Path) -> BinaryIO:
    """A plain file for reading; raises OSError for anything else. A pipe or a device would never end."""
    # Without O_NONBLOCK a pipe in the file's place would keep us waiting for somebody to write into it.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path.name} is not a plain file")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_file(path: Path, most: int) -> bytes:
    """All of a file, or nothing of it; raises ParseError `parse.too_large`, OSError."""
    with opened(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise too_large(most)
        data = file.read(most + 1)
    if len(data) > most:  # it has grown since
        raise too_large(most)
    return data


def too_large(most: int) -> ParseError:
    """The refusal of what is larger than `most` bytes."""
    limit = str(max(1, most // MB))
    return ParseError("parse.too_large", detail=limit, limit_mb=limit)


def found(root: Path, name: str) -> Path | None:
    """The file of that name below `root`, which on disk may be in another normal form."""
    parts = PurePosixPath(name).parts
    if not parts or ".." in parts or PurePosixPath(name).is_absolute():
        return None
    path = root.joinpath(*parts)
    if path.exists():
        return path
    path = root
    for part in parts:
        try:
            match = next((child for child in path.iterdir() if _same(child.name, part)), None)
        except OSError:
            return None
        if match is None:
            return None
        path = match
    return path


def there(path: Path) -> Path:
    """The path as it is on disk; itself when there is none."""
    if not path.is_absolute() or str(path).isascii() or path.exists():
        return path
    return found(Path(path.anchor), path.relative_to(path.anchor).as_posix()) or path


def _same(one: str, other: str) -> bool:
    return unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)
