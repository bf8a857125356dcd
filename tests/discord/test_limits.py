"""Whatever is offered, opened or asked aloud is within Discord's limits and calls nobody. Pure."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.discord import choices, forms
from adapters.discord.counter import asks
from adapters.discord.looks import DiscordMessage, noted
from core.desk.passages import Opened
from tests.discord.test_looks import CITATIONS, NAMES, TEXTS, fits

LANGUAGES: Any = st.sampled_from(["ko", "en"])
COLLECTIONS = st.lists(st.text("abz09-", min_size=1, max_size=40), max_size=40, unique=True)
JOBS = st.lists(st.tuples(st.text("0123456789abcdef", min_size=16, max_size=16), NAMES), max_size=30)
QUOTED = st.one_of(TEXTS, st.just("@everyone " * 900), st.just("<@123456789012345678>" * 300))


@settings(max_examples=30, deadline=None)
@given(COLLECTIONS, st.text(max_size=120), LANGUAGES)
def test_however_many_collections_there_are_the_choices_fit(names: list[str], typed: str, language: Any) -> None:
    for text in (typed, "", ",".join([*names[:4], typed]), "al"):
        offered = choices.collections(names, text, language)
        assert len(offered) <= 25
        for each in offered:
            assert 1 <= len(each.name) <= 100
            assert 1 <= len(str(each.value)) <= 100
            assert set(choices.names_in(str(each.value))) <= set(names)


@settings(max_examples=30, deadline=None)
@given(JOBS, st.text(max_size=20))
def test_however_long_jobs_are_told_the_choices_fit(known: list[tuple[str, str]], typed: str) -> None:
    offered = choices.jobs([(id, f"{id} {line}") for id, line in known], typed)
    assert len(offered) <= 25
    assert all(1 <= len(each.name) <= 100 and 1 <= len(str(each.value)) <= 100 for each in offered)


def test_choices_go_on_after_a_comma_and_end_in_all_of_them() -> None:
    known = ["handbook", "help", "runbooks"]

    def offered(typed: str) -> list[str]:
        return [str(each.value) for each in choices.collections(known, typed, "en")]

    assert offered("h") == ["handbook", "help"]
    assert offered("") == ["handbook", "help", "runbooks", "all"]
    assert offered("al") == ["all"]
    assert offered("handbook, ") == ["handbook, help", "handbook, runbooks"]
    assert [each.name for each in choices.collections(["handbook"], "", "en")] == ["handbook"]
    assert choices.names_in("handbook, help help") == ("handbook", "help")
    assert choices.names_in("all") == choices.names_in("전체") == choices.names_in(" ") == ()


@settings(max_examples=4, deadline=None)
@given(LANGUAGES, st.booleans())
async def test_forms_fit(language: Any, may: bool) -> None:
    form = forms.wrong("0123456789abcdef", language, may_correct=may).to_dict()
    assert 1 <= len(form["title"]) <= 45
    assert len(form["custom_id"]) <= 100
    assert len(form["components"]) == (2 if may else 1)
    for label in form["components"]:
        assert 1 <= len(label["label"]) <= 45
        assert label.get("description") is None or 1 <= len(label["description"]) <= 100
        assert label["component"]["max_length"] <= 4000
        assert label["component"]["required"] == (not may)


@settings(max_examples=25, deadline=None)
@given(CITATIONS.filter(bool), QUOTED, QUOTED, QUOTED)
def test_whatever_passage_is_opened_fits(cited: Any, before: str, quoted: str, after: str) -> None:
    shown = noted(forms.passage(Opened(cited[0], before, quoted, after)))
    assert shown
    for message in shown:
        fits(message)


@settings(max_examples=25, deadline=None)
@given(NAMES, QUOTED, LANGUAGES)
def test_a_question_asked_aloud_fits(name: str, question: str, language: Any) -> None:
    fits(DiscordMessage(asks(name, question, language)))
