"""The one StateGraph: nodes, forks, and nothing else. The only place that knows LangGraph."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from core.answers import Answer
from core.rag import decisions, nodes
from core.rag.conduct import conducted
from core.rag.context import RunContext
from core.rag.nodes import Node
from core.rag.state import RunState

NODES: dict[str, Node] = {
    "plan": nodes.plan,
    "clarify": nodes.clarify,
    "retrieve": nodes.retrieve,
    "grade": nodes.grade,
    "refine": nodes.refine,
    "rewrite_index": nodes.rewrite_index,
    "rewrite_web": nodes.rewrite_web,
    "search": nodes.search,
    "generate": nodes.generate,
    "check": nodes.check,
    "not_found": nodes.not_found,
    "finish": nodes.finish,
}

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
    graph.add_edge("rewrite_index", "retrieve")
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


async def run_graph(graph: Any, context: RunContext) -> Answer:
    """One run from question to Answer, its trace included."""
    state: RunState = await graph.ainvoke({}, {"recursion_limit": STEP_LIMIT}, context=context)
    return replace(state["answer"], trace=tuple(state.get("trace", [])))


def _bound(name: str, node: Node) -> Callable[[RunState, Runtime[RunContext]], Awaitable[RunState]]:
    async def bound(state: RunState, runtime: Runtime[RunContext]) -> RunState:
        return await conducted(name, node, state, runtime.context)

    return bound


def _after_plan(state: RunState) -> str:
    return decisions.after_plan(state["plan"])


def _after_grade(state: RunState, runtime: Runtime[RunContext]) -> list[str]:
    return list(decisions.after_grade(runtime.context.policy, state, web=runtime.context.web_allowed))


def _after_check(state: RunState, runtime: Runtime[RunContext]) -> str:
    return decisions.after_check(runtime.context.policy, state, web=runtime.context.web_allowed)
