"""The office formats are zip archives: what they may unpack to, and what their properties say.

Everything is unpacked once, piece by piece and thrown away, before a library may unpack it whole: what an archive
says of its own sizes is no promise. An archive inside is never opened.
"""

from __future__ import annotations

import copy
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from xml.etree import ElementTree as ET

from core.errors import ParseError

_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # also the wrapping of encrypted new files
MOST_UNPACKED = 200 * 2**20
MOST_MEMBERS = 10_000
MOST_SWELLING = 200
"""Times its packed size that an XML member of `SWELLING_FROM` bytes or more may be: real ones stay far below."""

SWELLING_FROM = 10 * 2**20
_PIECE = 2**16
_DECLARES = tuple(
    mark.encode(code) for mark in ("<!DOCTYPE", "<!ENTITY") for code in ("ascii", "utf-16-le", "utf-16-be")
)
_OVERLAP = max(map(len, _DECLARES)) - 1
_CORE = "docProps/core.xml"
_NAMES = {"dc": "http://purl.org/dc/elements/1.1/", "terms": "http://purl.org/dc/terms/"}


@dataclass(frozen=True, slots=True)
class Properties:
    """Title and day of the last change, as far as the archive says."""

    title: str = ""
    modified: date | None = None


def open_office(data: bytes) -> Properties:
    """Checks the archive before any library unpacks it; raises ParseError."""
    if data.startswith(_OLD_OFFICE):
        raise ParseError("parse.password" if "EncryptedPackage".encode("utf-16-le") in data else "parse.convert")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            _check(archive)
            return _properties(archive)
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, zlib.error) as error:
        raise ParseError("parse.broken", detail=str(error)) from error


def _check(archive: zipfile.ZipFile) -> None:
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise ParseError("parse.bomb", detail=f"{len(members)} files")
    if any(member.flag_bits & 1 for member in members):
        raise ParseError("parse.password")
    if sum(member.file_size for member in members) > MOST_UNPACKED:
        raise ParseError("parse.bomb", detail=f"> {MOST_UNPACKED // 2**20} MB")
    for member in members:
        _unpack(archive, member)


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    """Look at all that really comes out; entities stand in no file that an office program wrote."""
    is_xml = member.filename.casefold().endswith((".xml", ".rels", ".vml"))
    if is_xml and member.file_size > max(SWELLING_FROM, MOST_SWELLING * member.compress_size):
        raise ParseError("parse.bomb", detail=f"×{member.file_size // max(1, member.compress_size)}")
    unpacked, before = 0, b""
    for piece in _pieces(archive, member):
        unpacked += len(piece)
        if unpacked > member.file_size:
            raise ParseError("parse.bomb", detail="> ZIP")
        window = before + piece
        if is_xml and any(mark in window for mark in _DECLARES):
            raise ParseError("parse.bomb", detail="<!ENTITY>")
        before = window[-_OVERLAP:]


def _pieces(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    """The member's contents, also beyond the size that it claims."""
    unbelieved = copy.copy(member)
    unbelieved.file_size = MOST_UNPACKED
    with archive.open(unbelieved) as file:
        while piece := file.read(_PIECE):
            yield piece


def _properties(archive: zipfile.ZipFile) -> Properties:
    if _CORE not in archive.namelist():
        return Properties()
    try:
        root = ET.fromstring(archive.read(_CORE))  # noqa: S314 - size and entities were looked at
    except ET.ParseError:
        return Properties()
    title = root.findtext("dc:title", "", _NAMES).strip()
    day = root.findtext("terms:modified", "", _NAMES) or root.findtext("terms:created", "", _NAMES)
    try:
        return Properties(title, date.fromisoformat(day[:10]))
    except ValueError:
        return Properties(title)
