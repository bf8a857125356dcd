"""The questions of the self-test: made of held headings alone, in the collection's language, each with one place."""

from __future__ import annotations

import json
from importlib import resources

from core.catalog.probes import collection_probes, interleaved, probes, sampled
from core.catalog.samples import OUTSIDE_SAMPLES, TALK_SAMPLES
from core.documents import Card
from core.retrieval.language import question_language


def card(name: str, *held: str, language: str = "en", headings: tuple[str, ...] = ()) -> Card:
    return Card(name, "v", name, headings=headings, languages={language: 3}, held=held)


def test_each_telling_heading_becomes_one_question_that_has_it_word_for_word() -> None:
    held = [f"Rotate the {name} key" for name in ("signing", "backup", "ingress", "tenant", "audit", "root", "mail")]
    asked = collection_probes({"docs": held})["docs"]
    assert [probe.heading for probe in asked] == held
    assert all(probe.heading in probe.text and probe.right == "docs" for probe in asked)
    assert len({probe.text.replace(probe.heading, "") for probe in asked}) > 1


def test_a_heading_that_asks_is_asked_as_it_stands() -> None:
    (probe,) = collection_probes({"docs": ["How do I rotate a key?"]})["docs"]
    assert probe.text == "How do I rotate a key?"


def test_the_language_is_that_of_the_heading_and_else_of_the_collection() -> None:
    words = ("연차", "경비", "보안", "채용", "장비", "출장", "급여", "복지")
    headings = [
        *(f"{word} 신청" for word in words),
        *(f"{word} upgrade" for word in ("Helm", "AKS", "GKE", "EKS", "SSO")),
    ]
    by_text = {probe.heading: probe for probe in probes([card("docs", *headings, language="ko")]) if probe.heading}
    assert {probe.language for probe in by_text.values()} == {"ko"}
    wrapped = [probe.text for probe in by_text.values() if probe.text != probe.heading]
    assert wrapped
    assert all(question_language(text) == "ko" for text in wrapped)


def test_headings_that_several_collections_share_are_not_asked() -> None:
    one = card("one", "Rotate keys", "Drain a node", headings=("Install charts",))
    other = card("other", "rotate keys.", "Install Charts", headings=("Write charts",))
    asked = {(probe.right, probe.heading) for probe in probes([one, other]) if probe.kind == "collection"}
    assert asked == {("one", "Drain a node")}


def test_whoever_stops_early_has_asked_about_every_collection() -> None:
    held = {name: [f"replica subject {name}{n}" for n in range(30)] for name in ("a", "b", "c")}
    first = interleaved(collection_probes(held), most=20)
    assert len(first) == 60
    assert {probe.right for probe in first[:3]} == {"a", "b", "c"}


def test_the_samples_are_in_both_languages_and_strange_to_the_local_planner() -> None:
    taught = json.loads(resources.files("adapters.local").joinpath("smalltalk.json").read_text(encoding="utf-8"))
    known = {phrase.casefold() for phrases in taught.values() for phrase in phrases}
    for samples in (TALK_SAMPLES, OUTSIDE_SAMPLES):
        assert {language for language, _ in samples} == {"ko", "en"}
        assert len(samples) == len(set(samples)) >= 20
        assert known.isdisjoint(text.casefold() for _, text in samples)
        assert all((question_language(text) == "ko") == (language == "ko") for language, text in samples)


def test_fewer_samples_are_still_in_both_languages() -> None:
    few = sampled(7)
    assert len(few) == 14
    for kind in ("talk", "outside"):
        own = [probe.language for probe in few if probe.kind == kind]
        assert (len(own), set(own)) == (7, {"ko", "en"})
