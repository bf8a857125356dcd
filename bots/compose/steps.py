"""Who does each step of a run: the local family, models, or the local one wherever it is sure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.ports import Analyzer, Checker, Grader, Planner, Rewriter, RunPassages, WebSearch, Writer
from core.rag.cascade import (
    CascadeChecker,
    CascadeGrader,
    CascadePlanner,
    CascadeWriter,
    Decided,
    alone,
    either,
    reaching,
)
from core.rag.context import Searcher, Steps, StepsFor
from core.rag.ledger import Ledger, Metered
from core.rag.parts import EachPart

if TYPE_CHECKING:
    from bots.compose.embedding import Embedders
    from bots.compose.models import Models
    from bots.model_settings import ModelSettings
    from core.policy import Policy


@dataclass(frozen=True, slots=True)
class Parts:
    """What steps are made of, whoever does them."""

    embedders: Embedders
    analyzer: Analyzer
    searcher: Searcher
    shelf: RunPassages
    web: WebSearch | None
    models: Models | None
    settings: ModelSettings
    policy: Policy


def steps_for(parts: Parts) -> StepsFor:
    """The steps of each run. Local steps are made once: they hold what they have learned of words and Cards."""
    local = _local(parts)
    models = parts.models
    if models is None:
        return lambda _: local

    def steps(ledger: Ledger) -> Steps:
        return _Run(parts, local, models, ledger).steps()

    return steps


def _local(parts: Parts) -> Steps:
    from adapters.local.checker import LocalChecker
    from adapters.local.planner import LocalPlanner
    from adapters.local.refiner import LocalRefiner
    from adapters.local.rewriter import LocalRewriter
    from adapters.local.writer import ExtractiveWriter

    embedder, analyzer = parts.embedders.local, parts.analyzer
    checker = LocalChecker(embedder, analyzer)
    return Steps(
        planner=LocalPlanner(embedder),
        searcher=parts.searcher,
        grader=_grader(parts),
        refiner=LocalRefiner(embedder, analyzer, above=parts.policy.strip_above),
        rewriter=LocalRewriter(),
        writer=ExtractiveWriter(embedder, analyzer),
        checker=checker,
        attributor=checker,
        passages=parts.shelf,
        web=parts.web,
    )


def _grader(parts: Parts) -> Grader:
    if parts.settings.family("grade") == "cross-encoder":
        from adapters.local.cross_encoder import CrossEncoderGrader

        return EachPart(CrossEncoderGrader(parts.settings.reranker))
    from adapters.local.grader import LocalGrader

    return EachPart(LocalGrader(parts.embedders.local, parts.analyzer))


@dataclass(frozen=True, slots=True)
class _Run:
    """The steps of one run, its model calls charged to its ledger."""

    parts: Parts
    local: Steps
    models: Models
    ledger: Ledger

    def steps(self) -> Steps:
        """Each step by the family that the settings name."""
        decided = Decided()
        return Steps(
            planner=self._planner(decided),
            searcher=self.local.searcher,
            grader=self._graded_by(decided),
            refiner=self.local.refiner,
            rewriter=self._rewriter(),
            writer=self._writer(decided),
            checker=self._checker(decided),
            passages=self.local.passages,
            web=self.local.web,
            attributor=self.local.attributor,
            decided=decided,
        )

    def _planner(self, decided: Decided) -> Planner:
        from core.rag.model.planner import ModelPlanner

        family = self.parts.settings.family("plan")
        if family == "local":
            return self.local.planner
        small, tokens = Metered(self.models.small, self.ledger, "plan"), self.parts.policy.router_tokens
        model = ModelPlanner(small, self.parts.embedders.local, tokens=tokens)
        sure = reaching(0.7) if family == "cascade" else None
        if not self.parts.policy.router:
            # Nobody is asked for a route then, and a question outside any conversation is complete.
            sure = alone if sure is None else either(alone, sure)
        return model if sure is None else CascadePlanner(self.local.planner, model, decided, sure=sure)

    def _graded_by(self, decided: Decided) -> Grader:
        from core.rag.model.grader import ModelGrader

        policy, family = self.parts.policy, self.parts.settings.family("grade")
        if family in ("local", "cross-encoder"):
            return self.local.grader
        small = Metered(self.models.small, self.ledger, "grade")
        model = ModelGrader(small, "binary" if policy.grades == "binary" else "three")
        if family == "model":
            return model
        above, below = policy.correct_above, policy.incorrect_below
        return CascadeGrader(self.local.grader, model, decided, above=above, below=below)

    def _rewriter(self) -> Rewriter:
        from core.rag.model.rewriter import ModelRewriter

        if self.parts.settings.family("rewrite") == "local":
            return self.local.rewriter
        return ModelRewriter(Metered(self.models.small, self.ledger, "rewrite"))

    def _writer(self, decided: Decided) -> Writer:
        from core.rag.model.writer import ModelWriter

        settings = self.parts.settings
        if settings.family("write") == "local":
            return self.local.writer
        # Small talk that the local planner recognised has its answer; it costs no call.
        direct = None if settings.family("plan") == "model" else self.local.writer
        model = ModelWriter(Metered(self.models.large, self.ledger, "generate"), direct=direct)
        patience = min(20.0, self.parts.policy.deadline / 4)
        return CascadeWriter(model, self.local.writer, decided, patience=patience)

    def _checker(self, decided: Decided) -> Checker:
        from core.rag.model.checker import ModelChecker

        family = self.parts.settings.family("check")
        if family == "local":
            return self.local.checker
        model = ModelChecker(Metered(self.models.checker, self.ledger, "check"))
        return model if family == "model" else CascadeChecker(self.local.checker, model, decided)
