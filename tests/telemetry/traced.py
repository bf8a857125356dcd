"""One run of the graph with two models, in a process of its own: LangSmith reads its variables once for good.

``python -m tests.telemetry.traced BASE_URL``; prints how the answer stands.
"""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace

from pydantic import SecretStr

from adapters.openai.chat import OpenAIChat
from adapters.openai.models import OpenAIModels
from core.rag.graph import Runs
from core.rag.ledger import Ledger, Metered
from core.rag.model.checker import ModelChecker
from core.rag.model.grader import ModelGrader
from core.rag.model.writer import ModelWriter
from tests.rag.stand_ins import Cast


async def traced(base_url: str) -> str:
    """Grade, write and check by a model at this address."""
    service = OpenAIModels(base_url=base_url, api_key=SecretStr(os.environ["OPENAI_API_KEY"]), max_retries=0)
    async with OpenAIChat(service, "little") as small, OpenAIChat(service, "big") as large:
        ledger = Ledger(None)
        context = Cast().context(ledger=ledger)
        steps = replace(
            context.steps,
            grader=ModelGrader(Metered(small, ledger, "grade")),
            writer=ModelWriter(Metered(large, ledger, "generate")),
            checker=ModelChecker(Metered(small, ledger, "check")),
        )
        return (await Runs().run(replace(context, steps=steps))).standing


if __name__ == "__main__":
    print(asyncio.run(traced(sys.argv[1])))
