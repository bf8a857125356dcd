"""Slack's marks become Markdown, ids become names, code keeps every sign."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.mrkdwn import Names, channels_in, markdown, people_in

NAMES = Names({"U1": "Ana Kim", "U2": "박지민"}, {"C1": "help", "C2": ""})


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("*bold* and _slanted_ and ~gone~", "**bold** and _slanted_ and ~~gone~~"),
        ("*굵게*, 그리고 *또*", "**굵게**, 그리고 **또**"),
        ("2 * 3 * 4 and a*b*c", "2 * 3 * 4 and a*b*c"),
        ("ask <@U1> or <@U2|jimin> or <@U9>", "ask @Ana Kim or @박지민 or @someone"),
        ("in <#C1|help> or <#C1> or <#C2>", "in #help or #help or #channel"),
        ("<!here> <!subteam^S1|@oncall> <!subteam^S1>", "@here @oncall @subteam"),
        ("<!date^1700000000^{date}|14 Nov>", "14 Nov"),
        ("see <https://x.example/a?b=1&amp;c=2|the page>", "see [the page](https://x.example/a?b=1&c=2)"),
        ("see <https://x.example/wiki/A_(b)|A [b]>", "see [A (b)](https://x.example/wiki/A_%28b%29)"),
        ("see <https://x.example/a>", "see https://x.example/a"),
        ("<mailto:a@b.example|a@b.example>", "a@b.example"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"),
        ("&amp;lt;", "&lt;"),
        ("&gt; quoted", "> quoted"),
        ("• one\n• two\n    ◦ deep", "- one\n- two\n      - deep"),
        ("run `a *b* &lt;c&gt; <https://x.example|x.example>`", "run `a *b* <c> x.example`"),
        ("```x = *1*\ny```", "```\nx = *1*\ny\n```"),
        ("so: ```x``` and then", "so: \n```\nx\n```\n and then"),
    ],
)
def test_slack_becomes_markdown(written: str, read: str) -> None:
    assert markdown(written, NAMES) == read


def test_whom_and_what_a_text_refers_to() -> None:
    text = "<@U1> and <@U2|x> in <#C1> and <#C3|named>"
    assert (list(people_in(text)), list(channels_in(text))) == (["U1", "U2"], ["C1"])


@given(st.text(st.characters(blacklist_characters="&")), st.sampled_from(["<@U1>", "<#C1>", "<@U9|x>", "<!here>"]))
def test_no_reference_stays_whatever_stands_around_it(around: str, reference: str) -> None:
    read = markdown(f"{around} {reference} {around}", NAMES)
    assert reference not in read


@given(st.text(st.characters(blacklist_characters="`&<>"), max_size=80))
def test_code_keeps_every_sign(inside: str) -> None:
    assert markdown(f"```{inside}```", NAMES).removeprefix("```\n").removesuffix("\n```").strip("\n") == inside.strip(
        "\n"
    )
