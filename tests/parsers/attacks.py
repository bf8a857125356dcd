"""Files made to do harm to whoever reads them: small, bounded, and each really carried out by the tests."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence

from tests.parsers.files import docx, pptx, saved, xlsx, zipped

MB = 2**20


# --- archives ---------------------------------------------------------------------------------------


def with_member(data: bytes, name: str, content: bytes) -> bytes:
    """The archive with one member added or replaced."""

    def write(buffer: io.BytesIO) -> None:
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
            for member in old.infolist():
                if member.filename != name:
                    new.writestr(member, old.read(member))
            new.writestr(name, content)

    return saved(write)


def claiming(data: bytes, size: int) -> bytes:
    """The archive with another unpacked size written beside each member."""
    changed = bytearray(data)
    for signature, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = changed.find(signature)
        while at >= 0:
            changed[at + offset : at + offset + 4] = size.to_bytes(4, "little")
            at = changed.find(signature, at + 4)
    return bytes(changed)


def lying(data: bytes, name: str, size: int) -> bytes:
    """The archive in which the member called `name` claims `size` bytes, with the checksum of just those."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        crc = zlib.crc32(archive.read(name)[:size])
    changed = bytearray(data)
    for signature, crc_at, size_at, name_at in ((b"PK\x01\x02", 16, 24, 46), (b"PK\x03\x04", 14, 22, 30)):
        at = changed.find(signature)
        while at >= 0:
            if changed[at + name_at : at + name_at + len(name)] == name.encode():
                changed[at + crc_at : at + crc_at + 4] = crc.to_bytes(4, "little")
                changed[at + size_at : at + size_at + 4] = size.to_bytes(4, "little")
            at = changed.find(signature, at + 4)
    return bytes(changed)


def overlapping(times: int) -> bytes:
    """One packed member that the directory lists many times over: small as a file, huge unpacked."""
    one = zipped({"a.xml": bytes(MB)})
    start = one.index(b"PK\x01\x02")
    end = one.index(b"PK\x05\x06")
    body, entry = one[:start], one[start:end]
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, times, times, times * len(entry), len(body), 0)
    return body + entry * times + tail


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY {n} "{f"&{b};" * 10}">' for b, n in zip("abcdefghi", "bcdefghij", strict=True))
    + "]><x>&j;</x>"
)
QUADRATIC = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "{"a" * 100_000}">]><x>{"&a;" * 20_000}</x>'


def external(address: str) -> str:
    """XML that wants something read from elsewhere."""
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "{address}">]><x>&a;</x>'


OFFICE: Mapping[str, tuple[Callable[[], bytes], Sequence[str]]] = {
    "docx": (docx, ("word/document.xml", "docProps/core.xml", "word/styles.xml", "word/_rels/document.xml.rels")),
    "pptx": (pptx, ("ppt/presentation.xml", "ppt/slides/slide1.xml", "[Content_Types].xml")),
    "xlsx": (lambda: xlsx({"a": [["x", "y"], [1, 2]]}), ("xl/workbook.xml", "xl/worksheets/sheet1.xml")),
}


def nested_tables(depth: int) -> bytes:
    """A DOCX of tables in tables."""
    head = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    open_, close = "<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"
    body = open_ * depth + "<w:p><w:r><w:t>deep</w:t></w:r></w:p>" + close * depth
    return with_member(docx(), "word/document.xml", f"{head}{body}</w:body></w:document>".encode())


def repeated_strings(length: int, cells: int) -> bytes:
    """An XLSX in which one long text stands in every cell: a little file with gigabytes of text."""
    space = "xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'"
    text = f"<sst {space}><si><t>{'long ' * (length // 5)}</t></si></sst>"
    row = "<row>" + "<c t='s'><v>0</v></c>" * 100 + "</row>"
    sheet = f"<worksheet {space}><sheetData>{row * (cells // 100)}</sheetData></worksheet>"
    data = with_member(xlsx({"a": [["x", "y"], ["z", "w"]]}), "xl/sharedStrings.xml", text.encode())
    return with_member(data, "xl/worksheets/sheet1.xml", sheet.encode())


# --- PDF --------------------------------------------------------------------------------------------


def pdf_of(objects: Mapping[int, bytes], trailer: bytes = b"/Root 1 0 R") -> bytes:
    """A PDF of these objects, with a right table of where they are."""
    data = bytearray(b"%PDF-1.7\n")
    places = {}
    for number, content in objects.items():
        places[number] = len(data)
        data += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    table = len(data)
    size = max(objects) + 1
    data += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        data += b"%010d 00000 n \n" % places.get(number, 0)
    data += b"trailer\n<< /Size %d %b >>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, table)
    return bytes(data)


def stream(content: bytes, more: bytes = b"") -> bytes:
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(content), more, content)


_ROOT = b"<< /Type /Catalog /Pages 2 0 R >>"
_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
_PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> %b >> >>"
)
_SHOWN = b"BT /F1 12 Tf 50 700 Td (A page about something quite ordinary.) Tj ET"


def pages_in_a_circle() -> bytes:
    return pdf_of(
        {1: _ROOT, 2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", 3: b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"}
    )


def endless_pages(levels: int = 12) -> bytes:
    """Each branch of the tree holds the next one ten times: ten to the power of `levels` pages."""
    tree = {
        n: b"<< /Type /Pages /Count 1000000000 /Kids [%b] >>" % (b"%d 0 R " % (n + 4) * 10)
        for n in range(6, 6 + levels)
    }
    tree = {n: content.replace(b"%d 0 R" % (n + 4), b"%d 0 R" % (n + 1)) for n, content in tree.items()}
    top = {2: b"<< /Type /Pages /Count 1000000000 /Kids [6 0 R] >>"}
    leaf = {6 + levels: _PAGE % b"", 4: stream(_SHOWN), 5: _FONT}
    return pdf_of({1: _ROOT, **top, **leaf, **tree})


