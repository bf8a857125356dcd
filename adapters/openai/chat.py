"""The ChatModel port over an OpenAI-compatible service: structured values and streamed answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from types import TracebackType
from typing import Any, Self

from pydantic import BaseModel

from adapters.openai.faults import CUT_SHORT, DECLINED, EMPTY, Failure
from adapters.openai.meter import Meter
from adapters.openai.models import OpenAIModels
from adapters.openai.patience import Patience
from adapters.openai.prices import price_of
from adapters.openai.service import Service
from adapters.openai.structure import WAYS, Way, value_of
from adapters.openai.tracing import Span
from core.chat import Chunk, Request, S, Structured


class OpenAIChat:
    """One model, for one event loop; `async with` opens its connections and closes them.

    A way of asking for structure that the server refuses or overlooks is not tried again once another one worked.
    """

    def __init__(self, models: OpenAIModels, model: str) -> None:
        self._models = models
        self._model = model
        self._service = Service(models, model)
        self._given_up: set[Way] = set()
        self._forms: dict[tuple[Way, type[BaseModel]], dict[str, Any]] = {}

    @property
    def name(self) -> str:
        """The model's name at its service."""
        return self._model

    async def __aenter__(self) -> Self:
        await self._service.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._service.__aexit__(kind, error, trace)

    async def structured(self, request: Request, schema: type[S]) -> Structured[S]:
        """A value of `schema`, by the first way that brings one; each HTTP request counts in the usage."""
        meter = self._meter(request)
        span = await Span.begun(request, self._model)
        try:
            found = await self._found(request, schema, meter)
        except Failure as failure:
            error = failure.fault.error(meter.usage())
        except BaseException as left:
            await span.failed(left)
            raise
        else:
            await span.ended(found.value.model_dump_json(), meter)
            return found
        await span.failed(error)
        raise error

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """The answer in pieces, the last one empty with the usage. What was yielded before an error stays said."""
        meter = self._meter(request)
        span = await Span.begun(request, self._model)
        said: list[str] = []
        try:
            async with aclosing(self._pieces(request, meter)) as pieces:
                async for text in pieces:
                    said.append(text)
                    yield Chunk(text)
        except Failure as failure:
            error = failure.fault.error(meter.usage())
        except BaseException as left:
            await span.failed(left)
            raise
        else:
            await span.ended("".join(said), meter)
            yield Chunk("", meter.usage())
            return
        await span.failed(error)
        raise error

    async def _found(self, request: Request, schema: type[S], meter: Meter) -> Structured[S]:
        patience = Patience(self._models)
        failed: list[Way] = []
        trouble = Failure(EMPTY)
        for way in self._ways():
            if meter.full:
                break
            if way in failed:
                continue
            asked = way.request(request, schema)
            try:
                told = await self._service.post(asked, self._form(way, schema), meter, patience)
                meter.answered(asked, told.arguments or told.text, told.usage)
                value = value_of(told, schema)
            except Failure as failure:
                if not failure.fault.blame:
                    raise
                trouble = failure
                failed += [way] if failure.fault.blame == "method" else []
            else:
                self._given_up |= set(failed)
                return Structured(value, meter.usage(), way.method)
        raise trouble

    def _form(self, way: Way, schema: type[BaseModel]) -> dict[str, Any]:
        """The fields that ask for this schema, made once: writing a schema takes longer than reading an answer."""
        if (way, schema) not in self._forms:
            self._forms[way, schema] = way.options(schema)
        return self._forms[way, schema]

    def _ways(self) -> list[Way]:
        """Those left, in order; a single one twice, since an answer that can't be used deserves a second try."""
        wanted = self._models.structured_method
        left = [way for way in WAYS if wanted in ("auto", way.method) and way not in self._given_up]
        return left if len(left) > 1 else left * 2

    async def _pieces(self, request: Request, meter: Meter) -> AsyncGenerator[str, None]:
        patience = Patience(self._models)
        said: list[str] = []
        usage: object = None
        heard = refused = cut = False
        try:
            async with aclosing(self._service.stream(request, meter, patience)) as pieces:
                async for piece in pieces:
                    heard, usage, refused = True, piece.usage or usage, refused or piece.refused
                    cut = cut or piece.finish == "length"
                    if piece.text:
                        said.append(piece.text)
                        yield piece.text
        finally:
            if heard:
                meter.answered(request, "".join(said), usage)
        _finish("".join(said), refused=refused, cut=cut)

    def _meter(self, request: Request) -> Meter:
        return Meter(self._model, price_of(self._model, self._models.prices), request.most_calls)


def _finish(text: str, *, refused: bool, cut: bool) -> None:
    if refused:
        raise Failure(DECLINED)
    if cut:  # a text that ends at the limit must not pass for a whole one
        raise Failure(CUT_SHORT)
    if not text.strip():
        raise Failure(EMPTY)
