"""Everybody who may read along, every way in which a collection may be visible, and who reads what. No test here.

What should be readable is written down by hand and not computed: a table that the rule has to meet.
"""

from __future__ import annotations

from dataclasses import replace

from core.access import Visible
from core.channels import HIDDEN, SHOWN
from core.messages import Audience

HERE = "slack/T1/C1"

EVERYONE, WORKSPACE, CHANNEL, GROUP, USER, NOBODY = "everyone", "workspace", "channel", "group", "user", "nobody"
GRANTED, WITHDRAWN = "granted", "withdrawn"
"""Nobody's by configuration and shown in one channel from chat; everybody's and hidden there."""

RIGHTED, SPREAD = "righted", "spread"
"""Corrections: everybody's, of what is hidden in one channel; a group's of its own, and shown in that channel."""

KINDS = (EVERYONE, WORKSPACE, CHANNEL, GROUP, USER, NOBODY, GRANTED, WITHDRAWN)
CORRECTED = {RIGHTED: WITHDRAWN, SPREAD: GROUP}
"""Which kind a collection of corrections is about."""

SAID = {GRANTED: SHOWN, WITHDRAWN: HIDDEN, SPREAD: SHOWN}
"""What was said in chat of the collections of a kind in the channel `HERE`."""

WORDS = (
    *("zorbin", "quelfa", "mistrug", "vandril", "pelgrat", "dornik", "fablun", "krestov"),
    *("ulmaxo", "grenpho", "tisqual", "bolwent", "harmyx", "jundeck", "lorvash", "wexamb"),
    *("cabrinx", "yostelm"),
)
"""One word for each collection; it stands in its name, title, hint, documents, headings and texts, and nowhere else."""

COLLECTIONS = {
    word: (kind, outside)
    for word, (kind, outside) in zip(
        WORDS, [*((k, x) for k in KINDS for x in (False, True)), *((k, True) for k in CORRECTED)], strict=True
    )
}
"""For each word what lets readers in, and whether readers from outside may."""


def about(word: str) -> tuple[str, ...]:
    """The collections that the corrections in this one are about; none where it holds none."""
    kind = CORRECTED.get(COLLECTIONS[word][0])
    return tuple(f"{other}-files" for other, (own, outside) in COLLECTIONS.items() if own == kind and outside)


def rule(word: str) -> Visible:
    """The visibility of the collection as the configuration has it."""
    kind, outside = COLLECTIONS[word]
    return Visible(
        f"{word}-files",
        everyone=kind in (EVERYONE, WITHDRAWN, RIGHTED),
        workspaces=frozenset({"slack/T1", "discord/G1"} if kind == WORKSPACE else ()),
        channels=frozenset({HERE, "discord/G1/K1"} if kind == CHANNEL else ()) | {"console/local/terminal"},
        roles=frozenset({"slack/T1/S1", "discord/G1/R1"} if kind in (GROUP, SPREAD) else ()),
        users=frozenset({"slack/T1/U1"} if kind == USER else ()),
        external=outside,
    )


def ann(channel: str, *, external: bool = False) -> Audience:
    """A private reply to the one who is named, and belongs to the named group."""
    return Audience("slack", "T1", channel, "U1", frozenset({"S1", "S2"}), external)


AUDIENCES: dict[str, tuple[Audience, set[str]]] = {
    "public channel": (Audience("slack", "T1", "C1"), {EVERYONE, WORKSPACE, CHANNEL, GRANTED}),
    "private channel": (Audience("slack", "T1", "G7"), {EVERYONE, WORKSPACE, WITHDRAWN, RIGHTED}),
    "shared with another organisation": (
        Audience("slack", "T1", "C1", external=True),
        {EVERYONE, WORKSPACE, CHANNEL, GRANTED},
    ),
    "private message": (ann("D1"), {EVERYONE, WORKSPACE, GROUP, USER, SPREAD, WITHDRAWN, RIGHTED}),
    "private message of another": (Audience("slack", "T1", "D2", "U2"), {EVERYONE, WORKSPACE, WITHDRAWN, RIGHTED}),
    "private reply in the channel": (
        ann("C1"),
        {EVERYONE, WORKSPACE, CHANNEL, GROUP, USER, SPREAD, GRANTED},
    ),
    "guest in a private message": (
        Audience("slack", "T1", "D9", "U9", external=True),
        {EVERYONE, WORKSPACE, WITHDRAWN, RIGHTED},
    ),
    "named guest": (ann("D1", external=True), {EVERYONE, WORKSPACE, GROUP, USER, SPREAD, WITHDRAWN, RIGHTED}),
    "another workspace": (Audience("slack", "T2", "C1"), {EVERYONE, WITHDRAWN, RIGHTED}),
    "same ids elsewhere": (replace(ann("D1"), workspace="T2"), {EVERYONE, WITHDRAWN, RIGHTED}),
    "thread below a channel": (Audience("discord", "G1", "K1"), {EVERYONE, WORKSPACE, CHANNEL, WITHDRAWN, RIGHTED}),
    "private thread": (Audience("discord", "G1", "K9"), {EVERYONE, WORKSPACE, WITHDRAWN, RIGHTED}),
    "private message across servers": (
        Audience("discord", "", "D5", "42", frozenset({"discord/G1/R1", "discord/G2/R2"})),
        {EVERYONE, WORKSPACE, GROUP, SPREAD, WITHDRAWN, RIGHTED},
    ),
    "terminal": (Audience("console", "local", "terminal"), {*KINDS, *CORRECTED}),
}
"""Who reads, and the kinds that let them in; of readers from outside only where the collection is external."""


def readable_words(name: str) -> set[str]:
    """The words that these readers may see."""
    audience, kinds = AUDIENCES[name]
    return {
        word for word, (kind, outside) in COLLECTIONS.items() if kind in kinds and (outside or not audience.external)
    }


def hidden_words(name: str) -> set[str]:
    """The words that they may not."""
    return set(COLLECTIONS) - readable_words(name)
