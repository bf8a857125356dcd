"""What a run spends on models: every call counted, timed and priced, and none made beyond the budget.

A call counts from the moment it is made, so that calls side by side can't pass the limit together, and it
counts when it fails or is cancelled: it was paid for. Knows no prompt and no vendor.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from core.chat import Chunk, Request, S, Structured, Usage
from core.errors import BudgetSpent, UpstreamError
from core.ports import ChatModel
from core.streams import closed_after
from core.telemetry import UNTRACED, Span, Tracer

Ended = Literal["answered", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Charge:
    """One attempt: for which step, with which prompt (``name@version``), what it cost, how it ended."""

    step: str
    usage: Usage
    milliseconds: float
    ended: Ended = "answered"
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class Total:
    """Charges added up. `cost` is the sum of the known prices, None when none is known.

    `unpriced` counts the attempts whose price isn't known: with any of them the cost is a lower bound.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = None
    unpriced: int = 0
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has spent so far: immutable, for the trace and for a run that is taken up again."""

    charges: tuple[Charge, ...] = ()

    @property
    def total(self) -> Total:
        """All charges together."""
        return _total(self.charges)

    def by_model(self) -> dict[str, Total]:
        """The totals of each model, in the order of their first use."""
        return _grouped(self.charges, lambda charge: charge.usage.model)

    def by_step(self) -> dict[str, Total]:
        """The totals of each step, in the order of their first use."""
        return _grouped(self.charges, lambda charge: charge.step)

    def since(self, earlier: Spent) -> Spent:
        """What came after an earlier snapshot of the same run."""
        return Spent(self.charges[len(earlier.charges) :])

    def detail(self) -> dict[str, Any]:
        """As plain values for a trace: totals, prompts with their versions, attempts that brought nothing, models."""
        total = self.total
        return {
            "calls": total.calls,
            "input_tokens": total.input_tokens,
            "output_tokens": total.output_tokens,
            "cached_tokens": total.cached_tokens,
            "cost": total.cost,
            "unpriced": total.unpriced,
            "model_ms": round(total.milliseconds, 1),
            "prompts": list(dict.fromkeys(charge.prompt for charge in self.charges if charge.prompt)),
            "lost": sum(charge.ended != "answered" for charge in self.charges),
            "models": {name: {"calls": each.calls, "cost": each.cost} for name, each in self.by_model().items()},
        }


@dataclass(slots=True)
class Attempt:
    """A call that is under way; whoever makes it sets the usage when it is known.

    `first` is the milliseconds until the first words of a stream, None without any.
    """

    usage: Usage
    started: float = field(default_factory=time.perf_counter)
    first: float | None = None

    @property
    def milliseconds(self) -> float:
        """How long it has been going on."""
        return (time.perf_counter() - self.started) * 1000


class Ledger:
    """The record of one run; `max_calls` None is no limit. `before` is what an interrupted run had spent."""

    def __init__(self, max_calls: int | None, before: Spent | None = None, tracer: Tracer = UNTRACED) -> None:
        self._max_calls = max_calls
        self._charges = list(before.charges) if before else []
        self._told = len(self._charges)
        self._untold: list[Charge] = []
        self._tracer = tracer
        self._open: Counter[str] = Counter()

    @property
    def calls(self) -> int:
        """Calls made, those under way among them."""
        return sum(charge.usage.calls for charge in self._charges) + self._open.total()

    @property
    def left(self) -> int | None:
        """Calls that the one under way may still take, its first included; None without a limit."""
        return None if self._max_calls is None else max(1, self._max_calls - self.calls + 1)

    def waits_for(self, step: str) -> bool:
        """Whether a call of this step is under way."""
        return self._open[step] > 0

    @property
    def spent(self) -> Spent:
        """A snapshot of what is settled."""
        return Spent(tuple(self._charges))

    def charge(self, step: str, usage: Usage, ms: float, *, ended: Ended = "answered", prompt: str = "") -> None:
        """Write one attempt down."""
        self._charges.append(Charge(step, usage, ms, ended, prompt))

    def untold(self, step: str) -> Spent:
        """The step's charges that no line of the trace tells of yet; each is told once.

        A writer that ran ahead may have ended long before its node began.
        """
        self._untold += self._charges[self._told :]
        self._told = len(self._charges)
        mine = tuple(charge for charge in self._untold if charge.step == step)
        self._untold = [charge for charge in self._untold if charge.step != step]
        return Spent(mine)

    @contextmanager
    def call(self, step: str, model: str, prompt: str = "") -> Iterator[Attempt]:
        """Around one call. Raises BudgetSpent, before anything is sent, when no call is left."""
        if self._max_calls is not None and self.calls >= self._max_calls:
            raise BudgetSpent(detail=f"{step}: {self.calls} of {self._max_calls} calls made")
        attempt = Attempt(Usage(model))
        ended: Ended = "failed"
        self._open[step] += 1
        with self._tracer.span("model", model, model=model, step=step, prompt=prompt) as span:
            try:
                yield attempt
                ended = "answered"
            except (asyncio.CancelledError, GeneratorExit):
                ended = "cancelled"
                raise
            except UpstreamError as error:
                attempt.usage = error.usage or attempt.usage  # an answer that can't be used was paid for
                raise
            finally:
                self._open[step] -= 1
                self.charge(step, attempt.usage, attempt.milliseconds, ended=ended, prompt=prompt)
                _tell(span, attempt, ended)


class Metered:
    """A ChatModel whose calls are charged to a step of a run. Made anew for each run: it holds nothing else."""

    def __init__(self, model: ChatModel, ledger: Ledger, step: str) -> None:
        self._model = model
        self._ledger = ledger
        self._step = step

    @property
    def name(self) -> str:
        """The model's own."""
        return self._model.name

    async def structured(self, request: Request, schema: type[S]) -> Structured[S]:
        """As the model's; raises BudgetSpent when the run may make no more calls."""
        with self._ledger.call(self._step, self.name, _prompt(request)) as attempt:
            result = await self._model.structured(replace(request, most_calls=self._ledger.left), schema)
            attempt.usage = result.usage
            return result

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        """As the model's; a reader who leaves in the middle closes the model's stream too."""
        with self._ledger.call(self._step, self.name, _prompt(request)) as attempt:
            async with closed_after(self._model.stream(replace(request, most_calls=self._ledger.left))) as chunks:
                async for chunk in chunks:
                    attempt.first = attempt.first or attempt.milliseconds
                    attempt.usage = chunk.usage or attempt.usage
                    yield chunk


def _tell(span: Span, attempt: Attempt, ended: Ended) -> None:
    usage = attempt.usage
    span.tell(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_tokens=usage.cached_tokens,
        requests=usage.calls,
        cost=usage.cost,
        first_ms=attempt.first,
        ended=ended,
    )


def _prompt(request: Request) -> str:
    return request.tags[0] if request.tags else ""


def _total(charges: Sequence[Charge]) -> Total:
    every = [charge.usage for charge in charges]
    known = [usage.cost for usage in every if usage.cost is not None]
    return Total(
        calls=sum(usage.calls for usage in every),
        input_tokens=sum(usage.input_tokens for usage in every),
        output_tokens=sum(usage.output_tokens for usage in every),
        cached_tokens=sum(usage.cached_tokens for usage in every),
        cost=sum(known) if known else None,
        unpriced=len(every) - len(known),
        milliseconds=sum(charge.milliseconds for charge in charges),
    )


def _grouped(charges: Sequence[Charge], key: Callable[[Charge], str]) -> dict[str, Total]:
    groups: dict[str, list[Charge]] = {}
    for charge in charges:
        groups.setdefault(key(charge), []).append(charge)
    return {name: _total(members) for name, members in groups.items()}
