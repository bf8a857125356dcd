"""The way to the service: its connections, and the door that no vendor's error passes."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from typing import Any, TypeVar

from adapters.openai.faults import Failure, fault_of
from adapters.openai.models import OpenAIModels
from core.errors import ConfigError

T = TypeVar("T")


class Connection:
    """The vendor's part is loaded when this is opened, with connections that belong to it alone."""

    def __init__(self, models: OpenAIModels, model: str) -> None:
        self._models = models
        self._model = model
        self._stack = AsyncExitStack()

    async def open(self) -> tuple[Any, Any]:
        """The vendor's module and a pool of connections; raises ConfigError for a key that can't be sent."""
        if not (self._models.key.isascii() and self._models.key.isprintable()):
            raise ConfigError("error.model_key", host=self._models.host)
        vendor = await asyncio.to_thread(importlib.import_module, "adapters.openai.building")
        pool = await asyncio.to_thread(vendor.connections, self._models)
        return vendor, await self._stack.enter_async_context(pool)

    async def close(self) -> None:
        """Close the connections."""
        await self._stack.aclose()

    async def told(self, work: Awaitable[T], until: float, *, begun: bool = False) -> T:
        """The result of the vendor's work, if it comes by `until`.

        Raises Failure with nothing of the vendor's error attached, not even as its context.
        """
        try:
            async with asyncio.timeout_at(until):
                return await work
        except Failure as failure:
            fault = failure.fault
        except Exception as error:  # noqa: BLE001  # whatever it is, its text may repeat the key or the prompt
            fault = fault_of(error, model=self._model, host=self._models.host, begun=begun)
        raise Failure(fault)
