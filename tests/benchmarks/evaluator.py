"""The relevance evaluator under the gold-removal test: does it know whether the top 5 hold a gold?

Reported three ways: refitted on folds (the honest figure), with the corpus left out of the training
altogether, and with the shipped weights, which have seen these questions. Draws the calibration plot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adapters.local.evaluator import Logistic, shipped
from adapters.local.use import USEEmbedder
from core.evaluation.metrics import auroc, calibration, calibration_error
from core.retrieval.analysis import BigramAnalyzer
from tests.benchmarks.gold_removal import fold
from tests.benchmarks.kept_vectors import KeptVectors
from tests.benchmarks.rows import Row
from tests.benchmarks.train_evaluator import Measured, fit, gather, names_of

Floats = NDArray[np.float64]
FOLDS = 5
SETS: Mapping[str, tuple[str, ...]] = {
    "SciFact": ("scifact",),
    "FastAPI": ("fastapi en→en", "fastapi ko→ko"),
    "Helm": ("helm en→en", "helm ko→ko"),
    "MTRAG-UN": ("mtrag-un",),
}
ALSO: Mapping[str, tuple[str, ...]] = {
    "FastAPI across": ("fastapi en→ko", "fastapi ko→en"),
    "Helm across": ("helm en→ko", "helm ko→en"),
    "CLAPnq": ("clapnq",),
    "small collections": ("helm small en", "helm small ko", "fastapi small en", "fastapi small ko"),
}
PLOT = Path("build/evaluator-calibration.png")


async def run(data: Path | None) -> list[Row]:
    """All rows; none without the data."""
    if data is None:
        return []
    async with USEEmbedder() as embedder:
        cases = await gather(data, KeptVectors(embedder), BigramAnalyzer())
    names = names_of(cases, indexed=True)
    model = shipped()["indexed"]
    crossed = _refitted(cases, names, lambda r: str(fold(r.case, FOLDS)))
    views = {
        "cross-validated": crossed,
        "corpus left out": _refitted(cases, names, lambda r: r.case.family),
        "shipped weights": np.array([model.probabilities(r.columns).max() for r in cases]),
    }
    rows = [row for name, trials in SETS.items() for row in _rows(name, trials, cases, views)]
    rows += [row for name, trials in ALSO.items() for row in _auroc_rows(name, trials, cases, views, target=None)]
    draw(cases, crossed)
    return rows


def _refitted(cases: Sequence[Measured], names: Sequence[str], group: Callable[[Measured], str]) -> Floats:
    """The set's probability from a model that has seen nothing of its group."""
    groups = [group(r) for r in cases]
    chances = np.zeros(len(cases))
    for one in sorted(set(groups)):
        model: Logistic = fit([r for r, g in zip(cases, groups, strict=True) if g != one], names)
        for place, (r, g) in enumerate(zip(cases, groups, strict=True)):
            if g == one:
                chances[place] = model.probabilities(r.columns).max()
    return chances


def _rows(name: str, trials: Sequence[str], cases: Sequence[Measured], views: Mapping[str, Floats]) -> list[Row]:
    rows = _auroc_rows(name, trials, cases, views, target=80)
    inside = np.array([r.case.trial in trials for r in cases])
    held = np.array([r.holds_gold for r in cases])[inside]
    for view in ("cross-validated", "shipped weights"):
        p = views[view][inside]
        for words, chosen, right in (("above 0.7", p > 0.7, held), ("below 0.3", p < 0.3, ~held)):
            title = f"evaluator {name}, {words}: right ({view}, {100 * chosen.mean():.0f} % of questions)"
            value = round(100 * float(right[chosen].mean()), 1) if chosen.any() else 0.0
            rows.append(Row(title, value, "%", "≥ 85", met=value >= 85))
    error = round(100 * calibration_error(views["cross-validated"][inside], held), 1)
    rows.append(Row(f"evaluator {name}: calibration error (cross-validated)", error, "points"))
    return rows


def _auroc_rows(
    name: str, trials: Sequence[str], cases: Sequence[Measured], views: Mapping[str, Floats], target: int | None
) -> list[Row]:
    """The mean over both halves that were taken out in turn."""
    rows = []
    for view, chances in views.items():
        halves = []
        for flip in (0, 1):
            inside = [n for n, r in enumerate(cases) if r.case.trial in trials and r.case.flip == flip]
            halves.append(auroc(chances[inside], [cases[n].holds_gold for n in inside]))
        value = round(100 * float(np.mean(halves)), 1)
        asked = f"≥ {target}" if target and view == "cross-validated" else ""
        rows.append(
            Row(
                f"evaluator {name}: AUROC ({view})", value, "", asked, met=value >= target if asked and target else None
            )
        )
    return rows


def draw(cases: Sequence[Measured], chances: Floats, place: Path = PLOT) -> None:
    """Stated against true probability for each set; skipped where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    axes = (figure := Figure(figsize=(6, 6))).add_subplot()
    axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    for name, trials in SETS.items():
        inside = [n for n, r in enumerate(cases) if r.case.trial in trials]
        bins = calibration(chances[inside], [cases[n].holds_gold for n in inside])
        shown = [one for one in bins if one.count >= 5]
        axes.plot([one.mean for one in shown], [one.share for one in shown], marker="o", label=name)
    axes.set(xlabel="stated probability", ylabel="share that holds a gold", title="Relevance evaluator")
    axes.legend()
    place.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(place, dpi=120)
