"""The Retriever over a small real index: what is found, what is left out, what is known of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from adapters.local.hashing import HashingEmbedder
from core.answers import Retrieved
from core.documents import Passage, Scope
from core.retrieval.analysis import BigramAnalyzer
from core.retrieval.composition import LeadEmbedder, opening
from core.retrieval.queries import query_forms
from core.retrieval.search import Retriever, coverage
from tests.retrieval.memory import MemoryIndex, passage

ANALYZER = BigramAnalyzer()
EMBEDDER = HashingEmbedder(64)
FILLER = [passage(f"Notes of meeting {n} about nothing in particular.", document=f"filler{n}.md") for n in range(30)]


async def opened(*passages: Passage) -> tuple[Retriever, Scope]:
    rows = [*passages, *FILLER]
    index = MemoryIndex(rows, await EMBEDDER.embed([p.headed_text for p in rows], "passage"), ANALYZER)
    return Retriever(index, index.words(), index, EMBEDDER, ANALYZER), index.scope()


def texts(found: Sequence[Retrieved]) -> list[str]:
    return [r.passage.text for r in found]


async def test_an_error_code_is_found_verbatim_across_languages() -> None:
    code = passage("LF-4012 코드는 인증서가 만료되었다는 뜻입니다.", document="errors.md", language="ko")
    retriever, scope = await opened(code, passage("Errors in general mean trouble.", document="general.md"))
    found = await retriever.retrieve(scope, ["What does LF-4012 mean?"], 3)
    hit = next(r for r in found if r.passage.id == code.id)
    assert hit.scores.exact
    assert not hit.scores.same_language


async def test_a_longer_code_is_not_taken_for_the_one_asked_for() -> None:
    retriever, scope = await opened(passage("LF-4012 means an expired certificate.", document="errors.md"))
    found = await retriever.retrieve(scope, ["What does LF-401 mean?"], 3)
    assert not any(r.scores.exact for r in found)


async def test_a_file_name_is_found_by_the_documents_path() -> None:
    page = passage("Sizes and limits of the cluster.", document="charts/values.yaml")
    retriever, scope = await opened(page)
    assert page.text in texts(await retriever.retrieve(scope, ["what is in values.yaml"], 2))


async def test_a_bad_rewrite_does_not_lose_what_the_own_words_find() -> None:
    page = passage("Parental leave lasts sixteen weeks.", document="leave.md")
    retriever, scope = await opened(page)
    found = await retriever.retrieve(scope, ["quarterly tomato harvest", "how long is parental leave"], 3)
    assert page.text in texts(found)


async def test_near_duplicates_are_shown_once() -> None:
    twins = [passage("Parental leave lasts sixteen weeks.", document=f"leave{n}.md") for n in range(3)]
    retriever, scope = await opened(*twins)
    assert texts(await retriever.retrieve(scope, ["parental leave weeks"], 4)).count(twins[0].text) == 1


async def test_scores_are_complete() -> None:
    retriever, scope = await opened(passage("Parental leave lasts sixteen weeks.", document="leave.md"))
    best, *_ = await retriever.retrieve(scope, ["parental leave weeks"], 3)
    scores = best.scores
    assert scores.rank == 1
    assert scores.coverage == pytest.approx(1.0)
    assert None not in (scores.dense, scores.lexical, scores.z_dense, scores.z_lexical)
    assert set(scores.weights) == set(ANALYZER.tokens("parental leave weeks"))


@pytest.mark.parametrize("queries", [[], [""], ["   \n"]])
async def test_nothing_asked_finds_nothing(queries: list[str]) -> None:
    retriever, scope = await opened()
    assert await retriever.retrieve(scope, queries, 3) == []


async def test_an_empty_scope_finds_nothing() -> None:
    retriever, _ = await opened()
    assert await retriever.retrieve(Scope(()), ["anything"], 3) == []


async def test_a_narrowed_scope_keeps_other_collections_out() -> None:
    secret = passage("Parental leave of the board.", document="board.md", collection="board")
    retriever, scope = await opened(secret)
    found = await retriever.retrieve(scope.narrowed(["docs"]), ["parental leave board"], 5)
    assert {r.passage.collection for r in found} == {"docs"}


async def test_a_question_of_any_length_and_kind_is_answered() -> None:
    retriever, scope = await opened()
    for question in [
        "\x00\x07",
        "?" * 5000,
        "a " * 50_000,
        '"NEAR( OR AND *',
        "\ud800".encode("utf-8", "replace").decode(),
    ]:
        assert len(await retriever.retrieve(scope, [question], 3)) <= 3


def test_equal_wordings_are_searched_once_and_at_most_four_are() -> None:
    assert [f.text for f in query_forms(["A  b", "a B", " "])] == ["A b"]
    assert len(query_forms([f"question {n}" for n in range(9)])) == 4


def test_coverage_is_the_share_of_weight_found() -> None:
    weights = {"rare": 3.0, "common": 1.0}
    assert coverage(["rare", "common"], ["common"], weights) == pytest.approx(0.25)
    assert coverage(["unheard", "common"], ["common"], weights) == pytest.approx(0.25)
    assert coverage([], ["common"], weights) is None


async def test_lead_embedding_keeps_shape_length_and_questions() -> None:
    lead = LeadEmbedder(EMBEDDER)
    rows = await lead.embed(["Title\nFirst sentence. Second one.", "Only a title", ""], "passage")
    assert rows.shape == (3, 64)
    assert (abs((rows**2).sum(axis=1)[:2] - 1) < 1e-5).all()
    assert (await lead.embed(["q"], "query") == await EMBEDDER.embed(["q"], "query")).all()
    assert lead.name != EMBEDDER.name


def test_the_opening_is_the_first_sentence_below_the_headings() -> None:
    assert opening("Guide > Setup\nShort one. " + "Long " * 50) == "Short one."
    assert opening("Guide > Setup") == ""
