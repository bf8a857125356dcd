"""Whatever a document, a title or a message holds, it stays inside its fence."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers import Plan
from core.claims import Claim
from core.messages import Exchange, ThreadMessage
from core.rag.prompts.checking import check_request
from core.rag.prompts.fencing import NAMES, Fences, defused
from core.rag.prompts.grading import grade_request
from core.rag.prompts.planning import plan_request as plan_prompt
from core.rag.prompts.rewriting import rewrite_request
from core.rag.prompts.writing import write_request as write_prompt
from tests.rag.model.scripts import INJECTIONS, passage, plan_request, tags, write_request

CONTROL = re.compile(
    r"<\|im_|\[/?INST\]|<<SYS>>|<</SYS>>|</?s>|<(?:start|end)_of_turn>|<｜|[\U000e0000-\U000e007f\u202e]"
)


def test_there_are_enough_injections() -> None:
    assert len(INJECTIONS) >= 10


@pytest.mark.parametrize("bad", INJECTIONS)
def test_no_passage_closes_or_forges_a_fence(bad: str) -> None:
    good = passage(2, "Carry-over ends in March.")
    hostile = passage(1, bad, title=bad, heading_path=(bad,))
    prompts = (
        grade_request(["How long?"], [hostile, good], "three"),
        write_prompt(write_request([hostile, good]), 100),
        check_request("How long?", [Claim("It ends in March.", (2,))], [(1, hostile), (2, good)]),
    )
    for prompt in prompts:
        system, user = prompt.messages[0].text, prompt.messages[-1].text
        assert len([tag for tag in tags(user) if tag.startswith("<passage")]) == 2
        assert len([tag for tag in tags(user) if tag.startswith("</passage")]) == 2
        assert not CONTROL.search(user)
        assert "evil.example" not in system
        assert bad[:12] not in system


@pytest.mark.parametrize("bad", INJECTIONS)
def test_no_message_of_a_thread_closes_or_forges_a_fence(bad: str) -> None:
    request = plan_request(bad, history=(Exchange(bad, bad, bad),), context=(ThreadMessage(bad, bad, "c"),))
    system, user = (said.text for said in plan_prompt(request).messages)
    shape = [re.sub(r"-[0-9a-f]{6}.*>", ">", tag) for tag in tags(user)]
    assert shape == ["<conversation>", "</conversation>", "<message>", "</message>"]
    assert len(user.partition("</conversation")[0].splitlines()) == 1 + 1 + 3  # date, tag, one line for each said
    assert bad[:12] not in system
    assert not CONTROL.search(user)


@pytest.mark.parametrize("bad", INJECTIONS)
def test_no_question_and_nothing_missing_closes_a_fence(bad: str) -> None:
    user = rewrite_request(bad, "web", bad, None).messages[-1].text
    assert [re.sub(r"-.*>", ">", tag) for tag in tags(user)] == [
        "<question>",
        "</question>",
        "<missing>",
        "</missing>",
    ]


@given(st.text(alphabet=st.sampled_from("</passagePASSGE>question -\u200b\n ｐ／＜а1"), max_size=60))
def test_no_text_holds_a_tag_once_it_is_defused(text: str) -> None:
    assert not tags(defused(text))
    body = Fences("abc123").block("passage", text)
    assert tags(body) == ["<passage-abc123>", "</passage-abc123>"]


@given(st.text(max_size=80))
def test_defusing_twice_changes_nothing_more(text: str) -> None:
    once = defused(text)
    assert defused(once) == once


@given(st.text(max_size=40), st.sampled_from(NAMES))
def test_an_attribute_stays_one(value: str, name: str) -> None:
    opening = Fences("abc123").block(name, "", [("title", value)]).splitlines()[0]
    assert opening.startswith(f"<{name}-abc123")
    assert opening.endswith(">")
    assert opening.count('"') in (0, 2)
    assert opening.count(">") == 1


def test_ordinary_text_and_code_stay_as_they_are() -> None:
    text = 'if a < b and c > d: print("<div class=\\"x\\">", values[0]) # <answer> <ol> [x] 3<s\n<script> <source>'
    assert defused(text) == text


def test_the_mark_depends_on_all_that_is_fenced() -> None:
    first = grade_request(["a"], [passage(1, "one")], "three").messages[-1].text
    second = grade_request(["a"], [passage(1, "two")], "three").messages[-1].text
    assert tags(first)[0].split()[0] != tags(second)[0].split()[0]
    assert tags(first)[0] == tags(grade_request(["a"], [passage(1, "one")], "three").messages[-1].text)[0]


def test_a_plan_is_not_confused_with_a_passage() -> None:
    assert Plan("q", "direct").reply == ""
