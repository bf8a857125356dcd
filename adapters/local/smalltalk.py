"""The phrases the local router compares a message with: small talk by kind, work questions, world questions.

Package data with float16 vectors made once for the bundled embedder; any other embedder makes its own
at first use. Knows nothing of Cards or of how a route is chosen.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from importlib import resources

import numpy as np

from core.ports import Embedder, Vectors

TALK = ("greeting", "thanks", "goodbye", "capabilities", "smalltalk")
_PHRASES = "smalltalk.json"
_VECTORS = "smalltalk.npz"
_TAUGHT = "talk_direction.npz"


@dataclass(frozen=True, slots=True)
class Phrases:
    """Phrases with their kinds and unit vectors, one row for each.

    `to_talk` is the direction (weights and bias) from questions for documents to small talk that was learned for
    this embedder; None for one that nothing was learned for.
    """

    texts: tuple[str, ...]
    kinds: tuple[str, ...]
    vectors: Vectors
    to_talk: tuple[Vectors, float] | None = None

    def rows(self, *kinds: str) -> Vectors:
        """The vectors of these kinds."""
        return self.vectors[[kind in kinds for kind in self.kinds]]

    def nearest(self, vector: Vectors) -> str:
        """The kind of talk whose phrases are nearest to the vector."""
        talk = [place for place, kind in enumerate(self.kinds) if kind in TALK]
        return self.kinds[talk[int(np.argmax(self.vectors[talk] @ vector))]]


def phrases() -> tuple[tuple[str, str], ...]:
    """All (phrase, kind) pairs in the order of the data file."""
    raw: dict[str, list[str]] = json.loads(_data(_PHRASES))
    return tuple((text, kind) for kind, texts in raw.items() for text in texts)


async def load(embedder: Embedder) -> Phrases:
    """The phrases with vectors of this embedder: the shipped ones where they are of its making."""
    texts, kinds = zip(*phrases(), strict=True)
    shipped, taught = _shipped(_VECTORS, embedder.name), _shipped(_TAUGHT, embedder.name)
    if shipped is None or len(shipped) != len(texts):
        shipped = await embedder.embed(texts, "query")
    to_talk = None if taught is None else (taught[:-1], float(taught[-1]))
    return Phrases(texts, kinds, np.asarray(shipped, dtype=np.float32), to_talk)


def _shipped(name: str, embedding: str) -> Vectors | None:
    with np.load(io.BytesIO(_data(name)), allow_pickle=False) as stored:
        return stored["vectors"].astype(np.float32) if str(stored["embedding"]) == embedding else None


def _data(name: str) -> bytes:
    return resources.files("adapters.local").joinpath(name).read_bytes()


_CLAUSE = re.compile(r"(?<=[!.?…。])\s+|\s*[\n;]+\s*|,\s+(?:and|but|so|also|then)?\s*|\s+[-–—]+\s+", re.IGNORECASE)
_JOINT = re.compile(r"^(?:and|but|so|also|then|그리고|그런데|근데|그럼)[,\s]+", re.IGNORECASE)


def clauses(message: str) -> list[str]:
    """The message cut where a courtesy may end and a question begin; one piece when there is no such place."""
    pieces = [piece.strip() for piece in _CLAUSE.split(message)]
    return [piece for piece in pieces if any(letter.isalnum() for letter in piece)]


def without_joint(clause: str) -> str:
    """The clause without a leading "and" or "그런데" that joined it to a courtesy."""
    return _JOINT.sub("", clause)
