"""Teaches the local router: writes adapters/local/talk_direction.npz, prints the weights of kinds.py and routing.py.

Usage: python -m tests.benchmarks.train_routing [DATA] (scikit-learn and SciPy for the fit). Each number printed
with them is of questions that nothing was fitted to: small talk and world questions in four folds, questions for
documents with their corpus left out. What `make bench ONLY=routing` asks of small talk and of the world is in none of
them, and `freshqa` is only looked at.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from adapters.local import smalltalk
from adapters.local.kinds import Kinds, top
from adapters.local.routing import Router, known
from adapters.local.use import USEEmbedder
from core.documents import Card
from core.ports import Embedder, Vectors
from tests.benchmarks import routing_data as given
from tests.benchmarks.kept_vectors import KeptVectors
from tests.benchmarks.routing_data import Case, Place, Section

Floats = NDArray[np.float64]

OUTPUT = Path("adapters/local/talk_direction.npz")
FOLDS = 4
TEAMS = "of other teams"
PHRASES = "phrases of work"
SHARES = {
    "talk": {
        "small talk": 2.0, "world": 1.0, "typed": 3.0, "headings": 2.0, "of another corpus": 1.0, TEAMS: 1.0,
        PHRASES: 2.0,
    },
    # Questions for other organisations' documents may be the world's, from here: they are only looked at.
    "world": {"small talk": 2.0, "world": 1.0, "typed": 3.0, "headings": 2.0, "of another corpus": 0.5},
}  # fmt: skip
"""What each group counts for, however many questions it has; other groups are only looked at."""

RANKED = ("near", "words", "terms")
SIZES = {8: 2, 24: 6}
"""Small and tiny collections: of so many documents one, and how many such sets are made."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One set of Cards, and questions for its collections by group."""

    name: str
    cards: Sequence[Card]
    asked: Mapping[str, Sequence[Case]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seen:
    """One message beside one set of Cards: its features, and the fold or corpus that it is left out with."""

    text: str
    features: dict[str, float]
    group: str
    apart: str


async def few_collections(data: Path, embedder: Embedder) -> list[Setting]:
    """Cards of many sizes: whole corpora, halves without the headings asked, small and tiny ones, each alone."""
    sections, typed = given.read_sections(data), given.typed()
    asked = given.headings(data, sections)
    every = {"typed": typed, "known headings (never fitted)": asked[::4]}
    found = [Setting("full", await given.make_cards(embedder, sections), every)]
    for half in (0, 1):
        held = [case for case in asked if case.half == half]
        found.append(Setting("half", await halved(embedder, sections, held, half), {"typed": typed, "headings": held}))
    for share, count in SIZES.items():
        for number in range(count):
            some = [section for section in sections if given.lot(section.document, share) == number]
            cards = await given.make_cards(embedder, some)
            # All are asked everywhere, else the size of a collection would tell what is asked of it.
            found.append(Setting(f"one in {share}", cards, {"typed": typed}))
    for corpus in given.CORPORA:
        cards = await given.make_cards(embedder, [section for section in sections if section.corpus == corpus])
        mine = [case for case in typed if case.corpus == corpus]
        others = [case for case in typed if case.corpus != corpus]
        found.append(Setting("alone", cards, {"typed": mine, "of another corpus": others}))
    return found


async def thirty_collections(data: Path, embedder: Embedder) -> list[Setting]:
    """The corpora split by folder, in halves without the headings asked, and whole for questions as typed."""
    sections = given.read_sections(data)
    place = given.thirty(sections)
    asked = given.headings(data, sections, place)
    found = [Setting("30", await given.make_cards(embedder, sections, place), {"typed": given.typed(place)})]
    for half in (0, 1):
        held = [case for case in asked if case.half == half]
        found.append(Setting("30 half", await halved(embedder, sections, held, half, place), {"headings": held}))
    return found


async def halved(
    embedder: Embedder, sections: Sequence[Section], asked: Sequence[Case], half: int, place: Place = given.by_corpus
) -> list[Card]:
    """Cards of the other half of the sections, with no heading that is asked."""
    kept = [section for section in sections if given.half_of(section.id) != half]
    return await given.make_cards(embedder, kept, place, frozenset(case.text for case in asked))


class Judge:
    """Computes features by the code that routes."""

    def __init__(self, embedder: Embedder, phrases: smalltalk.Phrases) -> None:
        self.embedding = embedder.name
        self._embedder = embedder
        self._phrases = phrases
        self._kinds = Kinds(phrases)

    async def router(self, cards: Sequence[Card]) -> Router:
        """A router over these Cards."""
        ready = [known(card, await self._embedder.embed(card.examples, "query")) for card in cards]
        return Router(ready, self._phrases, self._kinds)

    async def near(self, cards: Sequence[Card], texts: Sequence[str]) -> tuple[Vectors, Vectors]:
        """The vectors of the texts, and the mean cosine of each Card's nearest examples."""
        vectors = await self._embedder.embed(texts, "query")
        rows = [await self._embedder.embed(card.examples, "query") for card in cards]
        return vectors, np.array([[top(own @ vector) for own in rows] for vector in vectors])

    async def kinds(self, setting: Setting, group: str, cases: Sequence[Case]) -> list[Seen]:
        """The features that tell kinds apart."""
        return await self._seen(setting, group, cases, self._kinds)

    async def phrases_of_work(self, setting: Setting) -> list[Seen]:
        """The phrases themselves, each judged by the phrases of the other folds."""
        rows = []
        own = [text for text, kind in zip(self._phrases.texts, self._phrases.kinds, strict=True) if kind == "work"]
        for fold in range(FOLDS):
            part = [text for text in own if given.lot(text, FOLDS) == fold]
            kept = [place for place, text in enumerate(self._phrases.texts) if text not in set(part)]
            others = replace(
                self._phrases,
                texts=tuple(self._phrases.texts[place] for place in kept),
                kinds=tuple(self._phrases.kinds[place] for place in kept),
                vectors=self._phrases.vectors[kept],
            )
            rows += await self._seen(setting, PHRASES, [Case(text, ()) for text in part], Kinds(others))
        return rows

    async def _seen(self, setting: Setting, group: str, cases: Sequence[Case], kinds: Kinds) -> list[Seen]:
        router = await self.router(setting.cards)
        vectors, near = await self.near(setting.cards, [case.text for case in cases])
        features = [
            kinds.features(v, router.met(case.text, row)) for case, v, row in zip(cases, vectors, near, strict=True)
        ]
        aparts = [case.corpus or str(given.lot(case.text, FOLDS)) for case in cases]
        return [Seen(case.text, f, group, apart) for case, f, apart in zip(cases, features, aparts, strict=True)]

    async def to_talk(self, rows: Sequence[Seen]) -> tuple[dict[str, float], Floats]:
        """How far each text lies towards small talk, by a direction that was learned without it; the whole one."""
        known = {row.text: row for row in rows}
        texts, own = list(known), list(known.values())
        vectors = np.asarray(await self._embedder.embed(texts, "query"), np.float64)
        phrases = np.asarray(self._phrases.vectors, np.float64)
        kinds = np.array([kind in smalltalk.TALK for kind in self._phrases.kinds])
        right, apart = np.array([row.group == "small talk" for row in own]), np.array([row.apart for row in own])
        fitted = np.array([row.group in SHARES["talk"] for row in own])

        def learned(without: str) -> Floats:
            of = fitted & (apart != without)
            used = np.array([without != str(given.lot(text, FOLDS)) for text in self._phrases.texts])
            model = LogisticRegression(C=5.0, max_iter=1000, class_weight="balanced")
            model.fit(np.vstack([vectors[of], phrases[used]]), np.concatenate([right[of], kinds[used]]))
            return np.append(model.coef_[0], model.intercept_[0])

        found = np.zeros(len(texts))
        for part in sorted(set(apart)):
            slopes = learned(part)
            found[apart == part] = vectors[apart == part] @ slopes[:-1] + slopes[-1]
        return dict(zip(texts, found.tolist(), strict=True)), learned("")

    async def ranking(self, setting: Setting, cases: Sequence[Case]) -> tuple[Floats, NDArray[np.bool_]]:
        """The features of each (question, Card), and which Cards are right."""
        router = await self.router(setting.cards)
        _, near = await self.near(setting.cards, [case.text for case in cases])
        names = [card.collection for card in setting.cards]
        rows = []
        for case, row in zip(cases, near, strict=True):
            evidence = {"near": row, **router.evidence(case.text)}
            rows.append(np.column_stack([evidence[name] for name in RANKED]))
        return np.array(rows), np.array([[name in case.right for name in names] for case in cases])


async def fit_kinds(data: Path, judge: Judge, settings: Sequence[Setting]) -> None:
    """What tells small talk, and the world outside, from questions for documents."""
    rows: list[Seen] = []
    for one in settings:
        asked = {
            **one.asked,
            TEAMS: given.of_other_teams(data),
            "small talk": given.taught_small_talk(data),
            "world": given.taught_world(data),
            "freshqa (never fitted)": given.world(data, "freshqa"),
        }
        for group, cases in asked.items():
            rows += await judge.kinds(one, group, cases)
        rows += await judge.phrases_of_work(one)
    names = [name for name in rows[0].features if name != "bias"]
    unseen, taught = await judge.to_talk(rows)
    for seen in rows:
        seen.features["to_talk"] = unseen[seen.text]
    np.savez_compressed(OUTPUT, vectors=taught.astype(np.float32), embedding=np.array(judge.embedding))
    table = np.array([[row.features[name] for name in names] for row in rows])
    fitted = {kind: _fitted(kind, table, rows) for kind in SHARES}
    for name, *row in zip([*names, "bias"], fitted["talk"], fitted["world"], strict=True):
        print(f'    "{name}": ({row[0]:.2f}, {row[1]:.2f}),')


def _fitted(kind: str, table: Floats, rows: Sequence[Seen]) -> Floats:
    """Print what came of messages that were not fitted to; the weights, fitted to all."""
    groups, apart = np.array([row.group for row in rows]), np.array([row.apart for row in rows])
    counts = {group: int((groups == group).sum()) for group in dict.fromkeys(groups)}
    weights = np.array([SHARES[kind].get(row.group, 0.0) / counts[row.group] for row in rows])
    right = groups == {"talk": "small talk", "world": "world"}[kind]
    unseen = np.zeros(len(rows))  # of each row by weights that were fitted without it
    for part in sorted(set(apart)):
        slopes = _logits(table, right, weights * (apart != part))
        unseen[apart == part] = 1 / (1 + np.exp(-(table[apart == part] @ slopes[:-1] + slopes[-1])))
    for group in counts:
        above = ", ".join(f"> {bar}: {np.mean(unseen[groups == group] > bar):.3f}" for bar in (0.5, 0.6, 0.7))
        print(f"{kind:6} {group:32} {above}")
    return _logits(table, right, weights)


def _logits(table: Floats, right: NDArray[np.bool_], weights: Floats) -> Floats:
    """The weight of each feature, and the bias."""
    used = weights > 0
    scale = table[used].std(axis=0) + 1e-6
    model = LogisticRegression(C=1.0, max_iter=2000)
    model.fit(table[used] / scale, right[used], sample_weight=weights[used] / weights.sum() * 1000)
    return np.append(model.coef_[0] / scale, model.intercept_[0])


async def fit_ranking(judge: Judge, settings: Sequence[Setting]) -> None:
    """What ranks collections; each corpus is ranked with what the others taught."""
    parts = []
    for one in settings:
        for group, cases in one.asked.items():
            corpora = np.array([case.corpus for case in cases])
            parts.append((f"{one.name}: {group}", *await judge.ranking(one, cases), corpora))
    for name, features, right, corpora in parts:
        hits = np.zeros((len(corpora), 2))
        for corpus in given.CORPORA:
            mine = corpora == corpus
            fitted = _ranking([(f[c != corpus], r[c != corpus]) for n, f, r, c in parts if _is_taught(n, c, corpus)])
            order = np.argsort(-(features[mine] @ fitted), axis=1, kind="stable")
            places = np.take_along_axis(right[mine], order, axis=1)
            hits[mine] = np.column_stack([places[:, 0], places[:, :2].any(axis=1)])
        print(f"{name:48} first {hits[:, 0].mean():.3f}  in the first two {hits[:, 1].mean():.3f}")
    weights = _ranking([(f, r) for n, f, r, c in parts if _is_taught(n, c)])
    print(dict(zip(RANKED, weights.round(2).tolist(), strict=True)))


def _is_taught(name: str, corpora: NDArray[np.str_], without: str = "") -> bool:
    """Whether a group is fitted to: it is not only looked at, and there is something to rank and to ask."""
    return not name.startswith("alone") and "never" not in name and bool((corpora != without).any())


def _ranking(parts: Sequence[tuple[Floats, NDArray[np.bool_]]]) -> Floats:
    """Conditional logit: the right collections' share of the odds; each part counts alike."""
    scale = np.concatenate([features.reshape(-1, len(RANKED)) for features, _ in parts]).std(axis=0) + 1e-9

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = 1e-3 * float(weights @ weights), 2e-3 * weights
        for features, right in parts:
            shares = _softmax_rows(features @ (weights / scale))
            hit = (shares * right).sum(axis=1) + 1e-12
            pull = shares * right / hit[:, None] - shares
            total -= float(np.log(hit).mean())
            slope = slope - np.einsum("qc,qcf->f", pull, features) / scale / len(features)
        return total, slope

    found: Floats = minimize(loss, np.zeros(len(RANKED)), jac=True, method="L-BFGS-B").x / scale
    return found


def _softmax_rows(scores: Floats) -> Floats:
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    found: Floats = shares / shares.sum(axis=1, keepdims=True)
    return found


async def train(data: Path) -> None:
    """Fit and print."""
    async with USEEmbedder() as inner:
        embedder = KeptVectors(inner)
        judge = Judge(embedder, await smalltalk.load(embedder))
        few, many = await few_collections(data, embedder), await thirty_collections(data, embedder)
        await fit_kinds(data, judge, few)
        await fit_ranking(judge, [*few, *many])


if __name__ == "__main__":
    asyncio.run(train(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")))