def claimed_pages() -> bytes:
    return pdf_of(
        {
            1: _ROOT,
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 2147483647 >>",
            3: _PAGE % b"",
            4: stream(_SHOWN),
            5: _FONT,
        }
    )


def packed_content(size: int, layers: int = 1) -> bytes:
    """A page whose content unpacks to `size` bytes of nothing."""
    machine = zlib.compressobj(9)
    content = b"".join(machine.compress(b" " * MB) for _ in range(size // MB)) + machine.flush()
    for _ in range(layers - 1):
        content = zlib.compress(content, 9)
    filters = b"/Filter [%b]" % (b"/FlateDecode " * layers)
    return pdf_of(
        {
            1: _ROOT,
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: _PAGE % b"",
            4: stream(content, filters),
            5: _FONT,
        }
    )


def form_in_itself() -> bytes:
    form = stream(
        b"/X1 Do " + _SHOWN,
        b"/Type /XObject /Subtype /Form /BBox [0 0 600 800]"
        b" /Resources << /XObject << /X1 6 0 R >> /Font << /F1 5 0 R >> >>",
    )
    page = _PAGE % b"/XObject << /X1 6 0 R >>"
    return pdf_of(
        {1: _ROOT, 2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", 3: page, 4: stream(b"/X1 Do"), 5: _FONT, 6: form}
    )


def forms_of_forms(levels: int = 12) -> bytes:
    """A drawing that draws the next one ten times, and so on."""
    page = _PAGE % b"/XObject << /X 6 0 R >>"
    forms = {
        n: stream(
            b"/X Do " * 10,
            b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X %d 0 R >> >>" % (n + 1),
        )
        for n in range(6, 6 + levels)
    }
    last = stream(_SHOWN, b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 5 0 R >> >>")
    return pdf_of(
        {
            1: _ROOT,
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: page,
            4: stream(b"/X Do"),
            5: _FONT,
            **forms,
            6 + levels: last,
        }
    )


def table_in_a_circle() -> bytes:
    """A cross-reference table whose previous one is itself."""
    plain = claimed_pages()
    at = plain.rindex(b"xref\n0")
    return plain.replace(b"/Root 1 0 R", b"/Root 1 0 R /Prev %d" % at)


def objects_in_themselves() -> bytes:
    """An object stream that says it lies in itself, named by a cross-reference stream."""
    data = bytearray(b"%PDF-1.7\n")
    inner = stream(
        b"1 0 2 50 << /Type /Catalog /Pages 2 0 R >>".ljust(60), b"/Type /ObjStm /N 2 /First 8 /Extends 3 0 R"
    )
    at = len(data)
    data += b"3 0 obj\n" + inner + b"\nendobj\n"
    table = len(data)
    rows = b"".join(struct.pack(">BHB", *row) for row in ((0, 0, 0), (2, 3, 0), (2, 3, 1), (2, 3, 0), (1, table, 0)))
    assert at < table
    data += b"4 0 obj\n" + stream(rows, b"/Type /XRef /Size 5 /W [1 2 1] /Root 1 0 R") + b"\nendobj\n"
    data += b"startxref\n%d\n%%%%EOF\n" % table
    return bytes(data)


def deep_array(depth: int = 100_000) -> bytes:
    return pdf_of({1: _ROOT, 2: b"<< /Type /Pages /Kids " + b"[" * depth + b"]" * depth + b" /Count 1 >>"})


def endless_map() -> bytes:
    """A font whose map to Unicode names four billion signs."""
    cmap = (
        b"1 begincodespacerange <00> <FF> endcodespacerange\n"
        b"2 beginbfrange\n<00000000> <FFFFFFFF> <0041>\n<0000> <FFFF> <0041>\nendbfrange"
    )
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
    return pdf_of(
        {
            1: _ROOT,
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: _PAGE % b"",
            4: stream(_SHOWN),
            5: font,
            6: stream(cmap),
        }
    )


PDFS: Mapping[str, Callable[[], bytes]] = {
    "pages in a circle": pages_in_a_circle,
    "pages without end": endless_pages,
    "a claim of two billion pages": claimed_pages,
    "a page that unpacks beyond measure": lambda: packed_content(200 * MB),
    "a page packed twice": lambda: packed_content(200 * MB, layers=2),
    "a drawing in itself": form_in_itself,
    "drawings of drawings": forms_of_forms,
    "a table that comes before itself": table_in_a_circle,
    "an object stream in itself": objects_in_themselves,
    "a deep array": deep_array,
    "a map of four billion signs": endless_map,
}


# --- text -------------------------------------------------------------------------------------------

DEEP = 30_000
PAGES: Mapping[str, str] = {
    "deep divs": "<div>" * DEEP + "deep" + "</div>" * DEEP,
    "deep lists": "<ul><li>" * DEEP + "deep",
    "deep tables": "<table><tr><td>" * 20_000 + "deep",
    "deep quotes": "<blockquote>" * 20_000 + "deep",
    "endless attributes": "<p " + "a='b' " * DEEP + ">deep",
    "open tags": "<b><i>" * DEEP + "deep",
    "entities": LAUGHS.replace("<x>", "<html><body><p>deep ").replace("</x>", "</p></body></html>"),
    "wide cells": "<table><tr><td colspan='2000000000' rowspan='2000000000'>deep</td></tr></table>",
    "comments": "<!--" * DEEP + "--><p>deep",
    "blanks": "<p>deep" + " " * MB + "<meta charset" + " " * MB,
}
