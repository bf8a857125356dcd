"""What goes wrong with Korean and its neighbours: a section for each row of the list of faults."""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import AsyncIterator, Sequence
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter

from adapters.sources.folder import FolderSource
from adapters.sources.jsonl import JsonLinesSource
from bots.settings import validated
from core.desk.hear import question_of
from core.retrieval.analysis import BigramAnalyzer, folded
from core.web.addresses import address
from tests.indexing.collection import FileCollection, collection, lines, reasons
from tests.parsers.attacks import pdf_of, stream
from tests.parsers.files import TEXT, parse, pdf
from tests.sources.repositories import repository
from tests.sources.site import website
from tests.sources.test_git import source as git_source
from tests.sources.test_website import source as site_source

KOREAN = "휴가 규정은 이렇습니다. 입사 첫해에는 15일을 쓸 수 있고, 남은 날은 다음 해로 넘어갑니다."
tokens = BigramAnalyzer().tokens


def nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


@pytest.fixture
async def docs(tmp_path: Path) -> AsyncIterator[FileCollection]:
    async with collection(tmp_path) as made:
        made.write("other.md", "# 다른 문서\n\n사무실 화분에는 물을 자주 준다.")
        yield made


# --- a noun never matches the noun with its particle ------------------------------------------------

NOUNS = ("휴가", "규정", "인증서", "노드", "쿠버네티스", "배포", "Redis", "AKS", "2단계", "컵")
PARTICLES = (
    "는",
    "은",
    "이",
    "가",
    "을",
    "를",
    "의",
    "에",
    "에는",
    "에서",
    "으로",
    "부터",
    "까지",
    "보다",
    "처럼",
    "도",
    "과",
)


@pytest.mark.parametrize("noun", NOUNS)
def test_a_noun_shares_a_token_with_itself_under_every_particle(noun: str) -> None:
    for particle in PARTICLES:
        assert set(tokens(noun)) & set(tokens(noun + particle)), particle


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("휴가는 15일이다.", "휴가"),
        ("휴가 15일을 쓴다.", "휴가를"),
        ("연차휴가규정을 고쳤다.", "휴가 규정"),
        ("휴가 규정을 고쳤다.", "휴가규정에서는"),
        ("Redis를 다시 시작한다.", "redis"),
        ("redis 다시 시작.", "Redis에서"),
        ("AKS업그레이드가 멈췄다.", "AKS 업그레이드"),
        ("컵은 선반에 있다.", "컵"),
        ("회의를 옮겼다.", "회의"),
        ("결과 보고", "결과는?"),
        ("평가 제도", "평가가 제도를"),
        ("인증서로 로그인한다.", "인증서를 어떻게 바꾸나요?"),
    ],
)
async def test_what_is_written_with_another_particle_or_blank_is_found_by_words(
    docs: FileCollection, written: str, asked: str
) -> None:
    docs.write("a.md", f"# 제목\n\n{written}")
    await docs.sync()
    assert (await docs.by_words(asked))[:1] == ["a.md"]


# --- a pattern of a-z gives Korean no tokens at all -------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "휴가",
        "ㅋㅋㅋ",
        "연차ㅠ",
        "ひらがな",
        "カタカナ",
        "漢字",
        "отпуск",
        "ελληνικά",
        "עברית",
        "العربية",
        "हिन्दी",
        "ไทย",
        "naïve",
    ],
)
def test_every_script_has_tokens(text: str) -> None:
    assert tokens(text)


@given(st.text(st.characters(categories=["Lu", "Ll", "Lo", "Nd"]), min_size=1))
def test_no_letter_is_without_a_token(text: str) -> None:
    plain = folded(text)
    assert tokens(text) or plain.isascii() or not any(map(str.isalnum, plain))  # "A" is a word without meaning


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＡＫＳ　ｕｐｇｒａｄｅ", "AKS upgrade"),
        ("１２３번", "123번"),
        ("ﾃﾞｰﾀﾍﾞｰｽ", "データベース"),
        ("ﾡﾢ", unicodedata.normalize("NFKC", "ﾡﾢ")),
        ("⼤⼩", "大小"),
        ("㈜루모", "(주)루모"),
        ("①단계", "1단계"),
        ("휴\u200d가", "휴가"),
        ("휴\u200b가", "휴가"),
        ("휴\u00ad가", "휴가"),
        ("휴\u2060가\ufe0f", "휴가"),
        ("ofﬁce", "office"),
        ("Ⅳ장", "IV장"),
        ("café", "cafe"),
        ("Straße", "strasse"),
        (nfd("휴가를"), "휴가를"),
        (nfd("データ"), "データ"),
    ],
)
def test_one_word_in_two_ways_of_writing_has_the_same_tokens(one: str, other: str) -> None:
    assert tokens(one) == tokens(other)


