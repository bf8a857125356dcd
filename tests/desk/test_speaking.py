"""In which language an asker is spoken to."""

from __future__ import annotations

import pytest

from core.desk.speaking import question_language


@pytest.mark.parametrize("text", ["", "?", "👍", ":thumbsup:", "<:party_parrot:123456>", "<a:wave:9> :+1:", "2026?"])
def test_what_has_no_words_is_in_the_desks_language(text: str) -> None:
    assert question_language(text, "ko") == "ko"
    assert question_language(text, "en") == question_language(text) == "en"


def test_words_say_their_own_language() -> None:
    assert question_language("how many days? :tada:", "ko") == "en"
    assert question_language(":tada: 연차는 며칠?", "en") == "ko"
