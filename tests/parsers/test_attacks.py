"""Files made to do harm are really read here: each fails alone or is read, in time, and nothing is left behind."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest

from adapters.parsers.archives import open_office
from adapters.parsers.limits import MB, Limits
from adapters.parsers.pdf import PdfParser
from adapters.parsers.reading import SHORT, DocumentReader
from adapters.parsers.registry import ParserRegistry
from adapters.parsers.shallow import DEEPEST, shallow
from adapters.parsers.splitter import MarkdownSplitter
from core.documents import Parsed
from core.errors import ParseError
from core.indexing.passages import Origin, prepare
from core.indexing.text import sentences
from tests.parsers.attacks import (
    LAUGHS,
    OFFICE,
    PAGES,
    PDFS,
    QUADRATIC,
    claiming,
    external,
    lying,
    nested_tables,
    overlapping,
    repeated_strings,
    with_member,
)
from tests.parsers.files import TEXT, docx, entry, parse, pdf, xlsx, zipped

LIMITS = Limits(seconds=3, memory=400 * MB)


@pytest.fixture
async def reader() -> AsyncIterator[DocumentReader]:
    async with DocumentReader(LIMITS) as opened:
        yield opened


async def outcome(reader: DocumentReader, name: str, data: bytes) -> str:
    """The text, or the reason why there is none."""
    assert len(data) < 4 * MB, "an attack is small"
    started = time.monotonic()
    try:
        return (await reader.read(data, entry(name))).text
    except ParseError as error:
        return error.reason if error.user_message("en") else "unsaid"
    finally:
        assert time.monotonic() - started < 60


async def still_reads(reader: DocumentReader) -> None:
    assert (await reader.read(pdf([[TEXT]]), entry("good.pdf"))).text == TEXT


# --- archives ---------------------------------------------------------------------------------------

KINDS = sorted(OFFICE)


@pytest.mark.parametrize("kind", KINDS)
async def test_an_archive_that_swells_is_refused_before_it_is_unpacked(reader: DocumentReader, kind: str) -> None:
    make, (part, *_) = OFFICE[kind]
    attacks = {
        "by what it says": claiming(make(), 2**30),
        "by how it is packed": with_member(make(), "word/more.xml", b" " * 40 * MB),
        "by more than it says": lying(with_member(make(), part, b" " * 20 * MB), part, 100),
        "by the number of its files": zipped({f"{number}.xml": b"" for number in range(10_001)}),
        "by one file that counts many times": overlapping(3000),
    }
    for name, data in attacks.items():
        assert await outcome(reader, f"{name}.{kind}", data) == "parse.bomb", name
    await still_reads(reader)


async def test_an_archive_in_an_archive_is_not_opened(reader: DocumentReader) -> None:
    inner = zipped({"word/document.xml": bytes(100 * MB)})
    assert "What happened" in await outcome(reader, "a.docx", with_member(docx(), "word/embeddings/a.docx", inner))


def test_real_office_files_are_far_from_every_limit() -> None:
    rows = [["same words again", "x", 1, 2, 3]] * 5000
    open_office(xlsx({"a": rows}))
    for make, _ in OFFICE.values():
        open_office(make())


# --- XML --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("kind", KINDS)
async def test_entities_in_office_files_are_never_resolved(
    reader: DocumentReader, kind: str, encoding: str, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret of this machine")
    connections = 0

    async def count(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        writer.close()

    server = await asyncio.start_server(count, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/x"
    async with server:
        make, parts = OFFICE[kind]
        for part in parts:
            for xml in (LAUGHS, QUADRATIC, external(secret.as_uri()), external(address)):
                data = with_member(make(), part, xml.encode(encoding))
                assert await outcome(reader, f"a.{kind}", data) == "parse.bomb", part
    assert connections == 0


async def test_an_entity_that_is_declared_late_is_seen(reader: DocumentReader) -> None:
    for blanks in range(2**16 - 12, 2**16 + 4):  # the declaration lies across the seam of two pieces
        data = with_member(docx(), "word/document.xml", b"<!--" + b" " * blanks + b"-->" + LAUGHS[21:].encode())
        with pytest.raises(ParseError) as caught:
            open_office(data)
        assert caught.value.reason == "parse.bomb"


async def test_entities_of_a_web_page_stay_what_they_are(reader: DocumentReader, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("the secret of this machine")
    for xml in (LAUGHS, external((tmp_path / "secret.txt").as_uri())):
        page = xml.replace("<x>", "<html><body><p>a page of words ").replace("</x>", "</p></body></html>")
        for name in ("a.html", "a.xhtml"):
            text = await outcome(reader, name, page.encode())
            assert "a page of words" in text
            assert "secret" not in text
            assert len(text) < 200


# --- PDF --------------------------------------------------------------------------------------------


async def test_pdf_loops_and_bombs_fail_alone_or_are_read(reader: DocumentReader) -> None:
    found = {name: await outcome(reader, f"{name}.pdf", make()) for name, make in PDFS.items()}
    assert {name for name, text in found.items() if text == "parse.bomb"} >= {
        "a page that unpacks beyond measure",
        "a page packed twice",
        "a map of four billion signs",
    }
    for name in ("a claim of two billion pages", "a drawing in itself", "a table that comes before itself"):
        assert found[name] == "A page about something quite ordinary.", name
    assert found["pages without end"] in ("parse.bomb", "parse.timeout", "parse.memory")
    await still_reads(reader)


async def test_an_encrypted_pdf_says_so(reader: DocumentReader) -> None:
    assert await outcome(reader, "a.pdf", pdf([[TEXT]], password="x")) == "parse.password"


def test_what_a_library_refuses_as_too_much_is_said_so() -> None:
    with pytest.raises(ParseError) as caught:
        PdfParser().parse(PDFS["a page packed twice"](), entry("a.pdf"))
    assert caught.value.reason == "parse.bomb"


# --- deep and endless -------------------------------------------------------------------------------


HOPELESS = ("deep lists", "deep tables")


async def test_deep_and_endless_pages_are_read() -> None:
    async with DocumentReader(Limits(seconds=60)) as reader:
        for name in PAGES.keys() - HOPELESS:
            assert "deep" in await outcome(reader, f"{name}.html", PAGES[name].encode()), name


async def test_a_page_that_takes_too_long_fails_alone() -> None:
    async with DocumentReader(Limits(seconds=1)) as reader:
        for name in HOPELESS:
            assert await outcome(reader, f"{name}.html", PAGES[name].encode()) in ("parse.timeout", "parse.broken")


async def test_deep_and_repetitive_office_files_fail_alone(reader: DocumentReader) -> None:
    for name, data in {"a.docx": nested_tables(5000), "b.xlsx": repeated_strings(100_000, 100_000)}.items():
        assert await outcome(reader, name, data) in (
            "parse.broken",
            "parse.memory",
            "parse.long",
            "parse.bomb",
            "parse.crashed",
        )
    await still_reads(reader)


def test_a_page_that_people_made_stays_as_it_is() -> None:
    page = "<html><body>" + "<ul><li>one<ul><li>two</ul></ul>" * 500 + "<p>unclosed" * 500 + "</body></html>"
    assert shallow(page) == page


def test_words_and_shallow_tags_of_a_deep_page_stay() -> None:
    page = "<h1>Title</h1>" + "<div>" * (DEEPEST + 50) + "one" + "</div>" * (DEEPEST + 50) + "<h2>After</h2><p>two</p>"
    found = shallow(page)
    assert found.startswith("<h1>Title</h1><div>")
    assert found.endswith("<h2>After</h2><p>two</p>")
    assert "one" in found
    assert found.count("<div>") == found.count("</div>") == DEEPEST


def test_a_long_name_of_a_column_makes_no_huge_text() -> None:
    data = "h" * 100_000 + ",b\n" + "1,2\n" * 14_000
    assert len(parse("a.csv", data).text) < 20 * len(data)


# --- text in this process ---------------------------------------------------------------------------

UNITS = [
    *("`", "*", "_", "**a", "[", "](", "[a](", "![", "<", "<!--", "<!-- ", "-->", "> ", "# ", "#", "- ", "1. ", "\t"),
    *("```\n", "~~~\n", "|", "| a ", "|-", "\\", "{#", "{ #a }", "---\n", "+++\n", "a: ", "&a;", "&#", "a.b@", "://"),
    *(
        " ",
        "\n",
        " \n",
        "\r",
        "\x00",
        "\u200b",
        "ᄀ",
        "\u0301",
        "가",
        "2020-",
        "2020. ",
        "20년 ",
        "q1 ",
        "may ",
        "(",
        "a. ",
    ),
    *(
        "<h1>",
        "<h1 ",
        "<a ",
        "=\n",
        "-\n",
        "a\n=\n",
        "e.g. ",
        ". ",
        "['",
        '"',
        "import a from '",
        "__a",
        "- - ",
        "  - ",
    ),
]


def taken(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


@pytest.mark.parametrize("name", ["a.md", "a.csv"])
def test_short_text_takes_no_time_whatever_stands_in_it(name: str) -> None:
    """It is read in this process, where nothing could end it: parser, splitter, passages, sentences."""

    def through(text: str) -> None:
        try:
            parsed = ParserRegistry().parse(text.encode("utf-8", "replace"), entry(name))
        except ParseError:
            return
        _after(parsed)

    size = SHORT // 16  # what takes the square of its length takes a second here, and minutes at full length
    for unit in UNITS:
        many = unit * (size // len(unit.encode()))
        for text in (many, "word " + many):
            work = partial(through, text)
            assert taken(work) < 0.6 or taken(work) < 0.6, unit


def _after(parsed: Parsed) -> None:
    """What every document goes through in this process once it is text."""
    pieces = MarkdownSplitter().split(parsed)
    prepared = prepare(Origin("docs", entry("a.md"), "0" * 64, "1"), parsed, pieces)
    for passage in prepared.passages:
        sentences(passage.text)
