"""Which threads got somewhere, in English and Korean."""

from __future__ import annotations

import pytest

from core.indexing.accepting import LONG, is_accepted, is_worth

ASKED = ("ana", "How do I rotate the gateway certificate? Thanks in advance")
ANSWERED = ("ben", "Run `rotate-cert` on the bastion.")


@pytest.mark.parametrize(
    ("after", "accepted"),
    [
        (("ana", "That worked, thank you!"), True),
        (("ana", "감사합니다, 해결됐어요"), True),
        (("ana", "perfect"), True),
        (("ana", "It still does not work"), False),
        (("ana", "thanks, but that didn't help"), False),
        (("ana", "아직 안 됩니다. 감사합니다"), False),
        (("ana", "which bastion?"), False),
        (("cho", "thanks, that helped me too"), False),
    ],
)
def test_the_asker_accepts_an_answer_and_nobody_else(after: tuple[str, str], accepted: bool) -> None:
    assert is_accepted("ana", [ASKED, ANSWERED, after]) is accepted


def test_thanks_before_anybody_replied_accept_nothing() -> None:
    assert not is_accepted("ana", [ASKED, ("ana", "thanks!"), ANSWERED])


def test_a_thread_is_worth_finding_when_two_people_talked_or_one_said_a_lot() -> None:
    assert is_worth(2, "how?")
    assert is_worth(1, "x" * LONG)
    assert not is_worth(1, "anyone?")
    assert not is_worth(0, "")
