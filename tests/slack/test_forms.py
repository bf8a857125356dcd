"""Modals, the Home tab and the chooser: whatever is in them, Slack takes it, and nothing in them calls anybody."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack.forms import OPTIONS, chooser, explained, passage, question, wrong
from adapters.slack.home_view import Asked, HomeParts, home
from adapters.slack.places import Where
from adapters.slack.summons import mentions, summons
from core.access_commands import Named
from core.answers import Citation
from core.desk.passages import Opened
from core.errors import InputError
from tests.slack.test_blocks import CITATIONS, WORDS
from tests.slack_server.limits import check_blocks, check_message

LANGUAGES = st.sampled_from(["ko", "en"])
WHERE = Where("T1", "C1", "U1", thread="1700.1", address="https://hooks.slack.test/" + "x" * 200, trigger="1.2")


def taken(view: Any) -> str:
    """Slack takes the view; all of it as it is sent."""
    sent = json.dumps(view, ensure_ascii=False)
    if view["type"] == "modal":
        for name in ("title", "close", "submit"):
            assert name not in view or 1 <= len(view[name]["text"]) <= 24
    assert len(view.get("private_metadata", "")) <= 3000
    check_blocks(json.loads(sent)["blocks"], 100)
    spoken = json.dumps([block for block in view["blocks"] if block["type"] != "input"], ensure_ascii=False)
    assert "<!" not in spoken
    assert "<@" not in spoken
    return sent


@given(WORDS, LANGUAGES)
@settings(max_examples=60, deadline=None)
def test_whatever_there_is_to_explain_fits(text: str, language: Any) -> None:
    taken(explained(text or "…", language))


@given(CITATIONS, WORDS, st.text(max_size=400), WORDS, LANGUAGES)
@settings(max_examples=100, deadline=None)
def test_whatever_passage_is_opened_fits(cited: Citation, before: str, quoted: str, after: str, language: Any) -> None:
    sent = taken(passage(Opened(cited, before, quoted, after), language))
    assert "secret/path" not in sent


def test_the_quoted_words_are_bold_between_what_stands_around_them() -> None:
    opened = Opened(Citation(1, "docs", "a.md", "p", "Upgrades", page=3), "Before.", "It takes *45* minutes.", "After.")
    texts = [block["text"]["text"] for block in passage(opened, "en")["blocks"] if block["type"] == "section"]
    assert texts[0] == "[1] Upgrades"
    assert texts[1:] == ["Before.", "*It takes \u200b*45* minutes.*", "After."]


@given(WORDS, LANGUAGES, st.booleans())
@settings(max_examples=60, deadline=None)
def test_forms_fit_whatever_they_begin_with(text: str, language: Any, may: bool) -> None:
    fields = [block["element"] for block in question(WHERE.kept(), text, language)["blocks"]]
    assert len(fields[0].get("initial_value", "")) <= 3000
    taken(question(WHERE.kept(), text, language))
    view = wrong(WHERE.kept(turn="0123456789abcdef"), language, text if may else "")
    taken(view)
    assert len(view["blocks"]) == (3 if may and text else 1)


@given(st.lists(st.from_regex(r"[a-z0-9][a-z0-9-]{0,39}", fullmatch=True), min_size=1, max_size=300, unique=True))
@settings(max_examples=40, deadline=None)
def test_however_many_collections_there_are_the_chooser_fits(names: list[str]) -> None:
    message = chooser(names, "/refdesk", "en")
    check_message(message.text, json.loads(json.dumps(message.blocks)), "")
    assert ("more can be named" in json.dumps(message.blocks)) == (len(names) > OPTIONS)


@given(
    st.lists(WORDS, max_size=30),
    WORDS,
    st.lists(
        st.builds(Asked, WORDS, WORDS, st.sampled_from(["", "https://acme.slack.com/archives/C1/p1"])), max_size=8
    ),
    WORDS,
    LANGUAGES,
)
@settings(max_examples=60, deadline=None)
def test_whatever_home_shows_fits(known: list[str], how: str, asked: list[Asked], health: str, language: Any) -> None:
    taken(home(HomeParts(known, how, asked, health), language))


def test_people_of_this_workspace_alone_are_called() -> None:
    named = Named(
        frozenset({"U01", "slack/T1/U02", "slack/T2/U03", "discord/1/4", "everyone", "U01> <!channel"}),
        frozenset({"slack/T1/S01", "S02", "here"}),
    )
    assert mentions(named, "T1") == "<!subteam^S01> <!subteam^S02> <@U01> <@U02>"
    with pytest.raises(InputError):
        mentions(Named(frozenset({"discord/1/4"})), "T1")
    message = summons("<@U01>", "human.call", "en")
    check_message(message.text, json.loads(json.dumps(message.blocks)), "")
    assert message.blocks[0]["text"]["text"].startswith("<@U01>")
    assert "<@" not in message.text
