"""Tokens and identifiers: what meets what."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.analysis import BigramAnalyzer, identifiers, stem, without_particle

ANALYZER = BigramAnalyzer()
tokens = ANALYZER.tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("연차를 신청하려면", "연차 신청"),
        ("업그레이드가", "업그레이드"),
        ("값은", "값을"),
        ("policies", "policy"),
        ("running upgrades", "run upgrade"),
        ("classes", "class"),
        ("get_db", "db"),
        ("HTTPException", "exception"),
        ("values.yaml", "values"),
        ("--dry-run", "dry"),
    ],
)
def test_related_words_share_a_token(one: str, other: str) -> None:
    assert set(tokens(one)) & set(tokens(other))


@pytest.mark.parametrize("whole", ["get_db", "values.yaml", "--dry-run", "LF-4012", "v1.2.3", "fastapi.Depends"])
def test_an_identifier_stays_whole_beside_its_parts(whole: str) -> None:
    assert whole.casefold() in tokens(f"see {whole} here")


def test_a_particle_behind_a_latin_word_is_no_token() -> None:
    assert tokens("helm을 AKS에서") == tokens("helm AKS")


def test_function_words_are_left_out() -> None:
    assert tokens("what is the limit of this?") == tokens("limit")


@pytest.mark.parametrize("word", ["bus", "is", "class", "status", "analysis", "need", "sing"])
def test_stemming_leaves_what_only_looks_like_an_ending(word: str) -> None:
    assert stem(word) == word


def test_a_single_syllable_is_never_taken_for_a_particle() -> None:
    assert without_particle("은") == "은"
    assert tokens("값") == ["값"]


@given(st.text(max_size=200))
def test_decomposed_text_gives_the_tokens_of_composed_text(text: str) -> None:
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(unicodedata.normalize("NFC", text))


@given(st.text(max_size=200))
def test_any_text_gives_tokens_without_blanks(text: str) -> None:
    assert all(token and not any(c.isspace() for c in token) for token in tokens(text))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("LF-4012 오류가 뭔가요?", "LF-4012"),
        ("why does HTTP 504 happen", "HTTP 504"),
        ("E1234는 무엇", "E1234"),
        ("where is values.yaml", "values.yaml"),
        ("/etc/nginx/nginx.conf 어디", "/etc/nginx/nginx.conf"),
        ("what does --dry-run do", "--dry-run"),
        ("fastapi.Depends 사용법", "fastapi.Depends"),
        ("changes in v1.2.3?", "v1.2.3"),
        ("response_model 설정", "response_model"),
        ("HTTPException raised", "HTTPException"),
        ("what is `helm dep up` for", "helm dep up"),
    ],
)
def test_identifiers_are_read_out_of_a_question(question: str, expected: str) -> None:
    assert expected in identifiers(question)


@pytest.mark.parametrize(
    "question", ["How long is parental leave?", "연차는 며칠인가요?", "e.g. the AKS upgrade and/or GKE", ""]
)
def test_plain_words_are_no_identifiers(question: str) -> None:
    assert identifiers(question) == ()
