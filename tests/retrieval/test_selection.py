"""Which passages are shown, by scores alone: spread over documents, and names that tell like from like."""

from __future__ import annotations

from collections import Counter

from core.answers import Retrieved, Scores
from core.documents import Passage
from core.retrieval.names import by_name, names
from core.retrieval.selection import select


def found(document: str, fused: float, text: str = "", title: str = "") -> Retrieved:
    words = text or f"{document} {fused} text of its own"
    page = Passage(f"c:{document}:{fused}", "c", document, "h", title or document, (), words, 0, "en")
    return Retrieved(page, Scores(fused=fused))


def documents(chosen: list[Retrieved]) -> Counter[str]:
    return Counter(each.passage.document_id for each in chosen)


def test_one_document_does_not_take_all_places_from_others_nearly_as_good() -> None:
    ranked = [
        *(found("leave.md", 5 - n / 10) for n in range(6)),
        *(found(f"other{n}.md", 4.5 - n / 10) for n in range(3)),
    ]
    assert documents(select(ranked, (), 6)) == {"leave.md": 3, "other0.md": 1, "other1.md": 1, "other2.md": 1}


def test_a_document_far_ahead_of_all_others_gives_as_many_as_are_asked_for() -> None:
    ranked = [*(found("leave.md", 9 - n / 10) for n in range(6)), found("other.md", 1.0)]
    assert documents(select(ranked, (), 6)) == {"leave.md": 6}


def test_a_passage_about_another_thing_of_the_same_kind_falls_behind() -> None:
    ranked = [found("gke.md", 6.0, title="GKE upgrade"), found("aks.md", 5.0, title="AKS upgrade")]
    assert [each.passage.document_id for each in by_name(ranked, names("What broke in the AKS upgrade?"))] == [
        "aks.md",
        "gke.md",
    ]


def test_a_question_over_two_names_prefers_neither() -> None:
    ranked = [found("gke.md", 6.0, title="GKE upgrade"), found("aks.md", 5.0, title="AKS upgrade")]
    first, _ = by_name(ranked, names("AKS랑 GKE 둘 다 얼마나 걸렸어?"))
    assert first.passage.document_id == "gke.md"


def test_a_name_that_no_passage_has_changes_nothing() -> None:
    ranked = [found("gke.md", 6.0), found("aks.md", 5.0)]
    assert by_name(ranked, names("How do I upgrade EKS?")) == ranked


def test_capitals_and_latin_words_in_korean_are_names_and_ordinary_words_are_not() -> None:
    assert names("AKS 업그레이드") == ("aks",)
    assert names("PostgreSQL failover takes how long?") == ("postgresql",)
    assert names("connector.toml 어디 있지 helm") == ("helm",)
    assert names("How long does it take?") == ()
    assert names("HOW LONG DOES IT TAKE?") == ()