@given(st.text())
def test_folding_twice_changes_no_token(text: str) -> None:
    assert tokens(folded(text)) == tokens(text)


async def test_full_width_and_decomposed_words_of_a_document_are_found_and_shown_as_written(
    docs: FileCollection,
) -> None:
    docs.write("a.md", "# ＡＫＳ\n\nＡＫＳ　업그레이드는 ３시간 걸렸다.")
    await docs.sync()
    assert await docs.by_words(nfd("AKS 업그레이드 3시간")) == ["a.md"]
    assert "ＡＫＳ 업그레이드는 ３시간 걸렸다." in [passage.text for passage in await docs.passages("a.md")]


# --- a Korean PDF is garbled: text by number of glyph -----------------------------------------------


def typed(codes: Sequence[int], encoding: str, ordering: str = "Korea1", pages: int = 1) -> bytes:
    """A PDF that shows these two-byte codes by a font of that encoding, without a map to Unicode."""
    shown = b"".join(b"%04X" % code for code in codes)
    content = b"".join(b"BT /F1 12 Tf 50 %d Td <%b> Tj ET\n" % (780 - 20 * line, shown) for line in range(10))
    kids = b" ".join(b"3 0 R" for _ in range(pages))
    return pdf_of(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, pages),
            3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R"
            b" /Resources << /Font << /F1 5 0 R >> >> >>",
            4: stream(content),
            5: b"<< /Type /Font /Subtype /Type0 /BaseFont /Batang /Encoding /%b /DescendantFonts [6 0 R] >>"
            % encoding.encode(),
            6: b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Batang /DW 1000 /CIDSystemInfo"
            b" << /Registry (Adobe) /Ordering (%b) /Supplement 0 >> >>" % ordering.encode(),
        }
    )


SENTENCE = "노드풀이비워지지않아서세시간동안멈춰있었습니다"


@pytest.mark.parametrize("encoding", ["UniKS-UTF16-H", "UniKS-UTF16-V", "UniKS-UCS2-H"])
def test_korean_pdfs_in_unicode_encodings_are_read(encoding: str) -> None:
    assert SENTENCE in parse("a.pdf", typed([ord(char) for char in SENTENCE], encoding)).text


@pytest.mark.parametrize("encoding", ["KSCms-UHC-H", "KSC-EUC-H", "KSCms-UHC-HW-H", "Identity-H"])
async def test_korean_pdfs_in_older_encodings_are_warned_of_and_never_indexed(
    docs: FileCollection, encoding: str
) -> None:
    codes = [int.from_bytes(char.encode("cp949"), "big") for char in SENTENCE]
    docs.write("보고서.pdf", typed(codes, encoding))
    report = await docs.sync()
    assert reasons(report) == {"보고서.pdf": "parse.garbled"}
    assert "OCR" in lines(report)
    assert await docs.passages("보고서.pdf") == []


# --- a font without a map to Unicode: wrong Hangul --------------------------------------------------


@pytest.mark.parametrize("encoding", ["Identity-H", "UniKS-UTF16-H", "KSCms-UHC-H"])
@pytest.mark.parametrize(
    ("lowest", "highest"), [(3, 800), (1086, 3435), (8164, 17_000), (20_000, 40_000), (0xAC00, 0xD7A0)]
)
async def test_numbers_of_glyphs_are_never_taken_for_letters(
    docs: FileCollection, encoding: str, lowest: int, highest: int
) -> None:
    chance = random.Random(lowest)
    docs.write("a.pdf", typed([chance.randrange(lowest, highest) for _ in range(30)], encoding))
    assert reasons(await docs.sync()) == {"a.pdf": "parse.garbled"}


async def test_a_garbled_page_of_a_good_document_is_named_and_the_rest_goes_in(docs: FileCollection) -> None:
    writer = PdfWriter()
    chance = random.Random(5)
    bad = typed([chance.randrange(1086, 3435) for _ in range(30)], "Identity-H")
    for data in (pdf([[KOREAN] * 20], korean=True), bad, pdf([[TEXT] * 20])):
        for page in PdfReader(BytesIO(data)).pages:
            writer.add_page(page)
    buffer = BytesIO()
    writer.write(buffer)
    docs.write("a.pdf", buffer.getvalue())
    report = await docs.sync()
    assert reasons(report) == {"a.pdf": "parse.note_pages_garbled"}
    assert lines(report).rstrip(".").endswith("2")
    assert {passage.page for passage in await docs.passages("a.pdf")} == {1, 3}


