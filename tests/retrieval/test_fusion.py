"""Fusion: what must hold for any lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from core.ports import Hit, Hits, Moments
from core.retrieval.fusion import Lists, fuse

IDS = [f"p{number}" for number in range(8)]
Found = Mapping[str, float]


def hit(key: str, score: float, language: str = "en") -> Hit:
    return Hit(key, "docs", key, "h", language, score)


def hits(scores: Found, languages: Sequence[str] = ("en", "ko"), korean: frozenset[str] = frozenset()) -> Hits:
    found = sorted(scores, key=lambda key: (-scores[key], key))
    rows = tuple(hit(key, scores[key], "ko" if key in korean else "en") for key in found)
    return Hits(rows, {language: Moments(0.2, 0.1, 100) for language in languages})


scores = st.dictionaries(st.sampled_from(IDS), st.floats(0, 1), max_size=8)


@given(scores, scores, st.sets(st.sampled_from(IDS)))
def test_every_hit_of_either_list_is_ranked_once_and_in_order(dense: Found, lexical: Found, korean: set[str]) -> None:
    ranking = fuse([Lists("en", hits(dense, korean=frozenset(korean)), hits(lexical, korean=frozenset(korean)))])
    assert sorted(c.hit.passage_id for c in ranking) == sorted({*dense, *lexical})
    values = [c.scores.fused for c in ranking]
    assert values == sorted(values, reverse=True)


@given(scores, scores)
def test_the_order_of_ties_never_depends_on_the_order_of_the_lists(dense: Found, lexical: Found) -> None:
    one = hits(dense)
    other = Hits(tuple(reversed(one.hits)), one.moments)
    words = hits(lexical)
    assert fuse([Lists("en", one, words)]) == fuse([Lists("en", other, words)])


@given(scores, scores)
def test_a_wording_that_finds_nothing_changes_no_order(dense: Found, lexical: Found) -> None:
    alone = fuse([Lists("en", hits(dense), hits(lexical))])
    with_bad = fuse([Lists("en", hits(dense), hits(lexical)), Lists("en", hits({}), hits({}))])
    assert [c.hit.passage_id for c in alone] == [c.hit.passage_id for c in with_bad]


def test_both_lists_agreeing_beat_either_alone() -> None:
    ranking = fuse([Lists("en", hits({"a": 0.9, "b": 0.8}), hits({"b": 0.8, "c": 0.9}))])
    assert ranking[0].hit.passage_id == "b"


def test_a_deviation_of_zero_or_no_moments_gives_no_error_and_no_advantage() -> None:
    flat = Hits((hit("a", 0.5),), {"en": Moments(0.5, 0.0, 1)})
    unknown = Hits((hit("b", 0.5),))
    assert [c.scores.fused for c in fuse([Lists("en", flat, unknown)])] == [0.0, 0.0]


def test_dense_scores_are_standardised_per_document_language() -> None:
    """A multilingual model may score all pages of one language higher; that says nothing of their worth."""
    rows = (hit("en1", 0.8, "en"), hit("en2", 0.79, "en"), hit("ko1", 0.5, "ko"))
    dense = Hits(rows, {"en": Moments(0.75, 0.05, 100), "ko": Moments(0.2, 0.05, 100)})
    assert fuse([Lists("en", dense, Hits(()))])[0].hit.passage_id == "ko1"


def test_words_count_less_in_a_document_of_another_language() -> None:
    found = hits({"own": 0.9, "other": 0.9}, korean=frozenset({"other"}))
    ranking = fuse([Lists("en", hits({}), found)])
    assert [c.hit.passage_id for c in ranking] == ["own", "other"]
    assert [c.scores.same_language for c in ranking] == [True, False]


def test_scores_say_which_list_saw_the_passage() -> None:
    ranking = {c.hit.passage_id: c.scores for c in fuse([Lists("en", hits({"a": 0.9}), hits({"b": 0.7}))])}
    assert (ranking["a"].dense, ranking["a"].lexical, ranking["a"].z_lexical) == (0.9, None, None)
    assert (ranking["b"].dense, ranking["b"].z_dense, ranking["b"].lexical) == (None, None, 0.7)


def test_a_question_of_no_language_is_foreign_to_no_document() -> None:
    found = hits({"en": 0.9, "ko": 0.9}, korean=frozenset({"ko"}))
    one, other = fuse([Lists("und", hits({}), found)])
    assert one.scores.fused == other.scores.fused
    assert one.scores.same_language
    assert other.scores.same_language
