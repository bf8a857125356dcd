"""What every index must do, whatever it is made of."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from core.documents import Scope, TimeSpan
from core.errors import RefdeskError, StoreError
from core.ports import IndexEntry
from tests.index.values import EMBEDDER, Index, bm25, moments, passage, scope

TEXTS = [
    "Upgrade the AKS cluster node pool by node pool.",
    "The GKE upgrade went well and took an hour.",
    "Lunch is served at noon in the canteen.",
    "Refunds take five days after approval.",
]


async def test_both_lists_put_the_passage_about_the_question_first(index: Index) -> None:
    passages = [passage(text, f"{n}.md") for n, text in enumerate(TEXTS)]
    await index.put(*passages)
    published = scope({p.document_id: "1" for p in passages})
    assert (await index.meaning(published, "AKS cluster upgrade"))[0] == passages[0].id
    assert (await index.words(published, "AKS cluster upgrade"))[0] == passages[0].id


async def test_only_what_the_scope_publishes_is_found(index: Index) -> None:
    await index.put(passage("secret plan", "a.md"), passage("public plan", "b.md"))
    found = passage("public plan", "b.md").id
    published = scope({"b.md": "1"})
    assert await index.meaning(published, "plan") == [found]
    assert await index.words(published, "plan") == [found]
    assert set(await index.passages.get(published, [passage("secret plan", "a.md").id, found])) == {found}
    assert await index.passages.exact(published, ["plan"], 10) == [found]


async def test_old_and_new_version_stand_side_by_side(index: Index) -> None:
    kept, old, new = (
        passage("kept words"),
        passage("old words", position=1),
        passage("new words", position=1, version="2"),
    )
    await index.put(kept, old)
    await index.put(replace(kept, document_hash="2"), new)
    before, after = scope({"a.md": "1"}), scope({"a.md": "2"})
    assert set(await index.words(before, "words")) == {kept.id, old.id}
    assert set(await index.words(after, "words")) == {kept.id, new.id}
    assert set(await index.meaning(before, "words")) == {kept.id, old.id}
    assert set(await index.meaning(after, "words")) == {kept.id, new.id}
    (hits,) = await index.vectors.search(after, await EMBEDDER.embed(["words"], "query"), 5)
    assert {hit.document_hash for hit in hits.hits} == {"2"}


async def test_removing_a_version_keeps_what_another_version_still_holds(index: Index) -> None:
    kept, old = passage("kept words"), passage("old words", position=1)
    await index.put(kept, old)
    await index.put(replace(kept, document_hash="2"))
    await index.drop("docs", ("a.md", "1"))
    assert await index.words(scope({"a.md": "1"}), "words") == []
    assert await index.words(scope({"a.md": "2"}), "words") == [kept.id]
    assert await index.passages.known("docs", [kept.id, old.id]) == {kept.id}
    assert await index.passages.versions("docs") == [("a.md", "2")]


async def test_removing_twice_or_what_never_was_is_harmless(index: Index) -> None:
    await index.put(passage("words"))
    await index.drop("docs", ("a.md", "1"))
    await index.drop("docs", ("a.md", "1"), ("never.md", "0"))
    assert await index.passages.versions("docs") == []


async def test_storing_twice_changes_nothing(index: Index) -> None:
    one = passage("some words here")
    await index.put(one)
    await index.put(one)
    assert await index.words(scope({"a.md": "1"}), "words") == [one.id]
    assert await index.meaning(scope({"a.md": "1"}), "words") == [one.id]


async def test_a_passage_in_a_new_version_needs_no_vector(index: Index) -> None:
    one = passage("some words here")
    await index.put(one)
    moved = replace(one, document_hash="2", position=7, page=3, link="https://x.example/p#y")
    await index.vectors.upsert("docs", EMBEDDER.name, [IndexEntry(moved, None)])
    await index.lexical.upsert("docs", EMBEDDER.name, [IndexEntry(moved, None)])
    after = scope({"a.md": "2"})
    assert await index.meaning(after, "words") == [one.id]
    assert await index.words(after, "words") == [one.id]
    assert await index.passages.get(after, [one.id]) == {one.id: moved}
    assert await index.passages.get(scope({"a.md": "1"}), [one.id]) == {one.id: one}


async def test_a_passage_comes_back_with_all_its_metadata(index: Index) -> None:
    whole = replace(
        passage("본문입니다", "가이드/설치.md", language="ko", position=3, title="설치 가이드"),
        heading_path=("설치", "준비"),
        page=2,
        anchor="준비",
        link="https://wiki.example/x",
        date=date(2024, 2, 29),
        period=TimeSpan(date(2024, 1, 1), date(2024, 12, 31)),
    )
    await index.put(whole)
    assert await index.passages.get(scope({"가이드/설치.md": "1"}), [whole.id, "unknown"]) == {whole.id: whole}


async def test_known_is_by_embedding(index: Index) -> None:
    one = passage("words")
    await index.put(one)
    assert await index.passages.known("docs", [one.id, "x"], EMBEDDER.name) == {one.id}
    assert await index.passages.known("docs", [one.id], "another-model") == frozenset()
    assert await index.passages.known("other", [one.id]) == frozenset()


async def test_dense_scores_and_moments_are_those_of_the_whole_scope_by_language(index: Index) -> None:
    passages = [passage(f"text {n} about {n % 7}", f"{n}.md", language="ko" if n % 3 else "en") for n in range(60)]
    await index.put(*passages, passage("not published", "z.md"))
    published = scope({p.document_id: "1" for p in passages})
    question = (await EMBEDDER.embed(["text about 3"], "query"))[0]
    rows = await EMBEDDER.embed([p.headed_text for p in passages], "passage")
    cosines = dict(zip((p.id for p in passages), (rows @ question).tolist(), strict=True))
    (hits,) = await index.vectors.search(published, question[None, :], 10)
    assert [hit.score for hit in hits.hits] == pytest.approx(sorted(cosines.values(), reverse=True)[:10], abs=2e-3)
    for language in ("en", "ko"):
        own = [cosines[p.id] for p in passages if p.language == language]
        found = hits.moments[language]
        assert (found.mean, found.deviation) == pytest.approx(moments(own), abs=2e-3)
        assert found.count == len(own)


async def test_lexical_scores_are_bm25_over_the_scope_alone(index: Index) -> None:
    passages = [passage(f"{text} {'upgrade ' * (n % 3)}", f"{n}.md") for n, text in enumerate(TEXTS * 3)]
    await index.put(*passages)
    await index.put(*(passage(f"upgrade upgrade {n}", f"other-{n}.md") for n in range(20)))
    expected = bm25(passages, "upgrade the cluster cluster")
    found = await index.lexical.search(scope({p.document_id: "1" for p in passages}), "upgrade the cluster cluster", 99)
    assert {hit.passage_id: hit.score for hit in found.hits} == pytest.approx(
        {id_: score for id_, score in expected.items() if score > 0}, rel=1e-4
    )
    mean, deviation = moments(list(expected.values()))
    assert found.moments["en"].mean == pytest.approx(mean, rel=1e-4)
    assert found.moments["en"].deviation == pytest.approx(deviation, rel=1e-4)
    assert found.moments["en"].count == len(passages)


async def test_rare_tokens_weigh_more_and_unknown_ones_most(index: Index) -> None:
    passages = [passage(text, f"{n}.md") for n, text in enumerate(TEXTS)]
    await index.put(*passages)
    found = await index.lexical.search(scope({p.document_id: "1" for p in passages}), "upgrade canteen zebra", 5)
    assert found.weights["zebra"] > found.weights["canteen"] > found.weights["upgrad"] > 0


async def test_hits_are_limited_and_best_first(index: Index) -> None:
    passages = [passage("word " * (n + 1), f"{n}.md") for n in range(9)]
    await index.put(*passages)
    published = scope({p.document_id: "1" for p in passages})
    for hits in (
        (await index.vectors.search(published, await EMBEDDER.embed(["word"], "query"), 4))[0],
        await index.lexical.search(published, "word", 4),
    ):
        assert len(hits.hits) == 4
        assert [hit.score for hit in hits.hits] == sorted((hit.score for hit in hits.hits), reverse=True)


async def test_several_questions_at_once_are_answered_each_for_itself(index: Index) -> None:
    passages = [passage(text, f"{n}.md") for n, text in enumerate(TEXTS)]
    await index.put(*passages)
    whole, half = scope({p.document_id: "1" for p in passages}), scope({"2.md": "1", "3.md": "1"})
    wanted = [(scope_, text) for scope_ in (whole, half) for text in TEXTS]
    together = await asyncio.gather(*(index.meaning(s, t) for s, t in wanted), *(index.words(s, t) for s, t in wanted))
    alone = [await index.meaning(s, t) for s, t in wanted] + [await index.words(s, t) for s, t in wanted]
    assert together == alone


async def test_a_cancelled_question_leaves_the_others_alone(index: Index) -> None:
    await index.put(passage("words"))
    published = scope({"a.md": "1"})
    tasks = [asyncio.create_task(index.words(published, "words")) for _ in range(5)]
    await asyncio.sleep(0)
    tasks[2].cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(results[2], asyncio.CancelledError)
    assert [r for n, r in enumerate(results) if n != 2] == [[passage("words").id]] * 4


async def test_an_empty_index_an_empty_scope_and_an_empty_question_find_nothing(index: Index) -> None:
    assert await index.meaning(scope({"a.md": "1"}), "words") == []
    assert await index.words(scope({"a.md": "1"}), "words") == []
    await index.put(passage("words"))
    assert await index.meaning(Scope(()), "words") == []
    assert await index.words(Scope(()), "words") == []
    assert await index.words(scope({"a.md": "1"}), " \n") == []
    assert await index.vectors.search(scope({"a.md": "1"}), np.zeros((0, 64), np.float32), 5) == []
    assert await index.passages.exact(scope({"a.md": "1"}), ["", "  "], 5) == []
    assert await index.passages.get(scope({"a.md": "1"}), []) == {}


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "'; DROP TABLE passages; --",
        "NEAR(a b)",
        "a OR",
        "* ^ :",
        "col: x",
        "\x00",
        "(((",
        "-",
        "😀" * 50,
        "a" * 100_000,
    ],
)
async def test_any_text_can_be_asked(index: Index, query: str) -> None:
    await index.put(passage("words"))
    published = scope({"a.md": "1"})
    await index.words(published, query)
    await index.passages.exact(published, [query], 5)
    assert await index.words(published, "words") == [passage("words").id]


async def test_collections_of_one_scope_are_searched_together(index: Index) -> None:
    one, two = passage("shared words"), passage("shared words too", collection="other")
    await index.put(one, two)
    both = Scope(scope({"a.md": "1"}).generations + scope({"a.md": "1"}, "other").generations)
    assert set(await index.words(both, "shared words")) == {one.id, two.id}
    assert set(await index.meaning(both, "shared words")) == {one.id, two.id}
    assert await index.words(both.narrowed(["other"]), "shared words") == [two.id]


async def test_dozens_of_collections_are_searched_together_time_and_again(index: Index) -> None:
    passages = [passage("shared words", collection=f"c{n}") for n in range(40)]
    await asyncio.gather(*map(index.put, passages))
    every = Scope(tuple(scope({"a.md": "1"}, p.collection).generations[0] for p in passages))
    for _ in range(2):
        assert set(await index.meaning(every, "shared words", 99)) == {p.id for p in passages}
        assert set(await index.words(every, "shared words", 99)) == {p.id for p in passages}


async def test_a_question_embedded_otherwise_than_the_documents_is_refused_with_the_remedy(index: Index) -> None:
    await index.put(passage("words"))
    with pytest.raises(StoreError) as caught:
        await index.vectors.search(scope({"a.md": "1"}), np.ones((1, 32), np.float32), 5)
    assert "refdesk sync" in caught.value.user_message("en")
    assert await index.meaning(scope({"a.md": "1"}), "words") == [passage("words").id]


async def test_a_new_embedding_is_built_beside_the_old_one(index: Index) -> None:
    old, new = passage("words here"), passage("words here", version="2")
    await index.put(old)
    wide = np.zeros((1, 96), np.float32)
    wide[0, 5] = 1
    await index.vectors.upsert("docs", "wide", [IndexEntry(new, wide[0])])
    assert await index.meaning(scope({"a.md": "1"}), "words") == [old.id]
    (hits,) = await index.vectors.search(scope({"a.md": "2"}, embedding="wide"), wide, 5)
    assert [(hit.passage_id, hit.score) for hit in hits.hits] == [(new.id, 1.0)]
    await index.drop("docs", ("a.md", "1"))
    assert await index.passages.known("docs", [old.id], EMBEDDER.name) == frozenset()
    assert await index.passages.known("docs", [old.id], "wide") == {old.id}


async def test_scopes_of_two_embeddings_are_never_compared_with_one_question(index: Index) -> None:
    await index.put(passage("words"))
    await index.put(passage("words", collection="other"), embedding="other-64")
    both = Scope(scope({"a.md": "1"}).generations + scope({"a.md": "1"}, "other", "other-64").generations)
    with pytest.raises(StoreError) as caught:
        await index.meaning(both, "words")
    assert "refdesk sync" in caught.value.user_message("en")
    assert [await index.meaning(part, "words") for part in both.by_embedding().values()] == [
        [passage("words").id],
        [passage("words", collection="other").id],
    ]


async def test_one_name_can_not_have_two_dimensions(index: Index) -> None:
    await index.put(passage("words"))
    wide = np.zeros(96, np.float32)
    wide[5] = 1
    with pytest.raises(RefdeskError) as caught:
        await index.vectors.upsert("docs", EMBEDDER.name, [IndexEntry(passage("more", "b.md"), wide)])
    assert "96" in caught.value.user_message("en")
    assert await index.meaning(scope({"a.md": "1"}), "words") == [passage("words").id]


async def test_all_passages_are_read_back_document_by_document(index: Index) -> None:
    passages = [passage(f"part {p} of {d}", f"{d:03}.md", position=p) for d in range(70) for p in range(3)]
    await index.put(*passages)
    published = scope({p.document_id: "1" for p in passages})
    assert [found async for batch in index.passages.read(published) for found in batch] == passages