# --- nothing is normalised anywhere: keys split -----------------------------------------------------

NAME, WORDS = "규정/휴가 café.md", "# 휴가 규정\n\n휴가는 데이터처럼 모인다."


async def test_a_file_name_from_a_mac_is_the_same_document_as_from_elsewhere(docs: FileCollection) -> None:
    docs.write(nfd(NAME), nfd(WORDS))
    await docs.sync()
    before = [passage.id for passage in await docs.passages(NAME)]
    assert before
    (docs.root / nfd(NAME)).unlink()
    docs.write(NAME, WORDS)
    report = await docs.sync()
    assert (report.added, report.removed) == (0, 0)
    assert [passage.id for passage in await docs.passages(NAME)] == before


@pytest.mark.parametrize("form", ["NFC", "NFD"])
async def test_a_question_finds_the_document_whichever_of_them_a_mac_has_typed(docs: FileCollection, form: str) -> None:
    docs.write("a.md", unicodedata.normalize("NFC" if form == "NFD" else "NFD", "# 휴가\n\n휴가는 15일이다."))
    await docs.sync()
    assert await docs.by_words(question_of(unicodedata.normalize(form, "휴가"))) == ["a.md"]
    assert question_of(nfd("휴가는 며칠인가요?")) == "휴가는 며칠인가요?"


async def test_front_matter_headings_and_notes_are_composed(docs: FileCollection) -> None:
    docs.write("a.md", nfd("---\ntitle: 휴가 안내\n작성일: 2025-03-04\n---\n## 첫째 절\n\n본문이다."))
    await docs.sync()
    (passage,) = await docs.passages("a.md")
    assert (passage.title, passage.heading_path, passage.text) == ("휴가 안내", ("첫째 절",), "본문이다.")
    assert str(passage.date) == "2025-03-04"
    assert passage.anchor == "첫째-절"


@pytest.mark.parametrize(("pattern", "name"), [("규정/**", nfd("규정/휴가.md")), (nfd("규정/**"), "규정/휴가.md")])
async def test_patterns_choose_names_in_either_form(tmp_path: Path, pattern: str, name: str) -> None:
    for each in (name, "other.md"):
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).write_text("text")
    listing = await FolderSource(tmp_path, include=(pattern,)).list()
    assert [entry.id for entry in listing.entries] == ["규정/휴가.md"]
    rest = await FolderSource(tmp_path, exclude=(pattern,)).list()
    assert [entry.id for entry in rest.entries] == ["other.md"]


@pytest.mark.parametrize(("there", "written"), [(nfd("문서"), "문서"), ("문서", nfd("문서"))])
async def test_a_folder_and_a_file_of_lines_are_found_in_either_form(tmp_path: Path, there: str, written: str) -> None:
    (tmp_path / there / "a.md").parent.mkdir()
    (tmp_path / there / "a.md").write_text("text")
    (tmp_path / there / f"{there}.jsonl").write_text(json.dumps({"id": "x", "text": "text"}))
    folder = FolderSource(tmp_path / written, include=("*.md",))
    listing = await folder.list()
    assert [entry.id for entry in listing.entries] == ["a.md"]
    assert await folder.fetch(listing.entries[0]) == b"text"
    found = JsonLinesSource(tmp_path / written / f"{written}.jsonl")
    assert await found.fetch((await found.list()).entries[0]) == b"text"


