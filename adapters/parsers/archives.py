"""The office formats are zip archives: what they may unpack to, and what their properties say."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from xml.etree import ElementTree as ET

from core.errors import ParseError

_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # also the wrapping of encrypted new files
MOST_UNPACKED = 200 * 2**20
MOST_MEMBERS = 10_000
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
        raise ParseError("parse.password" if "EncryptedPackage".encode("utf-16-le") in data else "parse.unsupported")
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            _check_size(archive)
            return _properties(archive)
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError) as error:
        raise ParseError("parse.broken", detail=str(error)) from error


def _check_size(archive: zipfile.ZipFile) -> None:
    members = archive.infolist()
    if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > MOST_UNPACKED:
        limit = MOST_UNPACKED // 2**20
        raise ParseError("parse.too_large", detail=str(limit), limit_mb=limit)
    if any(member.flag_bits & 1 for member in members):
        raise ParseError("parse.password")


def _properties(archive: zipfile.ZipFile) -> Properties:
    if _CORE not in archive.namelist():
        return Properties()
    try:
        root = ET.fromstring(archive.read(_CORE))  # noqa: S314 - size is checked, expat limits entities
    except ET.ParseError:
        return Properties()
    title = root.findtext("dc:title", "", _NAMES).strip()
    day = root.findtext("terms:modified", "", _NAMES) or root.findtext("terms:created", "", _NAMES)
    try:
        return Properties(title, date.fromisoformat(day[:10]))
    except ValueError:
        return Properties(title)
