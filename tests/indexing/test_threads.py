"""Threads as documents: which are worth one, when one counts as answered, and how it reads."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.parsers.headings import headings
from adapters.parsers.registry import ParserRegistry
from core.documents import SourceEntry
from core.indexing.threads import LONG, Post, Standing, Thread, chosen, document, is_worth, standing, title_of

DAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


def post(name: str, text: str, day: int = 2, *, marked: bool = False) -> Post:
    return Post(name.lower(), name, text, DAY.replace(day=day), marked)


def thread(*posts: Post, **more: object) -> Thread:
    return Thread(posts, **more)  # type: ignore[arg-type]


ASKED = post("Ana", "How do I rotate the gateway certificate?")
ANSWERED = post("Ben", "Run `rotate-cert` on the bastion.")


@pytest.mark.parametrize(
    ("found", "is_so"),
    [
        (thread(ASKED), Standing.OPEN),
        (thread(ASKED, post("Ana", "anyone? thanks")), Standing.OPEN),
        (thread(ASKED, ANSWERED), Standing.REPLIED),
        (thread(ASKED, ANSWERED, post("Ana", "That worked, thank you!")), Standing.ACCEPTED),
        (thread(ASKED, ANSWERED, post("Ana", "감사합니다, 해결됐어요")), Standing.ACCEPTED),
        (thread(ASKED, ANSWERED, post("Ana", "It still does not work")), Standing.REPLIED),
        (thread(ASKED, ANSWERED, post("Cho", "thanks, helped me too")), Standing.REPLIED),
        (thread(post("Ana", "How? Thanks in advance"), ANSWERED), Standing.REPLIED),
        (thread(ASKED, post("Ben", "Run it.", marked=True)), Standing.ACCEPTED),
        (thread(ASKED, solved=True), Standing.ACCEPTED),
    ],
)
def test_a_thread_is_answered_when_somebody_else_replied_and_better_when_the_asker_says_so(
    found: Thread, is_so: Standing
) -> None:
    assert standing(found) is is_so


def test_threads_where_nobody_talked_to_anybody_are_no_documents_unless_long() -> None:
    assert is_worth(thread(ASKED, ANSWERED))
    assert not is_worth(thread(ASKED))
    assert not is_worth(thread(ASKED, post("Ana", "never mind")))
    assert is_worth(thread(post("Ana", "x" * LONG)))
    assert not is_worth(thread())


def test_a_thread_whose_beginning_is_gone_needs_more_than_one_remark() -> None:
    assert not is_worth(thread(ANSWERED, asker="a bot"))
    assert is_worth(thread(ANSWERED, post("Ben", "And restart it."), asker="a bot"))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("How do I rotate it?\nIt fails.", "How do I rotate it?"),
        ("Hi all,\nhow do I rotate the certificate?", "Hi all, how do I rotate the certificate?"),
        ("@here @Refdesk how do I rotate it now?", "how do I rotate it now?"),
        (":wave: **Why** does it fail today?", "Why does it fail today?"),
        ("```\nERROR 17 in line four\n```\nwhat does this error mean?", "what does this error mean?"),
        ("```\nERROR 17 in line four\n```", "ERROR 17 in line four"),
        ("[word](https://x.example/) " * 40, "word " * 18 + "…"),
    ],
)
def test_a_title_is_what_was_asked_first_and_not_longer_than_people_read(text: str, title: str) -> None:
    assert title_of(thread(post("Ana", text))) == title


def test_a_document_tells_who_said_what_and_on_which_day() -> None:
    text = document(thread(ASKED, ANSWERED, post("Ana", "It works now.", 5))).decode()
    assert text == (
        '---\ntitle: "How do I rotate the gateway certificate?"\nupdated: 2026-03-05\ndate: 2026-03-02\n---\n\n'
        "**Ana**: How do I rotate the gateway certificate?\n\n"
        "**Ben**: Run `rotate-cert` on the bastion.\n\n"
        "**Ana** (2026-03-05): It works now.\n"
    )


def test_a_post_stays_within_itself() -> None:
    wild = thread(
        post("Ana", "# Big\n## Bigger\nwords\n---\nmore <!-- hidden"),
        post("Ben", "--> seen\n```\n# a comment\nopen"),
        post("Cho", "```yaml\nkey: value\n```"),
        post("Dan", "> quoted\nand more"),
    )
    text = document(wild).decode().split("---\n", 2)[2]
    assert [heading.title for heading in headings(text)] == []
    assert text.count("```") % 2 == 0
    entry = SourceEntry("C1/1", "", 0, "text/markdown", None, "https://acme.example/p1")
    parsed = ParserRegistry().parse(document(wild), entry)
    assert all(name in parsed.text for name in ("**Ana**", "**Ben**", "**Cho**", "**Dan**"))
    assert "hidden" in parsed.text
    assert "# a comment" in parsed.text


@given(st.lists(st.text(max_size=200), min_size=1, max_size=5))
def test_any_posts_become_a_document_with_each_author(texts: list[str]) -> None:
    posts = [post(f"Name{number}", text) for number, text in enumerate(texts)]
    entry = SourceEntry("C1/1", "", 0, "text/markdown", None, "https://acme.example/p1")
    parsed = ParserRegistry().parse(document(thread(*posts)), entry)
    assert all(f"**Name{number}**" in parsed.text for number in range(len(texts)))
    assert str(parsed.date) == "2026-03-02"


def test_when_there_are_too_many_the_accepted_and_the_latest_stay() -> None:
    some = [("a", Standing.OPEN, "9"), ("b", Standing.ACCEPTED, "1"), ("c", Standing.REPLIED, "3")]
    assert chosen([*some, ("d", Standing.REPLIED, "5")], 3) == ["b", "d", "c"]
