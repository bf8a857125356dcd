"""The planner without a language model: standalone question, route, collections and time, decided together.

Unsure means all readable collections, never the web; a direct reply needs to be very sure. It sees only
the Cards it is handed, so it can't route to what the readers may not read.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

import numpy as np

from adapters.local import comparing, cues, smalltalk
from adapters.local.followups import Thread, Understood, leaning, thread_of, understand
from adapters.local.kinds import Kinds
from adapters.local.routing import Known, Router, Scored, known
from core.answers import Plan
from core.catalog.faq import asks
from core.documents import Card
from core.ports import Embedder, PlanRequest, Vectors
from core.rag.timing import timed
from core.retrieval.analysis import identifiers
from core.retrieval.politeness import plainly
from core.wording import say

_ROUTERS = 8
_COURTESIES = ("greeting", "thanks", "goodbye")
# Chances are fitted against several kinds of questions, so they are low: above these bars stands one question in a
# hundred that nothing was fitted to. A message that is worded as a question needs more.
_SURE_TALK = 0.4
_SURE_TALK_ASKED = 0.5
_SURE_COURTESY = 0.7

_SURE_WORLD = 0.65
"""Above it stand two in a hundred of a team's questions that nothing was fitted to; of the world's four in five."""

# The fewest collections that together hold the right one with this chance are searched. On headings that the
# Cards had not seen they did in 99 of 100 cases among three collections, and in 97 among thirty.
_CHANCE = 0.99
_NEAR = 0.35
"""Cosine below which no Card is near enough to leave out another."""

_ELSEWHERE = 4.0
"""Log odds by which a collection must fall behind for a short message to be on another subject."""


def _elsewhere(now: Scored, before: Scored) -> bool:
    """Whether the message by itself leaves out the collection that the question before belongs to."""
    if not before.collections:
        return False
    margins = dict(zip(now.collections, now.margins, strict=True))
    return margins.get(before.collections[0], 0.0) >= _ELSEWHERE


@dataclass(frozen=True, slots=True)
class _Heard:
    """A message without its courtesies, with its vector and what the router thinks of it."""

    text: str
    vector: Vectors
    scored: Scored
    intent: str = ""


class LocalPlanner:
    """Implements `core.ports.Planner` over an embedder; keeps the prepared Cards of the last few readers."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._taught: tuple[smalltalk.Phrases, Kinds] | None = None
        self._routers: OrderedDict[tuple[tuple[str, str], ...], Router] = OrderedDict()
        # Readers who may read different collections share most Cards, which are the bulk of a router.
        self._known: WeakValueDictionary[tuple[str, str], Known] = WeakValueDictionary()
        self._making = asyncio.Lock()

    async def plan(self, request: PlanRequest) -> Plan:
        """What to do with the question; never raises for odd input, and never names an unreadable collection."""
        message = " ".join(unicodedata.normalize("NFC", request.question).split())
        router = await self._router(request.cards)
        thread = thread_of(request.history, request.context)
        heard = await self._hear(message, router, thread)
        if heard.intent:
            return Plan(message, "direct", intent=heard.intent, confidence=heard.scored.talk, reason="talk")
        understood = understand(heard.text, thread, await self._leaning(heard, router, thread))
        if understood.open and not request.clarified_before:
            question = say("answer.clarify_open", request.language)
            return Plan(message, "clarify", clarification=question, confidence=0.6, reason="unresolved")
        scored = heard.scored
        if understood.question != heard.text:
            rows = await self._read([understood.question])
            scored = router.score(plainly(understood.question), rows[0])
        plan = _routed(request, understood, scored, quoted=router.quotes(understood.question))
        return timed(plan, request.question, request.today)

    async def _hear(self, message: str, router: Router, thread: Thread) -> _Heard:
        """Judge the whole message, then its clauses: a courtesy in front of a question is dropped."""
        pieces = smalltalk.clauses(message)
        if not pieces:
            return _Heard(message, np.zeros(0, np.float32), router.score("", _nowhere(self._embedder)), "smalltalk")
        texts = [message, *pieces] if len(pieces) > 1 else [message]
        rows = await self._read(texts)
        judged = [self._judge(text, row, router, thread) for text, row in zip(texts, rows, strict=True)]
        whole, parts = judged[0], judged[1:]
        if not parts:
            return whole
        left = [part for part in parts if not _courtesy(part, router)]
        if not left:
            return replace(whole, intent=whole.intent or router.kind_of_talk(whole.vector))
        if all(part.intent for part in left) and whole.intent:
            return whole
        if len(left) == len(parts):
            return replace(whole, intent="")
        # Cutting from the message keeps its own punctuation between the clauses that stay.
        start = message.find(left[0].text)
        end = message.rfind(left[-1].text) + len(left[-1].text)
        text = smalltalk.without_joint(message[start:end] + message[end : end + 1].strip(" ,;"))
        row = (await self._read([text]))[0]
        return self._judge(text, row, router, thread)

    def _judge(self, text: str, vector: Vectors, router: Router, thread: Thread) -> _Heard:
        scored = router.score(plainly(text), vector)
        kind = router.kind_of_talk(vector)
        bar = _SURE_TALK_ASKED if asks(text) else _SURE_TALK
        leaning_on = bool(thread) and kind not in _COURTESIES and (cues.leans(text) or thread.asked_back)
        direct = scored.talk >= bar and not leaning_on and not _names_something(text, router)
        return _Heard(text, vector, scored, kind if direct else "")

    async def _leaning(self, heard: _Heard, router: Router, thread: Thread) -> str:
        """Why the message needs the thread. A short one that the Cards send elsewhere is a new subject."""
        if not thread:
            return leaning(heard.text, thread, 0.0, router.names)
        before = (await self._read([thread.question]))[0]
        why = leaning(heard.text, thread, float(before @ heard.vector), router.names)
        if why == "short" and _elsewhere(heard.scored, router.score(plainly(thread.question), before)):
            return ""
        return why

    async def _read(self, messages: Sequence[str]) -> Vectors:
        """The vectors of messages, however politely they are put."""
        return await self._embedder.embed([plainly(message) for message in messages], "query")

    async def _router(self, cards: Sequence[Card]) -> Router:
        key = tuple((card.collection, card.version) for card in cards)
        async with self._making:  # turns that arrive together prepare the same Cards once
            if key not in self._routers:
                self._routers[key] = await self._prepare(cards)
                while len(self._routers) > _ROUTERS:
                    self._routers.popitem(last=False)
            self._routers.move_to_end(key)
            return self._routers[key]

    async def _prepare(self, cards: Sequence[Card]) -> Router:
        if self._taught is None:
            phrases = await smalltalk.load(self._embedder)
            self._taught = phrases, await asyncio.to_thread(Kinds, phrases)
        return Router([await self._prepared(card) for card in cards], *self._taught)

    async def _prepared(self, card: Card) -> Known:
        ready = self._known.get((card.collection, card.version))
        if ready is None:
            ready = await asyncio.to_thread(known, card, await self._vectors(card))
            self._known[card.collection, card.version] = ready
        return ready

    async def _vectors(self, card: Card) -> Vectors:
        """The Card's own rows, or fresh ones where another embedder made them."""
        shape = (len(card.examples), self._embedder.dimension)
        if card.embedding == self._embedder.name and len(card.vectors) == 2 * shape[0] * shape[1]:
            return np.frombuffer(card.vectors, np.float16).reshape(shape).astype(np.float32)
        return await self._embedder.embed(card.examples, "query")


