"""A watched desk: what its spans are called, how they hang together, how they end, and what is never in them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from adapters.memory.chat import ScriptedChat
from core.errors import RefdeskError, UpstreamTimeout
from core.policy import PRESETS
from core.telemetry import pseudonym
from tests.desk.stand_ins import Building, said
from tests.rag.stand_ins import Cast, FixedPlanner, ListedSearcher, passage
from tests.telemetry.steps import by_model, watched

QUESTION = "How long does the zebra upgrade take?"


class BrokenSearcher(ListedSearcher):
    """An index that is down."""

    async def retrieve(self, *_: object, **__: object) -> list[object]:  # type: ignore[override]
        raise RefdeskError(detail="the secret place of the index")


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


async def asked(spans: InMemorySpanExporter, building: Building | None = None) -> dict[str, ReadableSpan]:
    async with watched(spans, building) as world:
        await asyncio.gather(world.desk.ask(said(QUESTION)), return_exceptions=True)
    return {span.name: span for span in spans.get_finished_spans()}


def about(span: ReadableSpan) -> dict[str, object]:
    return dict(span.attributes or {})


async def test_a_turn_holds_its_nodes_and_a_node_its_calls_and_searches(spans: InMemorySpanExporter) -> None:
    found = await asked(spans)
    parents = {name: span.parent.span_id if span.parent else None for name, span in found.items()}
    ids = {name: span.context.span_id for name, span in found.items()}
    turn = ids["invoke_workflow refdesk"]
    assert parents["invoke_workflow refdesk"] is None
    for node in ("plan", "retrieve", "grade", "refine", "generate", "check", "finish"):
        assert parents[node] == turn
    assert parents["retrieval"] == ids["retrieve"]
    assert parents["chat little"] == ids["grade"]
    assert parents["chat big"] == ids["generate"]


async def test_a_model_call_is_told_by_the_conventions(spans: InMemorySpanExporter) -> None:
    call = (await asked(spans))["chat big"]
    told = about(call)
    assert call.kind is SpanKind.CLIENT
    assert {name: told[name] for name in told if name.startswith(("gen_ai.", "server."))} == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "big",
        "gen_ai.request.stream": True,
        "gen_ai.response.time_to_first_chunk": told["gen_ai.response.time_to_first_chunk"],
        "gen_ai.usage.input_tokens": told["gen_ai.usage.input_tokens"],
        "gen_ai.usage.output_tokens": 6,
        "gen_ai.usage.cache_read.input_tokens": 0,
        "server.address": "127.0.0.1",
        "server.port": 8080,
    }
    assert (told["refdesk.step"], told["refdesk.ended"]) == ("generate", "answered")
    assert str(told["refdesk.prompt"]).startswith("write@")
    assert told["refdesk.cost"]


async def test_a_search_names_its_collections_and_counts_what_came(spans: InMemorySpanExporter) -> None:
    told = about((await asked(spans))["retrieval"])
    assert (told["gen_ai.operation.name"], told["gen_ai.data_source.id"]) == ("retrieval", "docs,wiki")
    assert (told["gen_ai.retrieval.top_k"], told["refdesk.found"]) == (6, 2)


async def test_a_turn_tells_how_it_ended_and_a_node_what_it_counted(spans: InMemorySpanExporter) -> None:
    found = await asked(spans)
    turn, grade = about(found["invoke_workflow refdesk"]), about(found["grade"])
    assert (turn["refdesk.status"], turn["refdesk.standing"], turn["refdesk.route"]) == (
        "answered",
        "supported",
        "collections",
    )
    assert (grade["refdesk.correct"], grade["refdesk.incorrect"], grade["refdesk.verdict"]) == (1, 1, "correct")


async def test_no_word_of_question_passages_prompts_or_answer_is_in_a_span(spans: InMemorySpanExporter) -> None:
    await asked(spans)
    every = "".join(span.to_json() for span in spans.get_finished_spans())
    for word in ("zebra", "45 minutes", "Title a", "Duration", "passage", "u1", "Ann"):
        assert word not in every


async def test_a_session_has_one_name_that_tells_no_place(spans: InMemorySpanExporter) -> None:
    async with watched(spans) as world:
        turns = [await world.desk.ask(said(QUESTION, thread="zebra", identity=name)) for name in ("m1", "m2")]
        await world.desk.ask(said(QUESTION, thread="other"))
    named = [about(span).get("gen_ai.conversation.id") for span in spans.get_finished_spans() if span.parent is None]
    assert named[0] == named[1] == pseudonym(turns[0].key) != named[2]


async def test_turns_side_by_side_are_traces_of_their_own(spans: InMemorySpanExporter) -> None:
    async with watched(spans) as world:
        await asyncio.gather(*(world.desk.ask(said(QUESTION, thread=f"t{n}")) for n in range(3)))
    traces: dict[int, list[str]] = {}
    for span in spans.get_finished_spans():
        traces.setdefault(span.context.trace_id, []).append(span.name)
    assert len(traces) == 3
    assert len({tuple(sorted(names)) for names in traces.values()}) == 1


async def test_a_step_that_fails_is_told_by_kind_and_the_turn_goes_on(spans: InMemorySpanExporter) -> None:
    late = ScriptedChat(lambda _: UpstreamTimeout(detail="sk-secret"), "little")
    found = await asked(spans, Building(by_model=lambda steps, ledger: by_model(steps, ledger, small=late)))
    call, grade, turn = found["chat little"], found["grade"], found["invoke_workflow refdesk"]
    for span in (call, grade):
        assert about(span)["error.type"] == UpstreamTimeout().reason
        assert span.status.status_code is StatusCode.ERROR
        assert (span.status.description, span.events) == (None, ())
    assert turn.status.status_code is StatusCode.UNSET
    assert "sk-secret" not in "".join(span.to_json() for span in spans.get_finished_spans())


async def test_a_turn_that_fails_tells_its_error_id(spans: InMemorySpanExporter) -> None:
    found = await asked(spans, Building(cast=Cast(searcher=BrokenSearcher([]))))
    turn = about(found["invoke_workflow refdesk"])
    assert turn["error.type"] == "failed"
    assert turn["refdesk.error_id"]
    assert "secret place" not in "".join(span.to_json() for span in spans.get_finished_spans())


async def test_words_written_ahead_and_dropped_are_cancelled_and_no_error(spans: InMemorySpanExporter) -> None:
    none = ScriptedChat(lambda _: {"grades": "1:no 2:no"}, "little", before=0.05)
    slow = ScriptedChat(lambda _: "It takes some time [1].", "big", before=5)
    building = Building(
        by_model=lambda steps, ledger: by_model(steps, ledger, small=none, large=slow),
        policy=replace(PRESETS["adaptive"], speculate=True),
    )
    found = await asked(spans, building)
    assert about(found["chat big"])["refdesk.ended"] == "cancelled"
    assert found["chat big"].status.status_code is StatusCode.UNSET
    assert about(found["invoke_workflow refdesk"])["refdesk.standing"] == "not_found"


async def test_without_models_there_are_the_same_nodes_and_no_calls(spans: InMemorySpanExporter) -> None:
    found = await asked(spans, Building(cast=Cast(planner=FixedPlanner(), searcher=ListedSearcher([[passage("a")]]))))
    assert {"plan", "retrieve", "retrieval", "grade", "generate"} <= set(found)
    assert not [name for name in found if name.startswith("chat")]
