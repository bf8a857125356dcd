"""Questions in texts: those that stand as on a page of questions and answers."""

from __future__ import annotations

from core.catalog.cards import describe
from core.catalog.faq import questions_in
from core.documents import DocumentRecord

TEXT = """
Q: How long are backups kept?
A: Thirty days.

**Who approves a firewall change?**
The platform team. Why would anybody else?

질문: 법인카드는 어떻게 신청하나요?

- Can I restore a single table?
- Ask the platform team first.
1. **연차는 언제 소멸되나요?**

Q. no
"""


def test_questions_that_are_set_off_are_found_and_those_in_prose_are_not() -> None:
    assert list(questions_in(TEXT)) == [
        "How long are backups kept?",
        "Who approves a firewall change?",
        "법인카드는 어떻게 신청하나요?",
        "Can I restore a single table?",
        "연차는 언제 소멸되나요?",
    ]


def test_they_come_before_headings_that_ask_and_after_those_of_faq_pages() -> None:
    records = [
        DocumentRecord("a.md", "", "", "Backups", "en", 1, headings=("What is kept?",)),
        DocumentRecord("faq.md", "", "", "FAQ", "en", 1, headings=("Who pays?",)),
    ]
    card = describe("docs", records, (), ["How long are backups kept?"])
    assert card.questions == ("Who pays?", "How long are backups kept?", "What is kept?")
