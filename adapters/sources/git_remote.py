"""Where a git repository lives and where its files can be looked at on the web. Pure: reads addresses, calls nothing.

A password or token never leaves this file other than through `Remote.secret`: `shown` and `masked` are what
may be told.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import quote, unquote, urlsplit

from core.web.addresses import host as usual

_SCP = re.compile(r"(?:(?P<user>[\w.-]+)@)?(?P<host>[\w.-]+):(?P<path>(?!//)[^\s]+)")
_USERINFO = re.compile(r"(?<=://)[^\s/@'\"]+@")
_LONG = re.compile(r"\b(?:gh[a-z]_|github_pat_|glpat-|xox[a-z]-)[\w-]+")
_SUFFIX = re.compile(r"(?:\.git)?/*$")
_PORTS = {"https": 443, "http": 80, "ssh": 22}

# Where a file at a commit is shown, by what stands in the host's name.
_HOSTS = (
    ("github", "https://{host}/{repository}/blob/{commit}/{path}"),
    ("gitlab", "https://{host}/{repository}/-/blob/{commit}/{path}"),
    ("bitbucket.org", "https://{host}/{repository}/src/{commit}/{path}"),
    ("gitea", "https://{host}/{repository}/src/commit/{commit}/{path}"),
    ("forgejo", "https://{host}/{repository}/src/commit/{commit}/{path}"),
    ("codeberg.org", "https://{host}/{repository}/src/commit/{commit}/{path}"),
)


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository's address in its parts. `url` holds no password; `scheme` is https, http, ssh or file."""

    url: str
    scheme: str
    host: str = ""
    port: int = 0
    repository: str = ""
    user: str = ""
    secret: str = field(default="", repr=False)

    @property
    def shown(self) -> str:
        """The address as it may be told."""
        return self.url

    @property
    def destination(self) -> str:
        """Whom ssh is asked for, spelled as git does it: a configuration may know it under just that name."""
        if "://" not in self.url:
            return self.url.partition(":")[0]
        return f"{self.user}@{self.host}" if self.user else self.host

    @property
    def authorization(self) -> str:
        """The header that signs in over HTTP, or nothing."""
        if not self.secret or self.scheme not in ("https", "http"):
            return ""
        pair = f"{self.user or 'oauth2'}:{self.secret}"  # the name may be any where a token signs in
        return "Authorization: Basic " + base64.b64encode(pair.encode()).decode()

    def masked(self, text: str) -> str:
        """A text of git's without what would let anybody in."""
        for secret in filter(None, (self.secret, quote(self.secret, safe=""), self.authorization.rpartition(" ")[2])):
            text = text.replace(secret, "…")
        return masked(text)


def masked(text: str) -> str:
    """The text without user names and passwords in addresses, and without what looks like a token."""
    return _LONG.sub("…", _USERINFO.sub("…@", text))


def remote(text: str, secret: str = "") -> Remote:
    """The parts of an address; raises ValueError that says how to write it. The text itself is never in the error."""
    text = text.strip()
    if not text or text.startswith("-") or any(ord(char) < 33 or ord(char) == 127 for char in text) or "::" in text:
        raise ValueError("write it as git:https://host/owner/repository.git or git:ssh://git@host/owner/repository.git")
    if "://" in text:
        return _from_url(text, secret)
    match = _SCP.fullmatch(text)
    if match and not text.startswith(("/", ".", "~")):
        path = match["path"].lstrip("/")
        user = match["user"] or "git"
        return Remote(f"{user}@{match['host']}:{path}", "ssh", match["host"].lower(), 22, _bare(path), user)
    return Remote(text, "file")


def _from_url(text: str, secret: str) -> Remote:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise ValueError("its port is no number") from error
    scheme = parts.scheme.lower()
    if scheme == "file":
        return Remote(text, "file")
    if scheme not in _PORTS:
        raise ValueError("only https, http and ssh reach a repository; write it as git:https://host/owner/repository")
    name = usual(parts.hostname or "")
    if name is None:
        raise ValueError("its host can't be read")
    user, secret = unquote(parts.username or ""), secret or unquote(parts.password or "")
    if scheme != "ssh" and user and not secret:
        user, secret = "", user  # https://TOKEN@host, as some hosts write it
    shown = f"[{name}]" if ":" in name else name
    at = f"{user}@" if scheme == "ssh" and user else ""
    place = shown if port in (None, _PORTS[scheme]) else f"{shown}:{port}"
    bare = _bare(parts.path)
    if not bare:
        raise ValueError("it names no repository")
    path = parts.path
    if any(part in name for part, _ in _HOSTS) and not path.endswith(".git"):
        path = path.rstrip("/") + ".git"  # some send whoever leaves it out elsewhere, and no redirect is followed
    return Remote(f"{scheme}://{at}{place}{path}", scheme, name, port or _PORTS[scheme], bare, user, secret)


def _bare(path: str) -> str:
    return _SUFFIX.sub("", unquote(path)).strip("/")


def pattern_of(origin: Remote) -> str:
    """The pattern of the addresses of its files, by the web host; empty where nobody knows."""
    return next((pattern for part, pattern in _HOSTS if part in origin.host), "")


def file_link(origin: Remote, pattern: str, commit: str, path: PurePosixPath) -> str | None:
    """The file's address at the commit; the anchor of a heading is added by whoever cites it."""
    if not pattern:
        return None
    fields = {
        "host": origin.host
        if origin.port in (22, 80, 443) or origin.scheme == "ssh"
        else f"{origin.host}:{origin.port}",
        "repository": quote(origin.repository),
        "commit": commit,
        "path": quote(str(path)),
    }
    return re.sub(r"\{(\w+)\}", lambda match: fields.get(match[1], ""), pattern.removesuffix("#{anchor}"))
