"""Tokens sealed for the database: by a key that stands in the environment alone."""

from __future__ import annotations

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

MARK = "sealed:"
SHORTEST = 32
"""Characters of a key: it is hashed, not stretched, so it must be random, not a phrase."""


class Seal:
    """Fernet under one key or several separated by commas: the first seals, all of them open."""

    def __init__(self, keys: str) -> None:
        self._fernet = MultiFernet([_fernet(each.strip()) for each in keys.split(",") if each.strip()])

    def close(self, text: str) -> str:
        """The sealed text; one that is sealed already stays so."""
        return text if text.startswith(MARK) else MARK + self._fernet.encrypt(text.encode()).decode()

    def open(self, text: str) -> str:
        """The text again. Raises ValueError when it was sealed by another key, or never."""
        try:
            return self._fernet.decrypt(text.removeprefix(MARK).encode()).decode()
        except InvalidToken as error:
            raise ValueError("sealed by another key") from error


def fits(keys: str) -> bool:
    """Whether these are keys that a Seal can be made of."""
    each = [key.strip() for key in keys.split(",") if key.strip()]
    return bool(each) and all(len(key) >= SHORTEST for key in each)


def _fernet(key: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(key.encode()).digest()))
