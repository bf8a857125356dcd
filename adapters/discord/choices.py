"""What is offered while somebody types: collections to read anew, jobs to look at. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from discord.app_commands import Choice

from adapters.discord import outgoing
from core.access import suggestions
from core.documents import Readable
from core.messages import Language
from core.wording import say

CHOICES, LONGEST = 25, 100
"""How many Discord shows, and of how many characters each."""

ALL = "all"
_EVERYTHING = frozenset({ALL, "전체", "모두"})


def names_in(typed: str) -> tuple[str, ...]:
    """The collections that were chosen or typed; none where all of them are meant."""
    names = tuple(dict.fromkeys(typed.casefold().replace(",", " ").split()))
    return () if _EVERYTHING.issuperset(names) else names


def collections(names: Collection[str], typed: str, language: Language) -> list[Choice[str]]:
    """Those that may come next, after the ones that stand there; all of them, where there are several."""
    first, _, last = typed.rpartition(",")
    begun = [name for name in names_in(first) if name in names]
    found = suggestions(Readable(frozenset(names).difference(begun)), last, CHOICES)
    lines = [", ".join([*begun, name]) for name in found]
    choices = [Choice(name=line, value=line) for line in lines if len(line) <= LONGEST]
    everything, wanted = say("reindex.all", language), last.strip().casefold()
    if begun or len(names) < 2 or not (ALL.startswith(wanted) or everything.casefold().startswith(wanted)):
        return choices
    return [*choices[: CHOICES - 1], Choice(name=everything, value=ALL)]


def jobs(known: Sequence[tuple[str, str]], typed: str) -> list[Choice[str]]:
    """Jobs by id, each with its line, newest first, that hold what is typed."""
    wanted = typed.strip().casefold()
    found = [(id, line) for id, line in known if wanted in f"{id} {line}".casefold()]
    return [Choice(name=outgoing.clipped(line, LONGEST), value=id) for id, line in found[:CHOICES]]
