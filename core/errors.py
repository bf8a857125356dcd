"""The errors of Refdesk, and the only error texts that a channel may see.

    RefdeskError
    ├── InputError            what a person typed cannot be used (exit code 2)
    ├── ConfigError           refdesk.toml or the environment is wrong (exit code 2)
    ├── StoreError            a database or index file cannot be used (exit code 2)
    ├── SourceError           a source cannot be listed or read
    ├── ParseError            one document cannot be read; the others go on
    ├── AccessDenied          the asker may not do this
    ├── Busy                  too much at once; try again
    ├── TurnTaken             somebody else answers the turn; nobody is shown this
    ├── BudgetSpent           the run has made as many model calls as it may
    └── UpstreamError         a model, index or web service failed
        ├── UpstreamTimeout
        ├── UpstreamUnsure    nobody knows whether it was done
        └── UpstreamRefused

`user_message(language)` is the text for people: a sentence of `core.wording`. The exception's own
`str` is for the log and may hold more.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from core.messages import Language
from core.wording import say

if TYPE_CHECKING:
    from core.chat import Usage


class RefdeskError(Exception):
    """Base of all errors; `reason` is a key of `core.wording`, `fields` fill its sentence."""

    default_reason = "error.internal"

    def __init__(self, reason: str | None = None, *, detail: str = "", **fields: object) -> None:
        self.reason = reason or self.default_reason
        self.fields = fields
        self.detail = detail
        self.id = uuid.uuid4().hex[:8]
        super().__init__(f"{self.reason} {fields or ''} {detail}".strip())

    def user_message(self, language: Language) -> str:
        """One clear sentence with the remedy, in the language of the question."""
        return say(self.reason, language, **{"error_id": self.id, "detail": self.detail, **self.fields})


class InputError(RefdeskError):
    """What a person typed cannot be used."""

    default_reason = "error.input"


class ConfigError(RefdeskError):
    """The configuration cannot be used."""

    default_reason = "error.config"


class StoreError(RefdeskError):
    """A database or index file cannot be used."""

    default_reason = "error.store"


class SourceError(RefdeskError):
    """A source cannot be listed or read."""

    default_reason = "error.source"


class ParseError(RefdeskError):
    """A document cannot be read; `reason` says why (`parse.scanned`, `parse.broken`, …)."""

    default_reason = "parse.broken"


class AccessDenied(RefdeskError):
    """The asker may not do this."""

    default_reason = "error.access"


class Busy(RefdeskError):
    """Too much at once."""

    default_reason = "error.busy"


class TurnTaken(RefdeskError):
    """Another process (or another revision) is at the turn: what this one still has to say is not said."""


class BudgetSpent(RefdeskError):
    """The run has made as many model calls as it may; it ends with the best it has."""

    default_reason = "error.budget"


class UpstreamError(RefdeskError):
    """A model, an index or a web service failed; `usage` is what was paid all the same."""

    default_reason = "error.upstream"
    usage: Usage | None = None


class UpstreamTimeout(UpstreamError):
    """A service did not answer in time."""

    default_reason = "error.timeout"


class UpstreamUnsure(UpstreamError):
    """No answer came: what a service was asked to do may have been done."""


class UpstreamRefused(UpstreamError):
    """A service refused the request (key, quota, content)."""

    default_reason = "error.refused"
