"""Corrections as documents: what a collection takes of them, and how they read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.memory.feedback import MemoryCorrections
from adapters.sources.corrections import CorrectionsSource
from core.access import Visible
from core.access_corrections import is_no_wider, taking
from core.errors import ParseError
from core.feedback import Correction

NOW = datetime(2026, 3, 2, tzinfo=UTC)
SAID = Correction(
    "c1", 'How long is "parental" leave?', "It is **14** months.", "slack/T1/U1", NOW, ("hr",), "https://x.test/p1"
)
OPEN, CLOSED = Visible("open"), Visible("closed", everyone=False, roles=frozenset({"S1"}))


async def source(*corrections: Correction, takes: bool = True) -> CorrectionsSource:
    store = MemoryCorrections()
    for each in corrections:
        await store.put(each)
    return CorrectionsSource(store, lambda about: takes)


async def test_a_correction_is_a_document_with_its_question_as_title_and_its_thread_as_link() -> None:
    kept = await source(SAID)
    (entry,) = (await kept.list()).entries
    assert (entry.id, entry.link, entry.modified) == ("c1.md", "https://x.test/p1", NOW)
    text = (await kept.fetch(entry)).decode()
    assert text.splitlines()[1:3] == ["title: \"How long is 'parental' leave?\"", 'date: "2026-03-02"']
    assert "It is **14** months." in text


async def test_one_that_was_said_anew_has_another_fingerprint_and_is_not_fetched_as_the_old_one() -> None:
    kept = await source(SAID)
    (old,) = (await kept.list()).entries
    await kept.store.put(replace(SAID, text="It is 15 months."))
    (new,) = (await kept.list()).entries
    assert old.fingerprint != new.fingerprint
    with pytest.raises(ParseError):
        await kept.fetch(old)


async def test_none_is_no_mistake_and_what_is_not_taken_is_not_there() -> None:
    for kept in (await source(), await source(SAID, takes=False)):
        listing = await kept.list()
        assert (listing.entries, listing.complete) == ((), True)


@pytest.mark.parametrize(
    ("rule", "than", "may"),
    [
        (OPEN, OPEN, True),
        (CLOSED, OPEN, True),
        (OPEN, CLOSED, False),
        (CLOSED, replace(CLOSED, roles=frozenset({"S1", "S2"})), True),
        (replace(CLOSED, users=frozenset({"U1"})), CLOSED, False),
        (replace(CLOSED, channels=frozenset({"slack/T1/C1"})), CLOSED, False),
        (replace(OPEN, external=True), OPEN, False),
        (OPEN, replace(OPEN, external=True), True),
    ],
)
def test_nobody_new_reads_something_by_a_correction(rule: Visible, than: Visible, may: bool) -> None:
    assert is_no_wider(rule, than) == may
    takes = taking("corrections", {"corrections": rule, "hr": than})
    assert takes(["hr"]) == may
    assert takes([])
    assert not takes(["hr", "gone"])
