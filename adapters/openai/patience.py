"""How long a request may take, and whether and when it is tried again. Knows no vendor."""

from __future__ import annotations

import asyncio
import random

from adapters.openai.faults import Failure, Fault
from adapters.openai.models import OpenAIModels

_FIRST, _LONGEST = 0.5, 8.0


class Patience:
    """The time and the tries of one request. A wait that the server asks for is kept, or we give up at once."""

    def __init__(self, models: OpenAIModels) -> None:
        self._models = models
        self._tried = 0
        self.until = asyncio.get_running_loop().time() + models.timeout

    def next_piece(self) -> float:
        """When the next piece must have come, on the loop's clock."""
        return min(self.until, asyncio.get_running_loop().time() + self._models.idle)

    async def again(self, fault: Fault) -> None:
        """Wait before the next try; raises Failure when there is none."""
        wait = fault.after if fault.after else self._backoff()
        self._tried += 1
        spent = self._tried > self._models.max_retries
        late = asyncio.get_running_loop().time() + wait >= self.until
        if not fault.passing or spent or late or wait > self._models.longest_wait:
            raise Failure(fault)
        await asyncio.sleep(wait)

    def _backoff(self) -> float:
        return min(_FIRST * 2.0**self._tried, _LONGEST) * random.uniform(0.75, 1.0)  # noqa: S311  # no secret
