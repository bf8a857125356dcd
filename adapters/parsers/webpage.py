"""HTML pages: the main content as Markdown, without navigation, scripts and footers.

`to_markdown` also serves formats that arrive by way of HTML.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from adapters.parsers.decoding import decode
from adapters.parsers.draft import Draft, finish
from adapters.parsers.shallow import shallow
from core.documents import Parsed, SourceEntry
from core.indexing.text import normalise

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_CHARSET = re.compile(rb"<(?:meta|\?xml)[^>]+?(?:charset|encoding)\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_NEVER_CONTENT = (
    "script, style, noscript, template, iframe, object, embed, svg, canvas, nav, aside, dialog, form, button, select,"
    " input, [hidden], [aria-hidden=true], [role=navigation], [role=search], [role=complementary], [role=dialog],"
    " .headerlink, .anchor-link, .sr-only, .visually-hidden, .toc, #toc, .tableOfContents, .table-of-contents,"
    " .breadcrumb, .breadcrumbs, .pagination, .cookie-banner, .cookie-consent, .cookie-notice"
)
_FRAME = (
    "body > header, body > footer, footer, [role=banner], [role=contentinfo], #header, #footer, .site-header,"
    " .site-footer, body > .header, body > .footer"
)
_MAIN = ("main", "[role=main]", "article", "#content", "#main", ".markdown-body", ".content")
_DATES = (
    ("meta[property='article:modified_time'], meta[name='last-modified'], meta[name='dcterms.modified']", "content"),
    ("meta[property='article:published_time'], meta[name=date], meta[name='dcterms.date']", "content"),
    ("time[datetime]", "datetime"),
)
_SITE = re.compile(r"\s+[|·»—–]\s+.*$|\s+-\s+[^-]*$")
MENU_LINKS = 6
MENU_SHARE = 0.8  # so much of a menu's words are links
PROSE = 20  # letters in a row that are no caption; without as many beside its menus, a page is what its links are
MAIN_SHARE = 0.3  # a "main" with less than this share of the page's words is not its content


class WebpageParser:
    """HTML with one main content; title from its first heading, else from ``<title>``."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        """Headings, lists, tables and code of the main content."""
        declared = _CHARSET.search(data[:4096])
        text, _ = decode(data, declared[1].decode("ascii") if declared else "")
        soup = _soup(text)
        title = soup.title.get_text(" ") if soup.title else ""
        dates = [
            str(tag[attribute]) for query, attribute in _DATES for tag in soup.select(query)[:1] if tag.get(attribute)
        ]
        main = _main_content(soup)
        heading = main.find("h1")
        if heading is not None and heading.get_text(strip=True):
            title = heading.get_text(" ")
        else:
            title = _SITE.sub("", " ".join(title.split())) or title
        return finish(Draft(text=to_markdown(main), title=title, declared=dates), entry)


def _soup(text: str) -> BeautifulSoup:
    import bs4

    # XHTML and pages of one line are meant as what they are.
    for category in (bs4.XMLParsedAsHTMLWarning, bs4.MarkupResemblesLocatorWarning):
        warnings.filterwarnings("ignore", category=category)
    return bs4.BeautifulSoup(shallow(text), "lxml")


def _main_content(soup: BeautifulSoup) -> Tag:
    whole = soup.body or soup
    for tag in whole.select(_NEVER_CONTENT):
        # An application that wraps its whole page in a form still has content.
        if tag.name != "form" or len(tag.get_text(" ", strip=True)) < len(whole.get_text(" ", strip=True)) / 2:
            tag.decompose()
    _open_layout(whole)
    _drop_menus(whole)
    words = len(whole.get_text(" ", strip=True))
    for query in _MAIN:
        found = whole.select(query)
        if len(found) == 1 and len(found[0].get_text(" ", strip=True)) >= MAIN_SHARE * words:
            return found[0]
    for tag in whole.select(_FRAME):
        if tag.find("h1") is None or whole.find_all("h1")[1:]:
            tag.decompose()
    return whole


def _open_layout(whole: Tag) -> None:
    """A table whose cells hold headings holds the page itself, not data."""
    for table in whole.find_all("table"):
        rows = [row for row in table.find_all("tr") if row.find_parent("table") is table]
        cells = [cell for row in rows for cell in row.find_all(("td", "th"), recursive=False)]
        if any(cell.find(("h1", "h2", "h3")) for cell in cells):
            for tag in (table, *table.find_all(("tbody", "thead"), recursive=False), *rows, *cells):
                tag.name = "div"


def _drop_menus(whole: Tag) -> None:
    """Blocks of little but links, as menus are where nobody calls them so; none inside what is marked as content."""
    menus, waiting = [], [whole]
    while waiting:
        tag = waiting.pop()
        if tag.name in ("main", "article") or tag.get("role") == "main":
            continue
        links = tag.find_all("a", href=True)
        if len(links) < MENU_LINKS:
            continue
        if tag is whole or tag.find(("main", "article", "h1")) or not _is_menu(tag, links):
            waiting.extend(tag.find_all(True, recursive=False))
        else:
            menus.append(tag)
    if _letters(whole) - sum(map(_letters, menus)) >= PROSE:
        for menu in menus:
            menu.decompose()


def _is_menu(tag: Tag, links: Sequence[Tag]) -> bool:
    if sum(map(_letters, links)) < MENU_SHARE * _letters(tag):
        return False
    plain = (text for text in tag.find_all(string=True) if text.find_parent("a") is None)
    return all(sum(map(str.isalnum, text)) < PROSE for text in plain)


def _letters(tag: Tag) -> int:
    return sum(map(str.isalnum, tag.get_text()))


def to_markdown(content: Tag | str) -> str:
    """HTML as Markdown: explicit heading anchors kept, images as their descriptions, links only to the web."""
    from markdownify import MarkdownConverter

    root: Any = _soup(content) if isinstance(content, str) else content
    for heading in root.find_all(re.compile(r"^h[1-6]$")):
        if heading.get("id") and heading.get_text(strip=True):
            heading.append(f" {{ #{heading['id']} }}")
    for image in root.find_all("img"):
        image.replace_with(normalise(image.get("alt") or ""))
    for link in root.find_all("a"):
        if not str(link.get("href", "")).startswith(("http://", "https://", "mailto:")):
            link.unwrap()
    _escape(root)
    converter = MarkdownConverter(
        heading_style="ATX",
        bullets="-",
        escape_asterisks=False,
        escape_underscores=False,
        escape_misc=False,
        table_infer_header=True,
        code_language_callback=_code_language,
    )
    return str(converter.convert_soup(root)).strip()


def _escape(root: Any) -> None:
    """A number sign that begins a paragraph is no heading, a bar in a cell no border; the rest may stay plain."""
    for text in root.find_all(string=re.compile(r"^\s*#{1,6}\s")):
        if text.find_parent(("pre", "code")) is None:
            text.replace_with(re.sub("#", r"\\#", text, count=1))
    for text in root.find_all(string=re.compile(r"\|")):
        if text.find_parent(("td", "th")) is not None:
            text.replace_with(text.replace("|", r"\|"))


def _code_language(tag: Any) -> str:
    inner = tag.find("code") or tag
    names = [*(inner.get("class") or []), *(tag.get("class") or [])]
    return next((name.split("-", 1)[1] for name in names if name.startswith(("language-", "lang-", "highlight-"))), "")
