"""Spans for whoever watches a desk from outside: a port, and its stand-in for a desk that nobody watches.

A span says what was done, how long it took, what it counted and how it ended; never what was asked, found or
written. Knows no tracing system: what the facts are called there is the adapter's affair.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Literal, Protocol

from core.messages import SessionKey

Kind = Literal["turn", "node", "model", "retrieval", "web"]
"""A turn is made of nodes; model calls, retrievals and web searches stand under the node that began them."""

Fact = str | int | float | bool | Sequence[str] | None


class Span(Protocol):
    """Something that is being done."""

    def tell(self, **facts: Fact) -> None:
        """Further facts; one that is None is not told. `error` says that it failed, and of what kind."""
        ...


class Tracer(Protocol):
    """Where spans go."""

    def span(self, kind: Kind, name: str, **facts: Fact) -> AbstractContextManager[Span]:
        """Around what is done. An exception that passes through ends the span as failed, and is not held up.

        Turns and nodes are the parents of what begins inside them.
        """
        ...


class _Untold:
    def tell(self, **facts: Fact) -> None:
        """Nothing is kept."""


class Untraced:
    """For a desk that nobody watches."""

    def span(self, kind: Kind, name: str, **facts: Fact) -> AbstractContextManager[Span]:
        """Nothing around it."""
        return _NOTHING


_NOTHING: AbstractContextManager[Span] = nullcontext(_Untold())
UNTRACED: Tracer = Untraced()


def pseudonym(key: SessionKey) -> str:
    """One name for all turns of a session that tells neither the place nor, in a private one, the person."""
    parts = (key.platform, key.workspace, key.channel, key.thread)
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]