def _routed(request: PlanRequest, understood: Understood, scored: Scored, *, quoted: bool) -> Plan:
    plan = Plan(understood.question, "collections", queries=understood.wordings, reason=understood.reason)
    if request.web_allowed and scored.world >= _SURE_WORLD and not quoted:
        return replace(plan, route="web", confidence=round(scored.world, 3), reason="world")
    kept = _kept(scored)
    behind = scored.margins[1] if len(scored.margins) > 1 else 0.0
    parts = comparing.sub_questions(understood.question)
    return replace(
        plan,
        collections=kept,
        # How much likelier the first is than the second: one half when nothing tells them apart.
        confidence=round(float(1.0 / (1.0 + np.exp(-behind))), 3) if behind else 0.5,
        steps="multi" if parts else "single",
        sub_questions=parts,
    )


def _kept(scored: Scored) -> tuple[str, ...]:
    """The fewest collections, best first, that very likely hold the right one; all when none is near."""
    if scored.near < _NEAR:
        return scored.collections
    before = np.cumsum(scored.chances) - scored.chances
    return tuple(name for name, chance in zip(scored.collections, before, strict=True) if chance < _CHANCE)


def _names_something(text: str, router: Router) -> bool:
    """Initials, an identifier, a heading word for word, or a subject of the Cards: never small talk."""
    return cues.has_acronym(text) or bool(identifiers(text)) or router.quotes(text) or router.has_subject(text)


def _courtesy(part: _Heard, router: Router) -> bool:
    sure = part.scored.talk >= _SURE_COURTESY and not router.has_subject(part.text)
    return sure and router.kind_of_talk(part.vector) in _COURTESIES


def _nowhere(embedder: Embedder) -> Vectors:
    return np.zeros(embedder.dimension, np.float32)
