"""Identifiers, error codes and file names are found letter by letter."""

from __future__ import annotations

import pytest

from core.ports import IndexEntry
from tests.index.values import EMBEDDER, Index, passage, scope

DOCUMENTS = {
    "ops/runbook-42.md": "When you see ERR_CONN_0017 restart kubelet. Set max-surge=2 in charts/values.yaml.",
    "ops/errors.md": "ERR_CONN_00171 is another error. Exit code 137 means out of memory: OOMKilled.",
    "휴가/연차-규정.pdf": "E1234가 나오면 담당자에게 알린다. 버전 v1.2.3부터 적용한다.",
    "plain.md": "Nothing special stands here, only zebras and C++ code.",
}


@pytest.mark.parametrize(
    ("term", "documents"),
    [
        ("ERR_CONN_0017", ["ops/runbook-42.md"]),
        ("err_conn_0017", ["ops/runbook-42.md"]),
        ("values.yaml", ["ops/runbook-42.md"]),
        ("charts/values.yaml", ["ops/runbook-42.md"]),
        ("max-surge", ["ops/runbook-42.md"]),
        ("OOMKilled", ["ops/errors.md"]),
        ("oomkilled", ["ops/errors.md"]),
        ("E1234", ["휴가/연차-규정.pdf"]),
        ("v1.2.3", ["휴가/연차-규정.pdf"]),
        ("연차-규정.pdf", ["휴가/연차-규정.pdf"]),
        ("runbook-42.md", ["ops/runbook-42.md"]),
        ("code 137", ["ops/errors.md"]),
        ("zebras", ["plain.md"]),
        ("CONN_0017", []),
        ("E123", []),
        ("values.yml", []),
    ],
)
async def test_a_term_is_found_where_it_stands_verbatim(index: Index, term: str, documents: list[str]) -> None:
    passages = {passage(text, document).id: document for document, text in DOCUMENTS.items()}
    await index.put(*(passage(text, document) for document, text in DOCUMENTS.items()))
    found = await index.passages.exact(scope(dict.fromkeys(DOCUMENTS, "1")), [term], 10)
    assert [passages[id_] for id_ in found] == documents


async def test_a_passage_that_holds_the_term_comes_before_one_whose_file_is_named_so(index: Index) -> None:
    named = passage("some text", "values.yaml")
    holding = passage("edit values.yaml first", "z.md")
    await index.put(named, holding)
    published = scope({"values.yaml": "1", "z.md": "1"})
    assert await index.passages.exact(published, ["values.yaml"], 10) == [holding.id, named.id]
    assert await index.passages.exact(published, ["values.yaml"], 1) == [holding.id]


async def test_what_stands_in_other_collections_keeps_nothing_from_being_found(index: Index) -> None:
    hidden = [passage(f"see max-surge-{n}", f"{n}.md", collection="secret") for n in range(2100)]
    await index.lexical.upsert("secret", EMBEDDER.name, [IndexEntry(each, None) for each in hidden])
    one = passage("set charts/max-surge here", "z.md")
    await index.put(one)
    assert await index.passages.exact(scope({"z.md": "1"}), ["max-surge"], 10) == [one.id]
