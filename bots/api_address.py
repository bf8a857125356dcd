"""Where a platform's API is, as the configuration says it: tokens go there."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from core.web.addresses import address


def api_address(value: str) -> str:
    """The address without a slash at its end; raises ValueError for one that a token must not be sent to."""
    if address(value) is None:
        raise ValueError("write it as https://host/path, without a user's name or password")
    if value.startswith("http:") and not _is_here(value):
        raise ValueError("the bot's token goes there: only https, or a host on this machine")
    return value.rstrip("/")


def _is_here(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
