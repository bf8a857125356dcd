"""Whatever the models say or fail to say: a run ends within its caps, in words that state their standing."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.memory.chat import Scripted, ScriptedChat
from adapters.memory.shelf import MemoryShelf
from bots.compose.embedding import Embedders
from bots.compose.models import Models
from bots.compose.steps import Parts, steps_for
from bots.model_settings import ModelSettings
from core.answers import Answer, Standing
from core.chat import Request
from core.errors import UpstreamError, UpstreamRefused, UpstreamTimeout
from core.policy import PRESETS, Policy
from core.rag.context import RunContext
from core.rag.deadline import Deadline
from core.rag.graph import Runs
from core.rag.ledger import Ledger
from tests.rag.stand_ins import ListedSearcher, ListedWeb, Recorder, passage
from tests.scenarios import library
from tests.scenarios.asking import past
from tests.scenarios.scripts import step_in

FAULTS = st.sampled_from([UpstreamError(), UpstreamTimeout(), UpstreamRefused("error.model_empty"), "prose", "", "{}"])
PLANS = st.fixed_dictionaries(
    {
        "question": st.sampled_from(["", "How long is a backup kept?", "It is kept for 35 days.", "?"]),
        "route": st.sampled_from([["web"], ["docs"], ["direct"], ["clarify"], ["nowhere"], [], ["web", "docs"]]),
        "parts": st.sampled_from([[], ["How long?", "How much?"], ["How long?"] * 3]),
        "current": st.booleans(),
        "sure": st.sampled_from([0.1, 0.9]),
        "reply": st.sampled_from(["", "Hello!", "https://evil.test @everyone"]),
    }
)
LABELS = st.sampled_from(["yes", "no", "partly", "perhaps", ""])
GRADES = st.lists(LABELS, max_size=14).map(
    lambda words: {"grades": " ".join(f"{n}:{word}" for n, word in enumerate(words, start=1))}
)
CHECKS = st.fixed_dictionaries(
    {
        "unsupported": st.sampled_from([[], [1], [7]]),
        "useful": st.booleans(),
        "missing": st.sampled_from(["", "the cost", "9 lives"]),
    }
)
REWRITES = st.sampled_from(["how long a backup is kept", "Query:", "I'm sorry, I can't.", "보관 기간", "a b c"])
TEXTS = st.sampled_from(
    [
        "It takes 45 minutes [1].",
        "It takes 45 minutes [9].",
        "[see](https://evil.test/x)",
        ["It takes ", "45 minutes", UpstreamError()],
        "   ",
    ]
)


def often(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """Some answers in a row, faults among them; the last one stands for all that follow."""
    return st.lists(st.one_of(usual, usual, FAULTS), min_size=1, max_size=4)


@dataclass(frozen=True)
class Fate:
    """What happens in one run."""

    policy: Policy
    profile: str
    says: Mapping[str, Sequence[Scripted]]
    found: Sequence[Sequence[str]]
    web: Sequence[Sequence[str]] | None
    web_fails: bool
    follows: bool


FATES = st.builds(
    Fate,
    st.builds(
        replace,
        st.sampled_from(list(PRESETS.values())),
        speculate=st.booleans(),
        max_model_calls=st.sampled_from([12, 12, 0, 1, 2, 3, 5]),
        trigger=st.sampled_from(["never", "any", "all", "ratio", "fewer_than_2", "verdict"]),
        correction=st.sampled_from(["none", "index", "web", "verdict"]),
        k=st.sampled_from([1, 2, 6]),
    ),
    st.sampled_from(["model", "model", "fast"]),
    st.fixed_dictionaries(
        {
            "plan": often(PLANS),
            "grade": often(GRADES),
            "rewrite": often(REWRITES),
            "write": st.lists(st.one_of(TEXTS, TEXTS, FAULTS), min_size=1, max_size=4),
            "check": often(CHECKS),
        }
    ),
    st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=4, unique=True), min_size=1, max_size=4),
    st.none() | st.lists(st.lists(st.sampled_from("uvwxyz"), max_size=3, unique=True), min_size=1, max_size=3),
    st.booleans(),
    st.booleans(),
)


@pytest.fixture(scope="module")
def graph() -> Runs:
    return Runs()


@settings(max_examples=100, deadline=None)
@given(fate=FATES)
def test_every_combination_ends_within_its_caps_with_words_that_state_their_standing(graph: Runs, fate: Fate) -> None:
    asyncio.run(_lived(graph, fate))


async def _lived(graph: Runs, fate: Fate) -> None:
    asked: Counter[str] = Counter()

    def reply(request: Request) -> Scripted:
        step = step_in(request.messages[0].text)
        said = fate.says[step]
        asked[step] += 1
        return said[min(asked[step], len(said)) - 1]

    model = ScriptedChat(reply)
    web = None
    if fate.web is not None:
        web = ListedWeb([[passage(id, origin="web") for id in ids] for ids in fate.web], fails=fate.web_fails)
    searcher = ListedSearcher([[passage(id) for id in ids] for ids in fate.found])
    ledger, heard = Ledger(fate.policy.max_model_calls), Recorder()
    context = _context(fate, Parts(*_wholes(searcher, web, model, fate)), ledger, heard)
    answer = await graph.run(context)
    _judge(answer, fate)
    assert ledger.calls == len(model.requests) <= fate.policy.max_model_calls
    assert asked["write"] <= 2 + fate.policy.max_loops  # one may have run ahead for nothing
    assert len(searcher.asked) <= 5 * (2 + fate.policy.max_rewrites)
    assert web is None or len(web.queries) <= fate.policy.max_web_searches
    assert not any("evil.test" in text for text in [answer.text, *heard.drafts])


def _judge(answer: Answer, fate: Fate) -> None:
    assert answer.text.strip()
    assert answer.standing in get_args(Standing)
    looked_at = {id for ids in [*fate.found, *(fate.web or ())] for id in ids}
    assert {each.passage_id for each in (*answer.citations, *answer.nearest)} <= looked_at
    assert answer.standing != "partial" or answer.notes
    assert answer.standing != "supported" or answer.verdict == "correct"
    assert answer.trace


def _wholes(searcher: ListedSearcher, web: ListedWeb | None, model: ScriptedChat, fate: Fate) -> tuple[Any, ...]:
    embedder = library.EMBEDDER
    chosen = ModelSettings.model_validate({"large": "l", "small": "s", "profile": fate.profile})
    return (
        Embedders(embedder, embedder, embedder),
        library.ANALYZER,
        searcher,
        MemoryShelf(),
        web,
        Models(model, model, model),
        chosen,
        fate.policy,
    )


def _context(fate: Fate, parts: Parts, ledger: Ledger, heard: Recorder) -> RunContext:
    return RunContext(
        run="t/1",
        asked="How long does the upgrade take?",
        language="en",
        today=library.TODAY,
        steps=steps_for(parts)(ledger),
        policy=fate.policy,
        scope=library.scope(),
        cards=library.CARDS,
        listener=heard,
        deadline=Deadline(asyncio.get_running_loop().time() + 20),
        history=(past("Is there a backup?", "Yes, every day."),) if fate.follows else (),
        ledger=ledger,
    )
