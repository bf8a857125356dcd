"""Whether the router's self-test is worth its name: does it fall where the router falls?

The Cards of the three corpora are spoilt in many ways, more and less. For each set the self-test's accuracy (headings
that the Cards never saw, small talk) is set beside the accuracy on the real questions: headings of the corpora,
questions as typed, chit-chat. A self-test that ranks the sets as the real questions do has Spearman's rho near 1.
"""

from __future__ import annotations

from pathlib import Path

from adapters.local.planner import LocalPlanner
from adapters.local.use import USEEmbedder
from core.catalog import selftest
from core.catalog.probes import probes
from core.catalog.terms import digest, key_terms
from core.evaluation.datasets import articles
from tests.benchmarks.damages import Foreign, damages, with_vectors
from tests.benchmarks.kept_vectors import KeptVectors
from tests.benchmarks.routed import accuracy, percent, route
from tests.benchmarks.routing_data import headings, make_cards, read_sections, small_talk, typed
from tests.benchmarks.rows import Row

EVERY = 6
TRIAL = selftest.Trial(seconds=600)


async def run(data: Path | None) -> list[Row]:
    """All rows; none without the data."""
    if data is None or not (data / "scifact").is_dir():
        return []
    sections = read_sections(data)
    cases = [*headings(data, sections)[::EVERY], *typed()[:: EVERY // 2], *small_talk(data)[:: EVERY // 2]]
    async with USEEmbedder() as inner:
        embedder = KeptVectors(inner)
        cards = await make_cards(embedder, sections)
        asked = probes(cards)
        tested, real, rows = [], [], []
        for name, damage in damages(_foreign(data)):
            spoilt = await with_vectors(damage(cards), embedder)
            found = await selftest.run(LocalPlanner(embedder), spoilt, asked, TRIAL)
            tested.append(percent(found.overall.hits, found.overall.asked))
            real.append(accuracy(await route(embedder, spoilt, cases)))
            rows.append(Row(f"self-test of spoilt Cards, {name}: accuracy", tested[-1], "%"))
            rows.append(Row(f"self-test of spoilt Cards, {name}: on real questions", real[-1], "%"))
    rho = round(spearman(tested, real), 2)
    name = f"self-test over {len(real)} sets of Cards, {len(cases)} real questions: Spearman's rho"
    return [Row(name, rho, "", "≥ 0.7", met=rho >= 0.7), *rows]


def spearman(one: list[float], other: list[float]) -> float:
    """The correlation of the ranks; equal values share the mean of their ranks."""
    a, b = _ranks(one), _ranks(other)
    middle = (len(a) - 1) / 2
    both = sum((x - middle) * (y - middle) for x, y in zip(a, b, strict=True))
    spread = sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b)
    return float(both / spread**0.5) if spread else 0.0


def _ranks(values: list[float]) -> list[float]:
    below = [sum(other < value for other in values) for value in values]
    return [low + (values.count(value) - 1) / 2 for low, value in zip(below, values, strict=True)]


def _foreign(data: Path) -> Foreign:
    """Titles and terms of abstracts about medicine."""
    found = articles(data, "scifact")[:1200]
    own = digest("science", ((article.id, f"{article.title}\n{article.text}") for article in found))
    return Foreign(tuple(article.title for article in found), key_terms(own, [], 4000))
