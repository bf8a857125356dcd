"""What Cards are made with and the router is tested by at each sync, put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.catalog.cards import QuestionWriter
from core.ports import RouterRecord
from core.rag.context import StepsFor

if TYPE_CHECKING:
    from adapters.sql.database import Database
    from bots.compose.models import Models
    from bots.settings import Settings
    from core.indexing.examining import Examining
    from core.indexing.hinting import Telling
    from core.indexing.parts import Exam

MODEL_QUESTIONS = 20
"""Questions of a collection that a model is asked, and only when a Card has changed: each is a call."""

MODEL_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Carding:
    """Hints that were said in chat, who words a Card's questions, what tests the router, and what it came to."""

    hints: Telling
    questions: QuestionWriter | None
    exam: Exam
    record: RouterRecord


def carding_of(
    settings: Settings, database: Database, steps: StepsFor, models: Models | None, hints: Telling
) -> Carding:
    """With a model: the small one words questions, and the planner that answers are routed by is tested."""
    from adapters.sql.catalog import SqlCatalog
    from adapters.sql.router_record import SqlRouterRecord
    from core.indexing.examining import RouterExam
    from core.rag.ledger import Ledger
    from core.rag.model.sampling import ModelQuestions

    record, names = SqlRouterRecord(database), frozenset(each.name for each in settings.collections)
    # The calls of a test are charged to no run.
    exam = RouterExam(SqlCatalog(database), record, lambda: steps(Ledger(None)).planner, names, _how(settings))
    return Carding(hints, ModelQuestions(models.small) if models else None, exam, record)


def _how(settings: Settings) -> Examining:
    from core.indexing.examining import Examining

    family, budget = settings.models.family("plan"), settings.rules.router_tokens
    if family == "local":
        return Examining(router_tokens=budget)
    return Examining(family, MODEL_QUESTIONS, MODEL_SECONDS, only_news=True, router_tokens=budget)
