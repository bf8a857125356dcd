"""Every format becomes Markdown with a title, and keeps what a footnote needs."""

from __future__ import annotations

import unicodedata
from datetime import date

import pytest

from core.documents import PageMark, TimeSpan
from core.indexing.text import sentences
from tests.parsers.files import TEXT, docx, parse, pdf, pptx, xlsx

# --- Markdown ---------------------------------------------------------------------------------------


def test_front_matter_is_used_and_taken_off() -> None:
    parsed = parse(
        "ops/aks.md",
        '---\ntitle: "AKS: 업그레이드 보고서" # draft\ndate: 2025-10-14\ntags:\n  - aks\n---\n# Other\n\nText.\n',
    )
    assert parsed.title == "AKS: 업그레이드 보고서"
    assert parsed.date == date(2025, 10, 14)
    assert parsed.text == "# Other\n\nText."


def test_what_was_updated_last_is_the_date() -> None:
    assert parse("a.md", "---\ndate: 2024-01-02\nupdated: 2025-03-04\n---\nx").date == date(2025, 3, 4)
    assert parse("a.md", "+++\ntitle = 'T'\nlastmod = 2025-03-04T10:00:00Z\n+++\nx").date == date(2025, 3, 4)


def test_front_matter_that_is_not_quite_yaml_still_gives_its_title() -> None:
    parsed = parse("a.md", "---\ntitle: What: a day @ work\nbad\n\tx: [1,\ndescription: >\n  long\n  text\n---\nBody.")
    assert (parsed.title, parsed.text) == ("What: a day @ work", "Body.")


@pytest.mark.parametrize("text", ["---\n\nText\n\n---\n\nMore", "---\ntitle: never closed\n\ntext", "--- a\nb"])
def test_a_rule_at_the_top_is_no_front_matter(text: str) -> None:
    assert parse("a.md", text).text == text


def test_the_title_is_the_first_heading_without_markup_else_the_name() -> None:
    assert parse("a.md", "# **Helm** `install` { #helm }\n\nx").title == "Helm install"
    assert parse("a.md", "## Only a section\n\nx").title == "a"
    assert parse("runbooks/aks-node_pool.md", "x").title == "aks node pool"


def test_comments_go_but_not_from_code_and_mdx_imports_go() -> None:
    parsed = parse(
        "a.mdx", "import X from 'x'\n\nA<!-- hidden\nnote -->B\n\n```html\n<!-- shown -->\nimport y from 'y'\n```\n"
    )
    assert parsed.text == "AB\n\n```html\n<!-- shown -->\nimport y from 'y'\n```"


def test_a_release_page_covers_its_year_and_a_dated_report_does_not() -> None:
    year = TimeSpan(date(2025, 1, 1), date(2025, 12, 31))
    assert parse("release-notes-2025.md", "# Release notes 2025\n\nx").period == year
    report = parse("2025-10-14-aks.md", "# AKS upgrade\n\nx")
    assert (report.date, report.period) == (date(2025, 10, 14), None)


def test_names_and_text_are_composed() -> None:
    name, text = (unicodedata.normalize("NFD", part) for part in ("휴가규정.md", "휴가는 15일이다."))
    parsed = parse(name, text)
    assert (parsed.title, parsed.text) == ("휴가규정", "휴가는 15일이다.")


# --- HTML -------------------------------------------------------------------------------------------

PAGE = """<!doctype html><html><head><title>휴가 규정 | Lumo Wiki</title><meta name="date" content="2025-02-03">
<style>p {color: red}</style></head><body><header>Lumo Wiki <a href="/">Home</a></header>
<nav><ul><li>Menu item</li></ul></nav><main><h2 id="days">휴가 일수<a class="headerlink" href="#days">¶</a></h2>
<p>입사 첫해에는 <b>15일</b>이다. <a href="https://x.example/a">자세히</a> <a href="/rel">안내</a></p>
<ul><li>하나<ul><li>둘</li></ul></li></ul>
<table><tr><th>구분</th><th>일수</th></tr><tr><td>snake_case</td><td>15</td></tr></table>
<pre><code class="language-sh">kubectl get pods
  # all</code></pre><img src="x.png" alt="A chart"><script>alert(1)</script></main>
<footer>© Lumo</footer></body></html>"""


def test_html_keeps_the_main_content_as_markdown() -> None:
    parsed = parse("leave.html", PAGE)
    assert (parsed.title, parsed.date) == ("휴가 규정", date(2025, 2, 3))
    assert "## 휴가 일수 { #days }" in parsed.text
    assert "입사 첫해에는 **15일**이다. [자세히](https://x.example/a) 안내" in parsed.text
    assert "- 하나\n  - 둘" in parsed.text
    assert "| snake_case | 15 |" in parsed.text
    assert "```sh\nkubectl get pods\n  # all\n```" in parsed.text
    for gone in ("Menu item", "©", "alert", "color", "¶", "Home"):
        assert gone not in parsed.text


def test_a_tiny_page_without_a_main_part_is_read_whole() -> None:
    parsed = parse("a.html", "<title>T - Site</title><body><h1>Hours</h1><p>Open 9 to 5.</p></body>")
    assert (parsed.title, parsed.text) == ("Hours", "# Hours\n\nOpen 9 to 5.")


def test_a_korean_page_in_its_declared_encoding() -> None:
    data = '<html><head><meta charset="euc-kr"><title>안내</title></head><body><p>똠방각하 휴가 안내</p></body></html>'
    assert parse("a.html", data.encode("cp949")).text == "똠방각하 휴가 안내"


