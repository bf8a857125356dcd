"""The Embedder port over an OpenAI-compatible service."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from adapters.openai.connection import Connection
from adapters.openai.faults import UNREADABLE, Failure
from adapters.openai.models import OpenAIModels
from adapters.openai.patience import Patience
from core.errors import UpstreamError, UpstreamRefused
from core.ports import Vectors

if TYPE_CHECKING:
    from langchain_openai import OpenAIEmbeddings

_TEXTS, _TOKENS, _AT_ONCE = 64, 100_000, 4
"""The most texts and tokens in one request, and the most requests at once."""

_KNOWN = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}


PREFIX = "openai:"


class OpenAIEmbedder:
    """Rows of length 1. The dimension is configured, or known for the model or by the caller, or found by `probe`."""

    def __init__(self, models: OpenAIModels, known: int | None = None) -> None:
        self._models = models
        self._dimension = models.dimension or _KNOWN.get(models.embedding) or known
        self._connection = Connection(models, models.embedding)
        self._vendor: OpenAIEmbeddings | None = None

    async def __aenter__(self) -> Self:
        building, http = await self._connection.open()
        self._vendor = building.embeddings(self._models, _TEXTS, http)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._vendor = None
        await self._connection.close()

    @classmethod
    def named(cls, name: str, models: OpenAIModels) -> Self:
        """The embedder of this name at the service of `models`: what an index was made with before."""
        model, asked, found = _parted(name)
        return cls(replace(models, embedding=model, dimension=asked), found)

    @property
    def name(self) -> str:
        """The name stored with the index: the model, and its dimension unless that is the one everybody knows.

        ``-256`` was asked for, ``@768`` was found by asking.
        """
        model, asked = self._models.embedding, self._models.dimension
        if asked:
            return f"{PREFIX}{model}-{asked}"
        return f"{PREFIX}{model}" if model in _KNOWN else f"{PREFIX}{model}@{self.dimension}"

    @property
    def dimension(self) -> int:
        """Length of a row."""
        assert self._dimension, "await probe() first"
        return self._dimension

    async def probe(self) -> int:
        """The dimension; asks the service when nobody knows it yet. Raises UpstreamError."""
        if not self._dimension:
            rows = await self._rows(["."])
            self._dimension = rows.shape[1]
        return self._dimension

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        """Shape (len(texts), dimension), rows of length 1; raises UpstreamError."""
        dimension = await self.probe()
        if not texts:
            return np.zeros((0, dimension), np.float32)
        turns = asyncio.Semaphore(_AT_ONCE)
        batches = list(_batches(texts, self._models.embedding_tokens))
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._in_turn(batch, turns)) for batch in batches]
        except* UpstreamError as failed:
            error = failed.exceptions[0]
        else:
            return np.concatenate([task.result() for task in tasks])
        raise error

    async def _in_turn(self, batch: list[str], turns: asyncio.Semaphore) -> Vectors:
        async with turns:
            rows = await self._rows(batch)
        if rows.shape[1] != self.dimension:
            fields = {"model": self._models.embedding, "wanted": self.dimension, "found": rows.shape[1]}
            raise UpstreamRefused("error.model_dimension", **fields)
        return rows

    async def _rows(self, batch: list[str]) -> Vectors:
        try:
            rows = np.asarray(await self._asked(batch), np.float32)
        except Failure as failure:
            error = failure.fault.error()
        except ValueError:  # rows of different lengths
            error = UNREADABLE.error()
        else:
            if rows.ndim == 2 and len(rows) == len(batch) and np.isfinite(rows).all():
                return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), np.float32)
            error = UNREADABLE.error()
        raise error

    async def _asked(self, batch: list[str]) -> list[list[float]]:
        assert self._vendor is not None, "open it with `async with` first"
        patience = Patience(self._models)
        while True:
            try:
                return await self._connection.told(self._vendor.aembed_documents(batch), patience.until)
            except Failure as failure:
                await patience.again(failure.fault)


def _parted(name: str) -> tuple[str, int | None, int | None]:
    """Model, dimension asked for, dimension found."""
    whole = name.removeprefix(PREFIX)
    if found := re.fullmatch(r"(.+)@(\d+)", whole):
        return found[1], None, int(found[2])
    asked = None if whole in _KNOWN else re.fullmatch(r"(.+)-(\d+)", whole)
    return (asked[1], int(asked[2]), None) if asked else (whole, None, None)


def _batches(texts: Sequence[str], limit: int) -> Iterator[list[str]]:
    """The texts, cut to the model's limit, in requests that the service accepts."""
    batch: list[str] = []
    size = 0.0
    for text in texts:
        cut = _cut(text, limit) if text.strip() else "."  # services refuse an empty text
        weight = _tokens(cut)
        if batch and (len(batch) == _TEXTS or size + weight > _TOKENS):
            yield batch
            batch, size = [], 0.0
        batch.append(cut)
        size += weight
    yield batch


def _tokens(text: str) -> float:
    """About how many tokens, rather too many: real counting would download a tokenizer."""
    wide = sum(map(_is_wide, text)) if not text.isascii() else 0
    return (len(text) - wide) / 3 + wide * 1.6


def _is_wide(character: str) -> bool:
    return ord(character) > 0x7F


def _cut(text: str, limit: int) -> str:
    while (tokens := _tokens(text)) > limit:
        text = text[: min(int(len(text) * limit / tokens), len(text) - 1)]
    return text
