"""The one StateGraph: nodes, forks, and nothing else. The only place that knows LangGraph."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from core.answers import TOTAL, Answer, TraceEvent
from core.rag import decisions, nodes
from core.rag.conduct import conducted
from core.rag.context import RunContext
from core.rag.ledger import Spent
from core.rag.nodes import Node
from core.rag.resuming import begun, spent_in, still_readable
from core.rag.state import RunState

NODES: dict[str, Node] = {
    "plan": nodes.plan,
    "clarify": nodes.clarify,
    "retrieve": nodes.retrieve,
    "grade": nodes.grade,
    "refine": nodes.refine,
    "rewrite_index": nodes.rewrite_index,
    "rewrite_web": nodes.rewrite_web,
    "reroute": nodes.reroute,
    "search": nodes.search,
    "generate": nodes.generate,
    "check": nodes.check,
    "not_found": nodes.not_found,
    "finish": nodes.finish,
}

Durability = Literal["sync", "async", "exit"]
"""When a step is written down: before the next one begins, beside it, or when the run ends or fails."""

STEP_LIMIT = 60
"""LangGraph's own limit of super-steps: far above what the caps of any policy allow."""


def build_graph(checkpointer: Any = None) -> Any:
    """The compiled graph. `generate` waits for all branches, so that refining and the web go side by side."""
    graph = StateGraph(RunState, context_schema=RunContext)
    for name, node in NODES.items():
        bound: Any = _bound(name, node)
        graph.add_node(name, bound, defer=name == "generate")
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", _after_plan, ["clarify", "generate", "retrieve", "rewrite_web"])
    graph.add_edge("retrieve", "grade")
    graph.add_conditional_edges("rewrite_index", _after_rewrite, ["retrieve", "reroute"])
    graph.add_conditional_edges("reroute", _after_reroute, ["retrieve", "rewrite_web"])
    graph.add_edge("rewrite_web", "search")
    graph.add_edge("search", "grade")
    graph.add_conditional_edges(
        "grade", _after_grade, ["refine", "rewrite_web", "rewrite_index", "not_found", "finish"]
    )
    graph.add_edge("refine", "generate")
    graph.add_edge("generate", "check")
    graph.add_conditional_edges("check", _after_check, ["finish", "generate", "rewrite_web", "rewrite_index"])
    for end in ("clarify", "not_found", "finish"):
        graph.add_edge(end, END)
    return graph.compile(checkpointer=checkpointer, name="refdesk")


class Runs:
    """Runs of the graph, named ``turn/revision``.

    With a saver a run that was interrupted goes on at the node where it was, and pays no call twice; a run
    whose passages may not be read any more, or are not published any more, begins anew.
    """

    def __init__(self, saver: Any = None, durability: Durability = "async") -> None:
        self._saver = saver
        self._durability = durability
        self._graph = build_graph(saver)

    @property
    def resumes(self) -> bool:
        """Whether runs are written down."""
        return self._saver is not None

    async def run(self, context: RunContext) -> Answer:
        """One run from question to Answer, its trace included."""
        started = time.perf_counter()
        try:
            state, resumed = await self._ended(context)
        finally:
            await context.ahead.close()
        trace = list(state.get("trace", []))
        if context.ledger.spent.charges or resumed:
            total = round((time.perf_counter() - started) * 1000, 1)
            detail = {**context.ledger.spent.detail(), **({"resumed": True} if resumed else {})}
            trace.append(TraceEvent(TOTAL, total, detail))
        return replace(state["answer"], trace=tuple(trace))

    async def spent(self, run: str) -> Spent | None:
        """What the run had spent when it was interrupted; None for a run that begins."""
        state = await self._stored(run)
        return spent_in(state.get("trace", [])) if state else None

    async def forget(self, run: str) -> None:
        """Delete what is stored of a run: its turn has ended."""
        if self._saver is not None:
            await self._saver.adelete_thread(run)

    def mermaid(self) -> str:
        """The graph as Mermaid text, for the README."""
        drawn: str = self._graph.get_graph().draw_mermaid()
        return drawn

    async def _ended(self, context: RunContext) -> tuple[RunState, bool]:
        """The state at the end, and whether the run had begun before."""
        stored = await self._stored(context.run)
        if stored and not await still_readable(stored, context):
            await self.forget(context.run)
            await context.steps.passages.drop(context.run)  # what was put down stays as it was, hashes too
            stored = {}
        if stored.get("answer"):
            return stored, True
        first = begun(context)
        if self._saver is None:
            plain: RunState = await self._graph.ainvoke(first, {"recursion_limit": STEP_LIMIT}, context=context)
            return plain, False
        begin = None if stored else first
        ended: RunState = await self._graph.ainvoke(
            begin, _config(context.run), context=context, durability=self._durability
        )
        return ended, bool(stored)

    async def _stored(self, run: str) -> RunState:
        if self._saver is None:
            return {}
        snapshot = await self._graph.aget_state(_config(run))
        state: RunState = snapshot.values
        return state


def _config(run: str) -> Any:
    return {"recursion_limit": STEP_LIMIT, "configurable": {"thread_id": run}}


def _bound(name: str, node: Node) -> Callable[[RunState, Runtime[RunContext]], Awaitable[RunState]]:
    async def bound(state: RunState, runtime: Runtime[RunContext]) -> RunState:
        return await conducted(name, node, state, runtime.context)

    return bound


def _after_plan(state: RunState) -> str:
    return decisions.after_plan(state["plan"])


def _after_grade(state: RunState, runtime: Runtime[RunContext]) -> list[str]:
    return list(decisions.after_grade(runtime.context.policy, state, web=runtime.context.web_allowed))


def _after_rewrite(_: RunState, runtime: Runtime[RunContext]) -> str:
    return decisions.after_rewrite(runtime.context.policy)


def _after_reroute(state: RunState) -> str:
    return decisions.after_reroute(state["plan"])


def _after_check(state: RunState, runtime: Runtime[RunContext]) -> str:
    return decisions.after_check(runtime.context.policy, state, web=runtime.context.web_allowed)