def test_xhtml_and_a_page_of_one_word() -> None:
    head = '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
    assert parse("a.xhtml", head + "<body><p>여기</p></body></html>").text == "여기"
    assert parse("a.html", "notes.txt").text == "notes.txt"


def test_a_page_wrapped_in_a_form_and_a_false_main_keep_their_content() -> None:
    words = "<p>Words that matter a lot. </p>" * 20
    assert "matter" in parse("a.html", f"<body><form><h1>T</h1>{words}<button>Send</button></form></body>").text
    assert "matter" in parse("a.html", f"<body><main>Loading</main><div>{words}</div></body>").text


# --- PDF --------------------------------------------------------------------------------------------


def test_pdf_pages_are_marked_and_hyphens_healed() -> None:
    parsed = parse("report.pdf", pdf([["Infor-", "mation about pods."], [TEXT]], title="AKS report"))
    assert parsed.title == "AKS report"
    assert parsed.text == f"Information about pods.\n\n{TEXT}"
    assert parsed.pages == (PageMark(0, 1), PageMark(25, 2))


def test_korean_pdf() -> None:
    parsed = parse("보고서.pdf", pdf([["업그레이드 보고서", "노드 풀이 비워지지 않았습니다."]], korean=True))
    assert parsed.text == "업그레이드 보고서\n노드 풀이 비워지지 않았습니다."


def test_running_headers_and_page_numbers_go_and_a_number_sign_is_no_heading() -> None:
    parsed = parse(
        "a.pdf", pdf([["Lumo internal", f"Part {word}. {TEXT}", f"{n} / 5"] for n, word in enumerate("abcde", 1)])
    )
    assert "Lumo internal" not in parsed.text
    assert "/ 5" not in parsed.text
    assert parsed.text.count(TEXT) == 5
    assert parse("b.pdf", pdf([["# rm -rf", TEXT]])).text.startswith("\\# rm")


def test_empty_pages_are_named_and_keep_their_numbers() -> None:
    parsed = parse("a.pdf", pdf([[TEXT], [], [TEXT]]))
    assert parsed.notes == ("parse.note_pages_empty 2",)
    assert [mark.page for mark in parsed.pages] == [1, 3]


# --- Office -----------------------------------------------------------------------------------------


def test_docx_keeps_headings_lists_and_tables() -> None:
    parsed = parse("aks.docx", docx())
    assert parsed.title == "AKS 업그레이드 보고서"
    assert parsed.text.startswith(f"# AKS 업그레이드 보고서\n\n# What happened\n\n{TEXT}\n\n- First step")
    assert "| Port | Use |\n| --- | --- |\n| 443 | TLS |" in parsed.text


def test_slides_are_pages_with_their_titles_and_notes() -> None:
    parsed = parse("deck.pptx", pptx())
    assert parsed.title == "Roadmap 2026"
    assert "## Roadmap 2026\n\n- Faster answers\n- Korean decks\n\nSpeak slowly here." in parsed.text
    assert "## 비용\n\n| 항목 | 금액 |\n| --- | --- |\n| 서버 | 300만 원 |" in parsed.text
    assert [mark.page for mark in parsed.pages] == [1, 2]
    assert parsed.period == TimeSpan(date(2026, 1, 1), date(2026, 12, 31))


def test_sheets_are_sections_and_rows_stand_on_their_own() -> None:
    rows = [["서비스", "포트", "Since"], ["web", 443.0, date(2025, 1, 2)], [None, None, None], ["db", 5432, None]]
    parsed = parse("ports.xlsx", xlsx({"Ports": rows, "Empty": [], "Loose": [[1, 2.5], [3, True]]}))
    assert parsed.text == (
        "## Ports\n\n- 서비스: web; 포트: 443; Since: 2025-01-02\n- 서비스: db; 포트: 5432\n\n"
        "## Loose\n\n| 1 | 2.5 |\n| 3 | TRUE |"
    )


# --- text -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_rows_become_records_whatever_the_delimiter(delimiter: str) -> None:
    lines = [["Code", "Meaning"], ["LF-2001", '"Disk, full; or gone"'], ["LF-2002", "두 줄"]]
    parsed = parse("codes.csv", "\n".join(delimiter.join(line) for line in lines))
    assert sentences(parsed.text) == ["Code: LF-2001; Meaning: Disk, full; or gone", "Code: LF-2002; Meaning: 두 줄"]


def test_a_csv_cell_may_hold_lines() -> None:
    assert parse("a.csv", 'a,b\n1,"x\ny"\n').text == "- a: 1; b: x y"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "휴가 규정 – café"),
        ("utf-8-sig", "휴가 규정"),
        ("cp949", "휴가 규정은 이렇다. 똠방각하도 읽는다."),
        ("cp1252", "The café is naïve about “Ärger” and costs 5 €."),
        ("utf-16", "휴가 규정"),
        ("utf-16-le", "Plain English without any mark at all."),
    ],
)
def test_text_in_any_encoding(encoding: str, text: str) -> None:
    assert parse("a.txt", text.encode(encoding)).text == text


def test_one_bad_byte_does_not_cost_a_file_its_reading() -> None:
    parsed = parse("a.txt", "휴가 규정은 이렇다. ".encode() * 20 + b"\xff end")
    assert parsed.text.startswith("휴가 규정은 이렇다. 휴가")


def test_control_characters_go() -> None:
    assert parse("a.txt", "a\x00b\x07c\x1b[31m\r\nd").text == "abc[31m\nd"


def test_a_guessed_encoding_is_noted_and_a_lone_first_line_is_the_title() -> None:
    parsed = parse("a.txt", "휴가 규정\n\n본문이다.".encode("cp949"))
    assert (parsed.title, parsed.notes) == ("휴가 규정", ("parse.note_encoding cp949",))
