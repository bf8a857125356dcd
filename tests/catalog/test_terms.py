"""Key terms: what a collection is told from the others by."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.catalog.terms import KEPT_TERMS, DigestBuilder, digest, key_terms, terms_of
from core.documents import Digest


def test_a_korean_noun_is_one_term_whatever_particle_follows() -> None:
    assert set(terms_of("연차를 연차는 연차의 연차에서")) == {"연차"}


def test_words_that_every_text_has_are_no_terms() -> None:
    assert not list(terms_of("This is that it should be, 그리고 하지만"))


def test_a_document_that_comes_in_parts_counts_once_for_a_term() -> None:
    builder = DigestBuilder("docs")
    builder.add("a", "cluster cluster")
    builder.add("a", "cluster node")
    builder.add("b", "cluster")
    builder.add("a", "cluster late")
    built = builder.build()
    assert built.documents == 2
    assert built.terms == {"cluster": 2, "node": 1}


def test_only_the_most_frequent_terms_are_kept() -> None:
    many = [(str(place), f"shared word{place:05d}") for place in range(KEPT_TERMS + 500)]
    built = digest("docs", many)
    assert len(built.terms) == KEPT_TERMS
    assert built.terms["shared"] == KEPT_TERMS + 500


def test_terms_that_set_a_collection_apart_come_first() -> None:
    travel = Digest("travel", 20, {"hotel": 15, "request": 18, "flight": 9})
    servers = Digest("servers", 20, {"cluster": 15, "request": 18, "node": 9})
    assert key_terms(travel, [servers], 2) == ("hotel", "flight")
    assert key_terms(servers, [travel], 2) == ("cluster", "node")


def test_a_frequent_difference_beats_a_lucky_rare_one() -> None:
    own = Digest("own", 100, {"chart": 80, "oddity": 1, "page": 60})
    other = Digest("other", 100, {"chart": 5, "page": 60})
    assert key_terms(own, [other], 1) == ("chart",)


def test_a_collection_alone_still_has_key_terms() -> None:
    assert key_terms(Digest("only", 4, {"chart": 2, "odd": 1}), [], 5) == ("chart", "odd")


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 50), min_size=1), st.data())
def test_other_collections_rank_terms_and_never_add_one(own: dict[str, int], data: st.DataObject) -> None:
    other = data.draw(st.dictionaries(st.sampled_from("abcdefghxyz"), st.integers(1, 50)))
    found = key_terms(Digest("own", 50, own), [Digest("other", 50, other)], 10)
    assert set(found) <= set(own)


@given(st.text(max_size=300))
def test_any_text_has_terms_without_an_error(text: str) -> None:
    for term in terms_of(text):
        assert len(term) >= 2
