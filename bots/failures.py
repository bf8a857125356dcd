"""What a command makes of an error: its exit code, and how it reads for scripts. Prints nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.errors import ConfigError, InputError, RefdeskError, SourceError, StoreError
from core.messages import Language

if TYPE_CHECKING:
    from bots.app import Unsynced

FAILED, REFUSED = 1, 2


def exit_code(error: RefdeskError) -> int:
    """2 for what the person at the keyboard can mend, 1 for what failed here."""
    return REFUSED if isinstance(error, ConfigError | InputError | SourceError | StoreError) else FAILED


def as_plain(error: RefdeskError, language: Language) -> dict[str, Any]:
    """The error as a value of JSON; `reason` stays the same whatever the language."""
    return {"reason": error.reason, "message": error.user_message(language), "id": error.id}


def unsynced_as_plain(unsynced: Sequence[Unsynced], language: Language) -> list[dict[str, Any]]:
    """Collections that could not be synced before answering, as values of JSON."""
    return [
        {"collection": each.collection, "indexed": each.indexed, **as_plain(each.error, language)} for each in unsynced
    ]
