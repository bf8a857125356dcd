"""A file of JSON lines: every line that can be read is a document, every other is named by its number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.parsers.registry import ParserRegistry
from adapters.sources.jsonl import JsonLinesSource
from core.errors import ParseError, SourceError
from core.indexing.report import told


def written(path: Path, *lines: object) -> Path:
    file = path / "docs.jsonl"
    file.write_bytes(b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines))
    return file


async def test_lines_become_documents_with_title_date_and_link(tmp_path: Path) -> None:
    first = {"id": "t-1", "title": 'VPN: "how to"', "text": "# A\n\nUse the app.", "url": "https://x.example/t/1"}
    file = written(tmp_path, first | {"date": "2026-03-01", "updated": "2026-04-02T10:00:00Z"}, {"text": "안녕하세요"})
    source = JsonLinesSource(file)
    listing = await source.list()
    assert [(entry.id, entry.link) for entry in listing.entries] == [("t-1", first["url"]), ("안녕하세요", None)]
    assert listing.complete
    parsed = ParserRegistry().parse(await source.fetch(listing.entries[0]), listing.entries[0])
    assert (parsed.title, str(parsed.date)) == ('VPN: "how to"', "2026-04-02")
    assert "Use the app." in parsed.text


async def test_lines_that_cannot_be_used_are_named_and_the_others_go_in(tmp_path: Path) -> None:
    fine = {"id": "a", "text": "fine"}
    bad: tuple[object, ...] = (b"{broken", [1], {"id": "b"}, {"text": {}}, {"id": "a", "text": "twice"}, b"\xff\xfe")
    bad += ({"text": "x", "url": "javascript:alert(1)"}, b"[" * 100_000, {"text": "y" * 5000})
    file = written(tmp_path, b"\xef\xbb\xbf" + json.dumps(fine).encode(), b"", *bad, {"id": 7, "text": "seven"})
    listing = await JsonLinesSource(file, max_bytes=200_000).list()
    assert [entry.id for entry in listing.entries][:2] == ["7", "a"]
    assert [problem.document for problem in listing.problems] == [f"docs.jsonl:{n}" for n in range(3, 11)]
    assert {problem.reason for problem in listing.problems} == {"parse.line", "parse.line_open"}
    assert not listing.complete
    told_of = told(listing.problems[0], "en")
    assert told_of.startswith("  line 3 of docs.jsonl can't be used (not JSON")
    assert told_of.endswith("so removed lines stay until it is mended.")
    assert listing.problems[0].detail.startswith("not JSON")


async def test_a_line_whose_document_is_known_keeps_no_other_from_being_removed(tmp_path: Path) -> None:
    listing = await JsonLinesSource(written(tmp_path, {"id": "a", "text": "x"}, {"id": "b", "text": ""})).list()
    assert (len(listing.problems), listing.complete) == (1, True)


async def test_a_line_over_the_limit_fails_alone(tmp_path: Path) -> None:
    file = written(tmp_path, {"id": "a", "text": "x"}, {"id": "b", "text": "y" * 3_000_000}, {"id": "c", "text": "z"})
    listing = await JsonLinesSource(file, max_bytes=1000).list()
    assert [entry.id for entry in listing.entries] == ["a", "c"]
    assert [problem.document for problem in listing.problems] == ["docs.jsonl:2"]


async def test_only_a_line_that_changed_is_another_document(tmp_path: Path) -> None:
    source = JsonLinesSource(written(tmp_path, {"id": "a", "text": "one"}, {"id": "b", "text": "two"}))
    before = (await source.list()).entries
    written(tmp_path, {"id": "a", "text": "one"}, {"id": "b", "text": "TWO"})
    after = (await source.list()).entries
    assert before[0] == after[0]
    assert before[1].fingerprint != after[1].fingerprint
    with pytest.raises(ParseError):
        await source.fetch(before[1])


@pytest.mark.parametrize("lines", [(), (b"", b"  "), (b"nonsense",)])
async def test_a_file_without_a_document_says_so(tmp_path: Path, lines: tuple[bytes, ...]) -> None:
    with pytest.raises(SourceError) as caught:
        await JsonLinesSource(written(tmp_path, *lines)).list()
    assert caught.value.reason == "error.jsonl_empty"


async def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(SourceError) as caught:
            await JsonLinesSource(path).list()
        assert str(path) in caught.value.user_message("en")


async def test_a_name_that_looks_like_another_format_is_still_text(tmp_path: Path) -> None:
    source = JsonLinesSource(written(tmp_path, {"id": "leave.pdf", "text": "# Leave\n\nTwenty days."}))
    entry = (await source.list()).entries[0]
    assert "Twenty days" in ParserRegistry().parse(await source.fetch(entry), entry).text


@given(st.lists(st.dictionaries(st.sampled_from(["id", "title", "text", "url", "date"]), st.text()), max_size=5))
async def test_whatever_stands_in_a_line_is_a_document_or_a_problem(found: list[dict[str, str]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        source = JsonLinesSource(written(Path(folder), {"id": "sure", "text": "sure"}, *found))
        listing = await source.list()
        assert len(listing.entries) + len(listing.problems) == 1 + len(found)
        for entry in listing.entries:
            ParserRegistry().parse(await source.fetch(entry), entry)


async def test_a_number_beyond_all_measure_is_an_illegible_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "text": "one"}\n{"id": ' + "9" * 5000 + ', "text": "two"}\n')
    listing = await JsonLinesSource(path).list()
    assert (len(listing.entries), listing.complete) == (1, False)
    assert listing.problems[0].detail == "not JSON: a number too long"
