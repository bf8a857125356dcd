"""What a change of embedder or analyzer has left to do, as lines for whoever runs the desk. Knows no adapter."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from core.documents import Scope
from core.messages import Language
from core.retrieval.embeddings import Embeddings, changed
from core.wording import say


@dataclass(frozen=True, slots=True)
class Changes:
    """`analyzer` is the configured one; `read_by` counts the passages by the analyzer that made their words."""

    embeddings: Embeddings
    analyzer: str
    read_by: Callable[[], Awaitable[Mapping[str, int]]]

    async def of_embedding(self, scope: Scope, language: Language, *, rebuilding: bool = False) -> list[str]:
        """The collections that another embedder indexed, and how they answer until they are rebuilt. Tries it."""
        key, lines = "check.embedding_rebuilding" if rebuilding else "check.embedding", []
        for old, names in changed(scope, self.embeddings.current).items():
            fields = {"old": old, "new": self.embeddings.current, "count": len(names), "names": ", ".join(names)}
            lines += [say(key, language, **fields)]
            why = await self.embeddings.why_not(old)
            if why is None:
                lines.append(say("check.embedding_serves", language, old=old))
            else:
                lines.append(say("check.embedding_words", language, old=old, why=why.user_message(language)))
        return lines

    async def of_analyzer(self, language: Language) -> list[str]:
        """The passages whose words another analyzer made."""
        others = {name: count for name, count in sorted((await self.read_by()).items()) if name != self.analyzer}
        return [say("check.analyzer", language, old=old, new=self.analyzer, count=n) for old, n in others.items()]
