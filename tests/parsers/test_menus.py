"""Of a page with menus on all sides only its content is read, however its author marked it up."""

from __future__ import annotations

import pytest

from adapters.parsers.registry import ParserRegistry
from core.documents import Parsed, SourceEntry

MENU = "<ul>" + "".join(f'<li><a href="/p{n}">Entry number {n} of the menu</a></li>' for n in range(40)) + "</ul>"
TEXT = (
    "<h1>Rotating certificates</h1><p>Run the rotate job and wait for ten minutes.</p>"
    '<h2 id="roll">Rollback</h2><p>Use the <a href="/previous">previous revision</a>.</p>'
)


def read(body: str) -> Parsed:
    entry = SourceEntry("x.example/a", "1", 1, "text/html", None, "https://x.example/a")
    return ParserRegistry().parse(f"<html><title>T | Site</title><body>{body}</body></html>".encode(), entry)


@pytest.mark.parametrize(
    "body",
    [
        f"<div class='header'>{MENU}</div><div><div class='side'>{MENU}</div><div class='body'>{TEXT}</div></div>",
        f"<nav>{MENU}</nav><main><div class='md-sidebar'><nav>{MENU}</nav></div><article>{TEXT}</article></main>",
        f"<div id='content'><article>{TEXT}</article><div class='widgets'><h2>Recent</h2>{MENU}</div></div>",
        f"<table><tr><td>{MENU}</td><td>{TEXT}</td></tr></table>",
        f"<div class='cookie-banner'>We use cookies. <a href='/c'>More</a></div><div>{MENU}</div><div>{TEXT}</div>",
        f"<div id='wrap'>{MENU}<div>{MENU}{TEXT}</div></div><div id='footer'>Imprint, 12 Main Street</div>",
    ],
)
def test_menus_banners_and_frames_are_left_out(body: str) -> None:
    found = read(body)
    assert found.title == "Rotating certificates"
    assert "ten minutes" in found.text
    assert "## Rollback" in found.text
    assert "previous revision" in found.text
    for foreign in ("Entry number", "Main Street", "We use cookies"):
        assert foreign not in found.text


def test_a_short_korean_text_beside_long_menus_stays() -> None:
    text = "연차 휴가는 입사 1년 뒤부터 쓸 수 있습니다. 신청은 팀장에게 합니다."
    found = read(f"<div><div class='lnb'>{MENU}</div><div class='contents'><h3>휴가</h3><p>{text}</p></div></div>")
    assert text in found.text
    assert "Entry number" not in found.text


def test_a_page_that_is_a_list_of_links_keeps_them() -> None:
    assert read(f"<div>{MENU}</div>").text.count("Entry number") == 40
    assert read(f"<main><h1>All pages</h1>{MENU}</main>").text.count("Entry number") == 40


def test_a_list_of_links_with_words_of_its_own_is_content() -> None:
    items = "".join(
        f"<li><a href='/t{n}'>Tool {n}</a> is what we use for job number {n} of ours</li>" for n in range(9)
    )
    assert read(f"<h1>Tools</h1><p>These are the tools that we use.</p><ul>{items}</ul>").text.count("Tool ") == 9


def test_a_table_of_data_stays_a_table() -> None:
    row = "<tr><td><p>Plan A</p></td><td><p>10 euros</p></td></tr>"
    assert (
        "| Plan A | 10 euros |" in read(f"<h1>Prices</h1><table><tr><th>Plan</th><th>Price</th></tr>{row}</table>").text
    )
