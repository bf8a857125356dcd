"""Pinecone's client: indexes by dimension, made when missing, and the namespaces in them.

Imported only when the index is opened: the client is an extra.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pinecone import AsyncPinecone
from pinecone.errors import ConflictError

from adapters.pinecone.names import dimension_in, index_name
from adapters.pinecone.options import PineconeOptions
from adapters.pinecone.space import FIELD, Space, told
from core.errors import ConfigError

if TYPE_CHECKING:
    from pinecone.models.indexes.index import IndexModel

log = logging.getLogger(__name__)

METRIC = "cosine"
_AGAIN = 1.0
"""Seconds before an unknown namespace is looked for again."""


@dataclass
class Service:
    """Open from `open` to `close`."""

    key: str = field(repr=False)
    options: PineconeOptions
    _client: AsyncPinecone | None = None
    _indexes: dict[int, Any] = field(default_factory=dict)
    _spaces: dict[str, Space] = field(default_factory=dict)
    _looked: float = float("-inf")
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def open(self, dimension: int) -> None:
        """Find our indexes; raises ConfigError when the one for `dimension` is of another kind."""
        async with told(self.options.patience):
            self._client = AsyncPinecone(
                api_key=self.key, host=self.options.host, source_tag="refdesk", timeout=self.options.timeout
            )
        await self._look(dimension)

    async def close(self) -> None:
        """Close all connections."""
        indexes, self._indexes = list(self._indexes.values()), {}
        client, self._client = self._client, None
        self._spaces.clear()
        for index in indexes:
            await index.close()
        if client is not None:
            await client.close()

    async def space(self, name: str) -> Space | None:
        """The namespace, None when there is none; another process may have made it a moment ago."""
        if name not in self._spaces and time.monotonic() - self._looked > _AGAIN:
            await self._look()
        return self._spaces.get(name)

    async def spaces(self, prefix: str) -> list[Space]:
        """All namespaces whose names begin so, in every index of ours."""
        if time.monotonic() - self._looked > _AGAIN:
            await self._look()
        return [space for name, space in self._spaces.items() if name.startswith(prefix)]

    async def made(self, name: str, dimension: int) -> Space:
        """The namespace, in an index that is made when it is missing."""
        space = await self.space(name)
        if space is None:
            async with self._looking:
                index = self._indexes.get(dimension) or await self._create(dimension)
                space = self._spaces.setdefault(name, Space(name, dimension, 0, index, self.options))
        if space.dimension != dimension:
            raise ConfigError(
                "error.index_mismatch",
                index=index_name(self.options.name, space.dimension),
                found=space.dimension,
                wanted=dimension,
                metric=METRIC,
            )
        return space

    async def _look(self, dimension: int | None = None) -> None:
        """Indexes and namespaces as they are now. What this process wrote to stays, whether counted yet or not."""
        assert self._client is not None, "the index is not open"
        async with self._looking:
            async with told(self.options.patience):
                models = [model async for model in self._client.indexes.list()]
            await self._drop(self._indexes.keys() - {dimension_in(self.options.name, model.name) for model in models})
            for model in models:
                await self._use(model, dimension)
            for width, index in self._indexes.items():
                async with told(self.options.patience):
                    stats = await index.describe_index_stats()
                for name, summary in stats.namespaces.items():
                    self._spaces[name] = Space(name, width, summary.vector_count, index, self.options)
            self._looked = time.monotonic()

    async def _drop(self, gone: Iterable[int | None]) -> None:
        """Indexes that somebody has deleted."""
        for width in list(gone):
            if width is not None:
                await self._indexes.pop(width).close()
        self._spaces = {name: space for name, space in self._spaces.items() if space.dimension in self._indexes}

    async def _use(self, model: IndexModel, dimension: int | None) -> None:
        """Open an index if it is one of ours."""
        width = dimension_in(self.options.name, model.name)
        if width is None or width in self._indexes:
            return
        stored = model.schema.fields.get(FIELD)
        found = (getattr(stored, "dimension", None), getattr(stored, "metric", None))
        if found == (width, METRIC):
            if model.status.ready:
                await self._connect(width, model.host or "")
        elif width == dimension:
            raise ConfigError(
                "error.index_mismatch",
                index=model.name,
                found=", ".join(str(each) for each in found if each is not None) or "-",
                wanted=width,
                metric=METRIC,
            )

    async def _connect(self, width: int, host: str) -> Any:
        assert self._client is not None
        async with told(self.options.patience):
            self._indexes[width] = await self._client.index(host=host)
        return self._indexes[width]

    async def _create(self, dimension: int) -> Any:
        """A serverless index; another process may be making the same one."""
        assert self._client is not None
        name, indexes = index_name(self.options.name, dimension), self._client.indexes
        log.info("making the Pinecone index %s", name)
        async with told(self.options.creation):
            try:
                await indexes.create(
                    name=name,
                    schema={"fields": {FIELD: {"type": "dense_vector", "dimension": dimension, "metric": METRIC}}},
                    deployment={
                        "deployment_type": "managed",
                        "cloud": self.options.cloud,
                        "region": self.options.region,
                    },
                    timeout=-1,
                )
            except ConflictError:
                log.info("the Pinecone index %s is there already", name)
            model = await indexes.describe(name)
            while not model.status.ready:
                await asyncio.sleep(0.5)
                model = await indexes.describe(name)
        await self._use(model, dimension)
        return self._indexes[dimension]
