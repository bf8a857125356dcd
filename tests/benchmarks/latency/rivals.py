"""What Refdesk is measured against: a plain chain, and the adaptive graph as it is published, call after call.

Both use Refdesk's client, retrieval and streaming. The graph is built as its tutorial builds it – a call for
each passage, two checks after the answer – with the rewriting of follow-ups and the streaming that it lacks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel

from core.chat import Request, Said
from core.documents import Passage, Scope
from core.messages import Exchange
from core.ports import ChatModel
from core.retrieval.search import Retriever

K = 6

Shown = Callable[[str], Awaitable[None]]
"""Called with the whole text so far."""


@dataclass(frozen=True, slots=True)
class Kit:
    """What a system answers with."""

    small: ChatModel
    large: ChatModel
    retriever: Retriever
    scope: Scope


async def chain(kit: Kit, question: str, past: Sequence[Exchange], shown: Shown) -> str:
    """Contextualise, retrieve, generate."""
    full = await contextualised(kit, question, past)
    return await generated(kit, full, await retrieved(kit, full), past, shown)


async def contextualised(kit: Kit, question: str, past: Sequence[Exchange]) -> str:
    """The question in full, by the small model."""
    task = "Word the last message so that it can be understood without the conversation. Do not answer it."
    request = Request((Said("system", task), *_said(past), Said("user", question)), max_tokens=100)
    return "".join([chunk.text async for chunk in kit.small.stream(request)])


async def retrieved(kit: Kit, question: str) -> list[Passage]:
    """The best passages for one wording."""
    return [found.passage for found in await kit.retriever.retrieve(kit.scope, [question], K)]


async def generated(
    kit: Kit, question: str, passages: Sequence[Passage], past: Sequence[Exchange], shown: Shown
) -> str:
    """The answer by the large model, shown while it grows."""
    task = "Answer from the context, and say where it stands like [1]."
    context = "\n\n".join(f"[{n}] {passage.headed_text}" for n, passage in enumerate(passages, start=1))
    asked = Said("user", f"Context:\n{context}\n\nQuestion: {question}")
    text = ""
    async for chunk in kit.large.stream(Request((Said("system", task), *_said(past), asked), max_tokens=1500)):
        text += chunk.text
        await shown(text)
    return text


def _said(past: Sequence[Exchange]) -> list[Said]:
    return [
        said for each in past for said in (Said("user", each.question), Said("assistant", each.answer)) if said.text
    ]


class Datasource(BaseModel):
    """Where to look."""

    datasource: Literal["documents", "web"]


class Relevant(BaseModel):
    """Does the document bear on the question?"""

    score: Literal["yes", "no"]


class Grounded(BaseModel):
    """Is the answer grounded in the documents?"""

    score: Literal["yes", "no"]


class Useful(BaseModel):
    """Does the answer answer the question?"""

    score: Literal["yes", "no"]


class _State(TypedDict, total=False):
    question: str
    documents: list[Passage]
    generation: str


async def published(kit: Kit, question: str, past: Sequence[Exchange], shown: Shown) -> str:
    """One question through the published graph."""
    graph = _Published(kit, past, shown).graph()
    state: dict[str, Any] = await graph.ainvoke({"question": question}, {"recursion_limit": 25})
    return str(state["generation"])


@dataclass(frozen=True, slots=True)
class _Published:
    """Its nodes and edges."""

    kit: Kit
    past: Sequence[Exchange]
    shown: Shown

    def graph(self) -> Any:
        graph = StateGraph(_State)
        for node in (self.contextualise, self.retrieve, self.grade_documents, self.generate):
            graph.add_node(node.__name__, node)
        graph.add_edge(START, "contextualise")
        graph.add_conditional_edges("contextualise", self.route, ["retrieve"])
        graph.add_edge("retrieve", "grade_documents")
        graph.add_edge("grade_documents", "generate")
        ends: dict[Any, str] = {"useful": END, "not useful": END, "not supported": "generate"}
        graph.add_conditional_edges("generate", self.grade_generation, ends)
        return graph.compile()

    async def contextualise(self, state: _State) -> _State:
        return {"question": await contextualised(self.kit, state["question"], self.past)}

    async def route(self, state: _State) -> Literal["retrieve"]:
        await _judged(self.kit, Datasource, "Which source answers the question?", state["question"])
        return "retrieve"

    async def retrieve(self, state: _State) -> _State:
        return {"documents": await retrieved(self.kit, state["question"])}

    async def grade_documents(self, state: _State) -> _State:
        kept = []
        for document in state["documents"]:
            asked = f"Document:\n{document.headed_text}\n\nQuestion: {state['question']}"
            if (await _judged(self.kit, Relevant, "Is the document relevant to the question?", asked)).score == "yes":
                kept.append(document)
        return {"documents": kept}

    async def generate(self, state: _State) -> _State:
        written = await generated(self.kit, state["question"], state["documents"], self.past, self.shown)
        return {"generation": written}

    async def grade_generation(self, state: _State) -> Literal["useful", "not useful", "not supported"]:
        context = "\n\n".join(document.headed_text for document in state["documents"])
        facts = f"Facts:\n{context}\n\nAnswer: {state['generation']}"
        if (await _judged(self.kit, Grounded, "Is the answer supported by the facts?", facts)).score == "no":
            return "not supported"
        asked = f"Question: {state['question']}\n\nAnswer: {state['generation']}"
        useful = (await _judged(self.kit, Useful, "Does the answer resolve the question?", asked)).score == "yes"
        return "useful" if useful else "not useful"


async def _judged(kit: Kit, schema: type[Any], task: str, text: str) -> Any:
    request = Request((Said("system", task), Said("user", text)), max_tokens=50)
    return (await kit.small.structured(request, schema)).value
