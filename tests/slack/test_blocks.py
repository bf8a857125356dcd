"""Answers as Slack messages: whatever an answer holds, Slack takes it, and nothing in it calls anybody."""

from __future__ import annotations

import json
import re
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack import outgoing
from adapters.slack.blocks import SlackMessage, answered, failed, noted, working
from core.answers import Answer, Citation
from core.presenting import Looks
from tests.slack_server.limits import check_message

LOOKS = Looks("0123456789abcdef", "en")
TRICKY = [
    "<!channel>",
    "<@U1>",
    "@here",
    "**",
    "`",
    "```\n",
    "[1]",
    "(",
    ")",
    "<",
    ">",
    "&",
    "|",
    "| a | b |\n|--|--|\n",
]
WORDS = st.lists(
    st.one_of(
        st.text(max_size=40), st.sampled_from(TRICKY), st.sampled_from(["가나다 ", "👩‍👩‍👧", "\n\n", "x" * 3000])
    ),
    max_size=25,
).map("".join)
CITATIONS = st.builds(
    Citation,
    number=st.integers(1, 60),
    collection=st.just("docs"),
    document_id=st.just("secret/path.md"),
    passage_id=st.just("docs:1:2"),
    title=st.text(max_size=400),
    heading_path=st.lists(st.text(max_size=500), max_size=3).map(tuple),
    page=st.none() | st.integers(1, 900),
    date=st.none() | st.just(date(2026, 1, 2)),
    link=st.none()
    | st.sampled_from(["https://x.test/a(b)?q=1&r=<2>|3", "https://x.test/" + "a" * 5000, "javascript:x"]),
    quote=st.text(max_size=100),
    origin=st.sampled_from(["index", "web"]),
)
ANSWERS = st.builds(
    Answer,
    text=WORDS,
    standing=st.sampled_from(["supported", "closest", "unchecked", "not_found", "direct", "clarify", "partial"]),
    citations=st.lists(CITATIONS, max_size=40, unique_by=lambda each: each.number).map(tuple),
    nearest=st.lists(CITATIONS, max_size=3, unique_by=lambda each: each.number).map(tuple),
    notes=st.lists(st.text(max_size=4000), max_size=12).map(tuple),
)


def taken(messages: list[SlackMessage]) -> None:
    """Slack takes each of them, as a new message and as an update."""
    for message in messages:
        check_message(message.text, json.loads(json.dumps(message.blocks)), "", most_text=4000)
        assert message.blocks


def shown(messages: list[SlackMessage]) -> str:
    """Everything in them, as it is sent."""
    return json.dumps([[each.text, each.blocks] for each in messages], ensure_ascii=False)


@given(ANSWERS, st.booleans(), st.sampled_from(["ko", "en"]))
@settings(max_examples=150, deadline=None)
def test_slack_takes_whatever_an_answer_holds(answer: Answer, private: bool, language: str) -> None:
    messages = answered(answer, Looks("0123456789abcdef", language, private=private))  # type: ignore[arg-type]
    taken(messages)
    sent = shown(messages)
    assert "<!" not in sent
    assert "<@" not in sent
    assert "secret/path" not in sent
    assert "javascript:" not in re.sub(r'"text": "[^"]*"', "", sent)


@given(WORDS)
@settings(max_examples=100, deadline=None)
def test_errors_notes_and_drafts_are_taken_too(text: str) -> None:
    taken([working(text or "…", LOOKS, text)])
    taken(noted(text))
    taken([failed(text or "…")])


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("List<String> & more", "List&lt;String&gt; & more"),
        ("> quoted\n>> twice > once", "> quoted\n>> twice &gt; once"),
        ("see <https://x.test/a?b=1&c=2>.", "see https://x.test/a?b=1&c=2."),
        ("[a](https://x.test/a_(b)?c=1&d=2)", "[a](https://x.test/a_(b)?c=1&d=2)"),
        ("`a < b`", "`a &lt; b`"),
        ('**"인용"**은 굵게', '**"인용"**\u200a은 굵게'),
        ("이것은**(주의)**입니다", "이것은\u200a**(주의)**\u200a입니다"),
        ("**굵게**는 그대로", "**굵게**는 그대로"),
    ],
)
def test_markdown_keeps_its_meaning_and_brackets_are_signs(written: str, sent: str) -> None:
    assert outgoing.markdown(written) == sent


@pytest.mark.parametrize("call", ["<!channel>", "<!here|here>", "<@U0123>", "<!subteam^S1>", "<!everyone>", "@channel"])
def test_no_text_calls_anybody(call: str) -> None:
    for made in (outgoing.markdown(f"hey {call}!"), outgoing.mrkdwn(f"hey {call}!"), outgoing.link("https://x", call)):
        assert not re.search(r"<[!@#]", made)
        assert not re.search(r"@(?:channel|here|everyone)", made)


def test_a_long_answer_goes_over_several_messages_and_its_footnotes_and_buttons_stand_on_the_last() -> None:
    cited = Citation(1, "docs", "a.md", "p", "Upgrades", link="https://x.test/a")
    text = "\n\n".join(f"Paragraph {n} " + "word " * 60 + "[1]" for n in range(80))
    messages = answered(Answer(text, "supported", (cited,)), LOOKS)
    assert len(messages) == 3
    taken(messages)
    assert "context_actions" not in shown(messages[:-1])
    assert "context_actions" in shown(messages[-1:])
    assert "<https://x.test/a|Upgrades>" in shown(messages[-1:])


def test_a_footnote_without_a_link_gets_a_button_that_opens_it() -> None:
    cited = (Citation(1, "docs", "a.md", "p", "Upgrades"), Citation(2, "docs", "b.md", "q", "B", link="https://x.test"))
    (message,) = answered(Answer("It takes an hour [1][2].", "supported", cited), LOOKS)
    opened = [e for b in message.blocks if b["type"] == "actions" for e in b["elements"] if "open" in e["action_id"]]
    assert [each["value"] for each in opened] == ["0123456789abcdef:1"]


@pytest.mark.parametrize("link", [None, "", "file:///srv/a.md", "ftp://x.test/a", f"https://x.test/{'a' * 3000}"])
def test_each_footnote_has_a_link_or_a_button(link: str | None) -> None:
    cited = Citation(1, "docs", "a.md", "p", "Upgrades", link=link)
    (message,) = answered(Answer("It takes an hour [1].", "supported", (cited,)), LOOKS)
    assert "refdesk_open_1" in shown([message])
    assert "|Upgrades>" not in shown([message])


@pytest.mark.parametrize("text", ["", "  \n", "<@>", "<!>"])
def test_words_of_which_nothing_is_left_are_still_a_message(text: str) -> None:
    for messages in (answered(Answer(text, "direct"), LOOKS), noted(text), [working("On it…", LOOKS, text)]):
        assert len(messages) == 1
        taken(messages)


def test_one_line_says_how_far_the_answer_can_be_trusted() -> None:
    cited = Citation(1, "docs", "a.md", "p", "Upgrades", link="https://x.test/a")
    answer = Answer("It takes an hour [1].", "supported", (cited,), searched=("docs",), titles={"docs": "Handbook"})
    assert "Supported by its sources · searched: Handbook · passages used: 1" in shown(answered(answer, LOOKS))


def test_small_talk_has_no_buttons() -> None:
    (message,) = answered(Answer("Hello!", "direct"), LOOKS)
    assert [block["type"] for block in message.blocks] == ["markdown"]
