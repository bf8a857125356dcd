"""What goes wrong while documents are taken in: a section for each row of the list of faults, a test for each kind."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from adapters.local.hashing import HashingEmbedder
from adapters.parsers.limits import MB, Limits
from adapters.sources.jsonl import JsonLinesSource
from core.documents import PageMark
from core.errors import RefdeskError, SourceError
from core.indexing.parts import SyncSettings
from tests.indexing.collection import FileCollection, collection, lines, reasons
from tests.indexing.workshop import CountingEmbedder, DyingPublisher
from tests.parsers.attacks import LAUGHS, PDFS, lying, with_member
from tests.parsers.files import TEXT, docx, pdf, pptx, saved, xlsx
from tests.sources.repositories import repository
from tests.sources.site import Reply, website
from tests.sources.test_git import source as git_source
from tests.sources.test_website import source as site_source


@pytest.fixture
async def docs(tmp_path: Path) -> AsyncIterator[FileCollection]:
    async with collection(tmp_path) as made:
        made.write("keep.md", "# Keep\n\nThe otter keeps its stone.")
        made.write("gone.md", "# Gone\n\nThe heron leaves in autumn.")
        yield made


# --- deleted files still answer: what is in the index follows what the source lists -----------------


async def test_a_file_that_was_deleted_from_a_folder_answers_no_more(docs: FileCollection) -> None:
    await docs.sync()
    assert await docs.by_words("heron autumn") == ["gone.md"]
    (docs.root / "gone.md").unlink()
    assert (await docs.sync()).removed == 1
    assert await docs.by_words("heron autumn") == []


async def test_a_line_that_was_deleted_answers_no_more(docs: FileCollection, tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    both = [{"id": "keep", "text": "The otter keeps its stone."}, {"id": "gone", "text": "The heron leaves."}]
    path.write_text("\n".join(map(json.dumps, both)))
    docs.source = JsonLinesSource(path)
    await docs.sync()
    path.write_text(json.dumps(both[0]))
    assert (await docs.sync()).removed == 1
    assert await docs.by_words("heron otter") == ["keep"]


async def test_a_file_that_was_deleted_in_a_repository_answers_no_more(docs: FileCollection, tmp_path: Path) -> None:
    made = repository(tmp_path / "r", {"keep.md": "The otter keeps its stone.", "gone.md": "The heron leaves."})
    docs.source = git_source(str(made.path), tmp_path)
    await docs.sync()
    made.commit({"gone.md": None})
    assert (await docs.sync()).removed == 1
    assert await docs.by_words("heron otter") == ["keep.md"]


async def test_a_page_that_was_deleted_from_a_site_answers_no_more(docs: FileCollection, tmp_path: Path) -> None:
    async with website() as site:
        site.page("/", "/keep", "/gone", text="The index of the river.")
        site.page("/keep", text="The otter keeps its stone.")
        site.page("/gone", text="The heron leaves in autumn.")
        docs.source = site_source(site.url, tmp_path / "kept")
        await docs.sync()
        assert len(await docs.by_words("heron otter")) == 2
        del site.replies["/gone"]
        assert (await docs.sync()).removed == 1
        assert [name.partition("/")[2] for name in await docs.by_words("heron otter")] == ["keep"]


async def test_pages_that_are_gone_or_closed_answer_no_more_though_the_site_is_too_large(
    docs: FileCollection, tmp_path: Path
) -> None:
    async with website() as site:
        site.sitemap("/sitemap.xml", "/keep", "/gone", "/gone2", "/staff", "/login", "/rest")
        site.page("/keep", text="The otter keeps its stone.")
        site.page("/gone", text="The heron leaves in autumn.")
        site.page("/gone2", text="The kingfisher dives.")
        site.page("/staff", text="The badger counts the money.")
        site.replies["/login"] = Reply(status=403)
        docs.source = site_source(site.url, tmp_path / "kept", pages=5)
        await docs.sync()
        assert len(await docs.by_words("heron otter kingfisher badger")) == 4
        del site.replies["/gone"]
        site.replies["/staff"] = Reply(status=401)
        report = await docs.sync()
        assert (report.removed, report.complete) == (2, False)
        left = await docs.by_words("heron otter kingfisher badger")
        assert sorted(name.partition("/")[2] for name in left) == ["gone2", "keep"]


async def test_a_file_that_moved_out_of_what_is_included_answers_no_more(docs: FileCollection) -> None:
    await docs.sync()
    (docs.root / "node_modules").mkdir()
    shutil.move(docs.root / "gone.md", docs.root / "node_modules" / "gone.md")
    await docs.sync()
    assert await docs.by_words("heron") == []


# --- a deleted document is still retrieved: vectors and words go together ---------------------------


async def test_a_deleted_document_is_found_neither_by_words_nor_by_meaning_nor_verbatim(docs: FileCollection) -> None:
    await docs.sync()
    ids = [passage.id for passage in await docs.passages("gone.md")]
    assert await docs.by_meaning("The heron leaves in autumn.") != ["keep.md"]
    (docs.root / "gone.md").unlink()
    await docs.sync()
    scope = await docs.shop.scope()
    assert await docs.by_meaning("The heron leaves in autumn.") == ["keep.md"]
    assert await docs.by_words("heron leaves autumn") == []
    assert await docs.shop.index.passages.get(scope, ids) == {}
    assert await docs.shop.index.passages.exact(scope, ["heron"], 10) == []
    assert await docs.shop.index.passages.exact(scope, ["gone.md"], 10) == []


async def test_what_is_deleted_is_forgotten_for_good_after_the_grace(docs: FileCollection) -> None:
    docs.shop.settings = SyncSettings(grace=timedelta(0))
    await docs.sync()
    ids = [passage.id for passage in await docs.passages("gone.md")]
    (docs.root / "gone.md").unlink()
    await docs.sync()
    assert [document for document, _ in await docs.shop.index.passages.versions("docs")] == ["keep.md"]
    assert await docs.shop.index.passages.known("docs", ids) == frozenset()


# --- unchanged files are skipped, deleted ones never removed ----------------------------------------


async def test_a_sync_that_only_removes_publishes_all_the_same(docs: FileCollection) -> None:
    await docs.sync()
    (docs.root / "gone.md").unlink()
    report = await docs.sync()
    assert (report.removed, report.unchanged, report.embedded, report.published) == (1, 1, 0, True)


async def test_unchanged_added_changed_and_removed_are_told_apart_in_one_sync(docs: FileCollection) -> None:
    docs.write("other.md", "# Other\n\nThe newt sleeps.")
    await docs.sync()
    (docs.root / "gone.md").unlink()
    docs.write("other.md", "# Other\n\nThe newt wakes.")
    docs.write("new.md", "# New\n\nThe toad sings.")
    report = await docs.sync()
    assert (report.added, report.changed, report.removed, report.unchanged) == (1, 1, 1, 1)
    assert await docs.by_words("heron sleeps") == []
    assert set(await docs.by_words("wakes sings otter")) == {"other.md", "new.md", "keep.md"}


async def test_a_folder_that_is_suddenly_empty_is_an_error_and_no_deletion(docs: FileCollection) -> None:
    await docs.sync()
    for path in docs.root.iterdir():
        path.unlink()
    with pytest.raises(SourceError):
        await docs.sync()
    assert await docs.by_words("heron") == ["gone.md"]


# --- uploading again makes the index grow: passages have names of their own -------------------------


@pytest.mark.parametrize("again", ["touched", "rewritten", "deleted and put back", "renamed and back"])
async def test_the_same_document_again_gives_the_same_passages(docs: FileCollection, again: str) -> None:
    path = docs.write("long.md", "# Long\n\n" + "\n\n".join(f"## Part {n}\n\nWords of part {n}." for n in range(17)))
    await docs.sync()
    before = [passage.id for passage in await docs.passages()]
    data = path.read_bytes()
    for _ in range(3):
        if again == "touched":
            path.touch()
        elif again == "rewritten":
            path.write_bytes(data)
        elif again == "deleted and put back":
            path.unlink()
            await docs.sync()
            path.write_bytes(data)
        else:
            path.rename(docs.root / "other.md")
            await docs.sync()
            (docs.root / "other.md").rename(path)
        report = await docs.sync()
        assert report.passages == len(before) == 19
        assert [passage.id for passage in await docs.passages()] == before
        assert len(await docs.by_words("words part")) == 1


# --- identical uploads at once are both indexed -----------------------------------------------------


async def test_syncs_at_once_do_the_work_once(docs: FileCollection) -> None:
    docs.shop.settings = SyncSettings(wait=timedelta(seconds=30))
    reports = await asyncio.gather(*(docs.sync() for _ in range(3)))
    assert sum(report.embedded for report in reports) == 2
    assert sum(report.published for report in reports) == 1
    assert len(await docs.passages()) == 2


async def test_copies_of_a_file_are_documents_of_their_own_and_grow_nothing_when_synced_again(
    docs: FileCollection,
) -> None:
    docs.write("copy.md", (docs.root / "gone.md").read_bytes())
    first = await docs.sync()
    second = await docs.sync()
    assert (first.passages, second.passages, second.published) == (3, 3, False)
    (docs.root / "gone.md").unlink()
    await docs.sync()
    assert await docs.by_words("heron") == ["copy.md"]


# --- a passage's name stands twice: the second writing replaces the first ---------------------------


async def test_equal_paragraphs_and_headings_have_names_of_their_own(docs: FileCollection) -> None:
    docs.write("same.md", "# Same\n\n" + "## Step\n\nDo the same.\n\n" * 3 + "Do the same.\n\nDo the same.")
    await docs.sync()
    passages = await docs.passages("same.md")
    assert len({passage.id for passage in passages}) == len(passages) >= 3


async def test_a_sync_that_stores_again_what_is_stored_cites_nothing_twice(docs: FileCollection) -> None:
    docs.shop.publisher = DyingPublisher(docs.shop.stored)
    for _ in range(3):
        with pytest.raises(ConnectionResetError):
            await docs.sync()
    docs.shop.publisher = None
    await docs.sync()
    hits = (await docs.shop.index.lexical.search(await docs.shop.scope(), "heron autumn", 50)).hits
    assert len(hits) == len({hit.passage_id for hit in hits}) == 1


# --- 768 numbers against 384: a model that changed --------------------------------------------------


class Wider(CountingEmbedder):
    """A model of another width under a name of its own."""

    def __init__(self) -> None:
        super().__init__("hashing-128")
        self._wide = HashingEmbedder(128)

    @property
    def dimension(self) -> int:
        return 128

    async def embed(self, texts, kind):  # type: ignore[no-untyped-def]
        self.texts.extend(texts)
        return await self._wide.embed(texts, kind)


async def test_a_model_of_another_width_is_never_mixed_with_the_old_one(docs: FileCollection) -> None:
    await docs.sync()
    old = docs.shop.embedder
    docs.shop.embedder = Wider()
    report = await docs.sync()
    assert (report.embedded, report.published) == (2, True)
    assert await docs.by_meaning("The heron leaves in autumn.") == ["gone.md", "keep.md"]
    rows = await old.embed(["heron"], "query")
    with pytest.raises(RefdeskError) as caught:
        await docs.shop.index.vectors.search(await docs.shop.scope(), rows, 5)
    assert "refdesk sync" in caught.value.user_message("en")


# --- the model is changed while it indexes ----------------------------------------------------------


class Changing(CountingEmbedder):
    """A model that somebody replaces while it works: after the first texts its rows have another width."""

    async def embed(self, texts, kind):  # type: ignore[no-untyped-def]
        rows = await super().embed(texts, kind)
        return rows if len(self.texts) <= 1 else np.tile(rows, 2) / np.sqrt(2)


async def test_rows_of_another_width_in_the_middle_of_a_sync_end_it_and_publish_nothing(docs: FileCollection) -> None:
    docs.shop.settings = SyncSettings(documents_at_once=1, passages_at_once=1)
    docs.shop.embedder = Changing()
    with pytest.raises(Exception, match=r"."):
        await docs.sync()
    assert docs.shop.stored.published == {}
    docs.shop.embedder = CountingEmbedder()
    await docs.sync()
    assert await docs.by_meaning("The heron leaves in autumn.") == ["gone.md", "keep.md"]


# --- a rebuild with another width fails -------------------------------------------------------------


async def test_a_rebuild_that_fails_leaves_the_old_vectors_answering(docs: FileCollection) -> None:
    await docs.sync()
    old = docs.shop.embedder
    docs.shop.embedder, docs.shop.publisher = Wider(), DyingPublisher(docs.shop.stored)
    with pytest.raises(ConnectionResetError):
        await docs.sync()
    docs.shop.publisher, new, docs.shop.embedder = None, docs.shop.embedder, old
    assert await docs.by_meaning("The heron leaves in autumn.") == ["gone.md", "keep.md"]
    docs.shop.embedder = new
    assert (await docs.sync()).published
    assert await docs.by_meaning("The heron leaves in autumn.") == ["gone.md", "keep.md"]


# --- a scanned PDF is "ready" with no passage -------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "make", "word"),
    [
        ("scan.pdf", lambda: pdf([[], [], []]), "OCR"),
        ("스캔.pdf", lambda: pdf([[" "], ["-"]]), "OCR"),
        ("pictures.docx", lambda: with_member(docx(), "word/document.xml", _EMPTY_DOCUMENT), "no text"),
        ("empty.xlsx", lambda: xlsx({"a": []}), "no text"),
        ("empty.html", lambda: b"<html><body><img src='a.png'></body></html>", "no text"),
        ("empty.md", lambda: b"---\ntitle: x\n---\n<!-- nothing -->\n", "no text"),
    ],
)
async def test_a_document_without_text_is_a_failure_that_names_it(
    docs: FileCollection, name: str, make: Callable[[], bytes], word: str
) -> None:
    docs.write(name, make())
    report = await docs.sync()
    assert (report.added, report.failed) == (2, 1)
    told = lines(report)
    assert name in told
    assert word in told
    assert name not in [record.document_id for record in await docs.passages()]


_EMPTY_DOCUMENT = (
    b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body/></w:document>'
)


# --- pages that are pictures are skipped in silence -------------------------------------------------


async def test_pages_without_text_in_a_good_pdf_are_named_and_the_rest_goes_in(docs: FileCollection) -> None:
    docs.write("mixed.pdf", pdf([[TEXT], [], [TEXT + " Again."], [], []]))
    report = await docs.sync()
    assert (report.added, report.failed) == (3, 0)
    assert reasons(report) == {"mixed.pdf": "parse.note_pages_empty"}
    assert "2, 4, 5" in lines(report)
    again = await docs.sync()
    assert "2, 4, 5" in lines(again), "a remark stays as long as its document does"


async def test_rows_beyond_the_limit_are_told(docs: FileCollection) -> None:
    docs.write("long.csv", "a,b\n" + "x,1\n" * 20_050)
    assert reasons(await docs.sync()) == {"long.csv": "parse.note_cut"}


# --- footnotes without their page -------------------------------------------------------------------


def recognised(pages: list[str]) -> bytes:
    """A scan with what OCR read of it: a picture, and the text unseen above it."""

    def write(buffer: object) -> None:
        canvas = Canvas(buffer)
        for text in pages:
            canvas.rect(50, 50, 400, 600, fill=1)
            shown = canvas.beginText(60, 700)
            shown.setTextRenderMode(3)
            for line in text.split("\n"):
                shown.textLine(line)
            canvas.drawText(shown)
            canvas.showPage()
        canvas.save()

    return saved(write)


async def test_each_passage_of_a_pdf_says_its_page_also_behind_empty_ones(docs: FileCollection) -> None:
    docs.write("a.pdf", pdf([["The otter swims upstream at dawn."], [], ["The heron stands still at noon."]]))
    docs.write("ocr.pdf", recognised(["The newt sleeps under a stone.", "The toad sings by the pond at night."]))
    docs.write("deck.pptx", pptx())
    await docs.sync()
    passages = [passage for passage in await docs.passages() if not passage.document_id.endswith(".md")]
    words = {"otter": 1, "heron": 3, "newt": 1, "toad": 2, "Faster": 1, "300만": 2}
    assert {word: [p.page for p in passages if word in p.text] for word in words} == {w: [n] for w, n in words.items()}


async def test_a_sentence_that_runs_over_a_page_belongs_to_the_page_it_began_on(docs: FileCollection) -> None:
    docs.write("a.pdf", pdf([["The otter swims. The heron, which stands"], ["still, waits for noon. The toad sings."]]))
    await docs.sync()
    found = [(passage.page, passage.text.replace("\n\n", " ")) for passage in await docs.passages("a.pdf")]
    assert found == [
        (1, "The otter swims. The heron, which stands still, waits for noon."),
        (2, "The toad sings."),
    ]


async def test_a_long_pdf_gives_every_page_its_number(docs: FileCollection) -> None:
    docs.write("long.pdf", pdf([[f"Chapter {n} is about the number {n * 7919}."] * 12 for n in range(1, 31)]))
    await docs.sync()
    passages = await docs.passages("long.pdf")
    assert [passage.page for passage in passages] == sorted(passage.page or 0 for passage in passages)
    for passage in passages:
        first = passage.text.split("Chapter ", 1)[1].split(" ", 1)[0]
        assert passage.page == int(first)


def test_page_marks_are_where_the_pages_begin() -> None:
    from tests.parsers.files import parse

    parsed = parse("a.pdf", pdf([[TEXT], [], [TEXT]]))
    assert parsed.pages == (PageMark(0, 1), PageMark(len(TEXT) + 2, 3))


# --- one bad document costs all others --------------------------------------------------------------


async def test_hostile_documents_fail_alone_and_all_others_of_the_sync_go_in(tmp_path: Path) -> None:
    async with collection(tmp_path, Limits(bytes=5 * MB, seconds=2, memory=400 * MB)) as docs:
        hostile = {
            "bomb.docx": with_member(docx(), "word/document.xml", b" " * 40 * MB),
            "liar.docx": lying(with_member(docx(), "word/document.xml", b" " * 20 * MB), "word/document.xml", 100),
            "laughs.xlsx": with_member(xlsx({"a": [["x"]]}), "xl/workbook.xml", LAUGHS.encode()),
            "circle.pdf": PDFS["pages in a circle"](),
            "itself.pdf": PDFS["an object stream in itself"](),
            "packed.pdf": PDFS["a page that unpacks beyond measure"](),
            "broken.pptx": pptx()[:5000],
            "noise.pdf": b"%PDF-1.7\n" + bytes(range(256)) * 100,
        }
        for name, data in hostile.items():
            docs.write(name, data)
        with (docs.root / "huge.pdf").open("wb") as file:
            file.truncate(2 * 2**30)
        for number in range(10):
            docs.write(f"good-{number}.md", f"# Good {number}\n\nThe otter number {number}.")
        docs.write("good.pdf", pdf([["The heron is the last to come."]]))
        report = await docs.sync()
        assert report.added == 11
        assert reasons(report).keys() == {*hostile, "huge.pdf"}
        told = lines(report)
        assert all(name in told for name in hostile)
        assert await docs.by_words("heron") == ["good.pdf"]
