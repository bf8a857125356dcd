"""What can't be read is refused with its reason, in time, and never with a library's own error."""

from __future__ import annotations

import asyncio
import io
import os
import random
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
import reportlab
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DictionaryObject, NameObject, StreamObject
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from adapters.parsers.markdown import MarkdownParser
from adapters.parsers.readability import is_garbled
from adapters.parsers.reading import DocumentReader
from adapters.parsers.registry import EXTENSIONS, ParserRegistry
from adapters.parsers.threads import in_thread
from adapters.parsers.webpage import WebpageParser
from core.documents import Parsed, SourceEntry
from core.errors import ParseError
from core.wording import SENTENCES, say
from tests.parsers.files import TEXT, docx, entry, parse, pdf, pptx, saved, xlsx, zipped

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def refusal(name: str, data: bytes, **limits: float) -> str:
    with pytest.raises(ParseError) as caught:
        parse(name, data, **limits)
    assert caught.value.user_message("ko")
    return caught.value.reason


def outcome(name: str, data: bytes) -> str:
    """The text, or the sentence that says why there is none."""
    try:
        return parse(name, data).text
    except ParseError as error:
        return error.user_message("en")


def with_a_false_map(first: str) -> bytes:
    """A PDF whose font says that its glyphs are the characters from `first` on."""
    buffer = io.BytesIO()
    pdfmetrics.registerFont(TTFont("Vera", Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"))
    canvas = Canvas(buffer)
    canvas.setFont("Vera", 11)
    for line in range(10):
        canvas.drawString(50, 700 - 20 * line, TEXT)
    canvas.save()
    writer = PdfWriter(clone_from=PdfReader(buffer))
    cmap = StreamObject()
    cmap.set_data(
        b"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <00> <FF> <%04X> endbfrange" % ord(first)
    )
    for item in writer._objects:
        if isinstance(item, DictionaryObject) and "/ToUnicode" in item:
            item[NameObject("/ToUnicode")] = writer._add_object(cmap)
    return saved(writer.write)


def damaged(data: bytes) -> bytes:
    return data[: len(data) // 2]


@pytest.mark.parametrize(
    ("name", "make", "reason"),
    [
        ("scan.pdf", lambda: pdf([[], []]), "parse.scanned"),
        ("secret.pdf", lambda: pdf([[TEXT]], password="x"), "parse.password"),
        ("private.pdf", lambda: with_a_false_map("\ue000"), "parse.garbled"),
        ("hangul.pdf", lambda: with_a_false_map("밞"), "parse.garbled"),
        ("broken.pdf", lambda: b"%PDF-1.7\nnothing", "parse.broken"),
        ("broken.docx", lambda: damaged(docx()), "parse.broken"),
        ("broken.pptx", lambda: damaged(pptx()), "parse.broken"),
        ("broken.xlsx", lambda: damaged(xlsx({"a": [["x"]]})), "parse.broken"),
        ("text.docx", lambda: b"just text", "parse.broken"),
        ("other.docx", lambda: zipped({"a.txt": b"x"}), "parse.broken"),
        ("wrong.pptx", docx, "parse.broken"),
        ("locked.xlsx", lambda: OLE + "EncryptedPackage".encode("utf-16-le"), "parse.password"),
        ("old.docx", lambda: OLE + bytes(600), "parse.convert"),
        ("empty.md", lambda: b"", "parse.empty"),
        ("blank.txt", lambda: b"\xef\xbb\xbf \r\n\x00", "parse.empty"),
        ("rule.md", lambda: b"---\n\n***\n", "parse.empty"),
        ("empty.csv", lambda: b",,\n,,\n", "parse.empty"),
        ("empty.xlsx", lambda: xlsx({"a": []}), "parse.empty"),
        ("empty.html", lambda: b"<html><body><nav>Menu</nav></body></html>", "parse.empty"),
        ("picture.png", lambda: b"\x89PNG", "parse.unsupported"),
        ("no_extension", lambda: b"text", "parse.unsupported"),
        ("noise.txt", lambda: random.Random(1).randbytes(4000), "parse.encoding"),
    ],
)  # fmt: skip
def test_each_kind_of_unreadable_file_has_its_reason(name: str, make: object, reason: str) -> None:
    assert refusal(name, make()) == reason  # type: ignore[operator]


def test_a_file_over_the_limit_is_refused_with_the_limit() -> None:
    with pytest.raises(ParseError) as caught:
        parse("a.md", b"x" * (2 * 2**20 + 1), bytes=2 * 2**20)
    assert caught.value.reason == "parse.too_large"
    assert "2 MB" in caught.value.user_message("en")


class Slow:
    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        time.sleep(0.5)
        return Parsed("t", "x")


class Odd:
    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        raise RecursionError("deep")


async def test_reading_ends_when_its_time_is_over_and_the_loop_stays_free() -> None:
    ticks = 0
    reading = asyncio.ensure_future(in_thread(lambda: Slow().parse(b"x", entry("a.md")), 0.1))
    while not reading.done():
        await asyncio.sleep(0.01)
        ticks += 1
    with pytest.raises(ParseError) as caught:
        await reading
    assert caught.value.reason == "parse.timeout"
    assert ticks >= 3


async def test_reading_gives_the_document_or_the_refusal() -> None:
    reader = DocumentReader()
    assert (await reader.read(b"# T\n\nx", entry("a.md"))).title == "T"
    with pytest.raises(ParseError):
        await reader.read(b"", entry("a.md"))


def test_whatever_a_library_raises_is_a_broken_file() -> None:
    with pytest.raises(ParseError) as caught:
        ParserRegistry(parsers={".md": Odd}).parse(b"x", entry("a.md"))
    assert caught.value.reason == "parse.broken"
    assert "deep" in caught.value.detail
    assert "deep" not in caught.value.user_message("en")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(EXTENSIONS)), st.binary(max_size=300))
def test_any_bytes_under_any_name_are_read_or_refused(extension: str, data: bytes) -> None:
    assert outcome(f"a{extension}", data)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_a_damaged_file_is_read_or_refused(at: int, chance: random.Random) -> None:
    for extension, whole in WHOLE.items():
        data = bytearray(whole)
        for _ in range(10):
            data[(at + chance.randrange(len(data))) % len(data)] = chance.randrange(256)
        assert outcome(f"a{extension}", bytes(data))


WHOLE = {".pdf": pdf([[TEXT]]), ".docx": docx(), ".xlsx": xlsx({"a": [["x", "y"], [1, 2]]})}


def test_the_registry_tells_what_it_supports() -> None:
    registry = ParserRegistry()
    assert registry.parser_for(entry("A/B.MD")) is MarkdownParser
    assert registry.parser_for(entry("https://wiki.example/page", "text/html; charset=utf-8")) is WebpageParser
    for other in (entry("a.png", "image/png"), entry(".md")):
        with pytest.raises(ParseError) as caught:
            registry.parser_for(other)
        assert caught.value.reason == "parse.unsupported"


KOREAN = "업그레이드 중에 노드 풀이 비워지지 않아서 세 시간 동안 멈춰 있었습니다. 원인은 중단 예산입니다. " * 5


@pytest.mark.parametrize(
    "text",
    [
        "".join(chr(random.Random(n).randrange(0xAC00, 0xD7A4)) for n in range(200)),
        KOREAN.encode().decode("cp1252", errors="replace"),
        TEXT * 4 + "(cid:12)(cid:13)" * 20,
        "\ue001\ue002\ue003 " * 20,
        "".join(chr((ord(c) - 97 + 7) % 26 + 97) if c.isalpha() else c for c in (TEXT.lower() + " ") * 6),
    ],
)
def test_debris_is_told_from_writing(text: str) -> None:
    assert is_garbled(text)


@pytest.mark.parametrize("text", [KOREAN, TEXT * 5, "Ports: 80, 443 ✓ → ok ★ " * 10, "é à ü ñ façade " * 20, "short"])
def test_writing_is_not_called_debris(text: str) -> None:
    assert not is_garbled(text)


def test_every_note_has_its_sentence() -> None:
    for key in (key for key in SENTENCES if key.startswith("parse.note")):
        assert say(key, "ko", detail="3")
        assert say(key, "en", detail="3")


def test_importing_the_registry_loads_no_heavy_library() -> None:
    heavy = ["pypdf", "mammoth", "pptx", "openpyxl", "bs4", "lxml", "markdownify", "semantic_text_splitter"]
    modules = "adapters.parsers.registry, adapters.parsers.splitter"
    code = f"import sys, {modules}; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ})
    assert done.stdout.strip() == "[]"


def test_zip_files_of_the_tests_are_what_they_claim() -> None:
    assert zipfile.is_zipfile(io.BytesIO(docx()))
