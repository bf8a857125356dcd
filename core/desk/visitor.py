"""Somebody at the front desk: who they are, and what they alone read. Knows no platform."""

from __future__ import annotations

from dataclasses import dataclass

from core.access import place_of
from core.access_commands import Person
from core.messages import Audience, Language


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks, as the one reader of a private reply in the place where they are."""

    person: Person
    audience: Audience
    language: Language = "en"
    known: bool = True
    """False: who they are could not be looked up, so they may do no more than anybody from outside."""

    @property
    def place(self) -> str:
        """The channel they are in, as settings name it."""
        return place_of(self.audience)