async def test_the_id_of_a_line_is_the_same_in_either_form(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    ids = []
    for id_ in ("휴가 규정", nfd("휴가 규정")):
        path.write_text(json.dumps({"id": id_, "text": "text"}))
        ids += [entry.id for entry in (await JsonLinesSource(path).list()).entries]
    assert ids == ["휴가 규정"] * 2
    path.write_text("\n".join(json.dumps({"id": id_, "text": "text"}) for id_ in ("휴가", nfd("휴가"))))
    assert len((await JsonLinesSource(path).list()).problems) == 1


@pytest.mark.parametrize("form", ["NFC", "NFD"])
async def test_paths_of_a_repository_are_composed_and_its_subfolder_is_found(tmp_path: Path, form: str) -> None:
    made = repository(tmp_path / "r", {unicodedata.normalize(form, "문서/휴가.md"): "text", "other.md": "x"})
    for subfolder in ("문서", nfd("문서")):
        source = git_source(str(made.path), tmp_path, subfolder=subfolder)
        (entry,) = (await source.list()).entries
        assert entry.id == "휴가.md"
        assert await source.fetch(entry) == b"text"


async def test_an_address_is_one_page_however_its_name_is_encoded(tmp_path: Path) -> None:
    spellings = ["/" + quote("휴가"), "/" + quote(nfd("휴가")), "/휴가", "/" + quote("휴가").lower()]
    keys = {found.key for each in spellings if (found := address("https://x.example" + each)) is not None}
    assert len(keys) == 1
    async with website() as site:
        site.page("/", *spellings)
        for form in ("휴가", nfd("휴가")):
            site.page("/" + quote(form), text="휴가 안내")
        listing = await site_source(site.url, tmp_path).list()
    assert len(listing.entries) == 2  # the start, and the page


def test_titles_and_hints_of_the_settings_are_composed(tmp_path: Path) -> None:
    raw = {"collections": [{"name": "a", "source": f"folder:{tmp_path}", "title": nfd("규정"), "hint": nfd("휴가")}]}
    (found,) = validated(raw, "x").collections
    assert (found.title, found.hint) == ("규정", "휴가")


# --- siblings: other encodings, line ends, formats --------------------------------------------------


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.html"])
@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "cp949", "euc_kr", "johab", "iso2022_kr", "utf-16", "utf-16-le", "utf-16-be", "utf-32"],
)
def test_korean_is_read_in_whatever_it_was_saved(name: str, encoding: str) -> None:
    plain = KOREAN.replace(",", "")
    text = {"a.csv": f"제목,내용\n휴가,{plain}\n", "a.html": f"<html><body><p>{plain}</p></body></html>"}.get(
        name, plain
    )
    parsed = parse(name, text.encode(encoding))
    assert plain in parsed.text
    assert bool(parsed.notes) == (not encoding.startswith("utf") and name != "a.html")


def test_a_file_of_two_encodings_is_read_line_by_line_and_said_so() -> None:
    parsed = parse("log.txt", KOREAN.encode() + b"\n" + KOREAN.encode("cp949") + b"\r\n" + b"plain\n" + KOREAN.encode())
    assert parsed.text.count(KOREAN) == 3
    assert parsed.notes == ("parse.note_encoding utf-8/cp949",)


def test_a_page_that_lies_about_its_encoding_is_read() -> None:
    for said, real in (("utf-8", "cp949"), ("euc-kr", "utf-8"), ("iso-8859-1", "cp949"), ("x-nonsense", "cp949")):
        page = f'<html><head><meta charset="{said}"></head><body><p>{KOREAN}</p></body></html>'
        assert KOREAN in parse("a.html", page.encode(real)).text


def test_mixed_line_ends_are_lines() -> None:
    data = "# 제목\r\n\r\n하나\r둘\n셋\u2028넷\x85다섯\x0b여섯".encode()
    assert parse("a.md", data).text == "# 제목\n\n하나\n둘\n셋\n넷\n다섯\n여섯"


@pytest.mark.parametrize("mark", ["\ufeff", "\ufeff\ufeff", "\u200b"])
def test_a_mark_before_the_first_letter_hides_no_heading_field_or_column(mark: str) -> None:
    assert parse("a.md", mark + "# 제목\n\n본문").title == "제목"
    assert parse("a.md", mark + "---\ntitle: 제목\n---\n본문").title == "제목"
    assert parse("a.csv", mark + "이름,부서\n김민수,총무\n").text == "- 이름: 김민수; 부서: 총무"


@pytest.mark.parametrize(
    "name", ["규정.hwp", "규정.HWPX", "old.doc", "old.xls", "old.ppt", "a.rtf", "a.odt", "a.pages"]
)
async def test_a_format_that_is_not_read_is_refused_with_the_remedy(docs: FileCollection, name: str) -> None:
    docs.write(name, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    report = await docs.sync()
    assert reasons(report) == {name: "parse.convert"}
    assert name in lines(report)
    assert "PDF" in lines(report)


async def test_many_files_of_such_formats_are_one_line_with_the_remedy(docs: FileCollection) -> None:
    for number in range(40):
        docs.write(f"{number}.hwp", b"x")
    docs.write("a.png", b"x")
    told = lines(await docs.sync())
    assert told.count("\n") == 0
    assert ".hwp 40" in told
    assert "PDF or DOCX" in told


def test_emoji_and_joined_signs_stay_whole() -> None:
    text = "휴가 👩‍💻 신청 ✈️ 완료"
    assert "👩‍💻" in parse("a.md", text).text


def test_titles_of_jamo_and_hanja_stay_as_they_are() -> None:
    assert parse("a.md", "# ㄱㄴㄷ 순서\n\n大韓民國 헌법").title == "ㄱㄴㄷ 순서"
