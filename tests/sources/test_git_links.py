"""Addresses of repositories: what is told of them, and where their files are shown."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from adapters.sources.git_remote import file_link, masked, pattern_of, remote

SECRET = "s3cr3t/with:odd@signs"


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://github.com/org/docs.git", "https://github.com/org/docs/blob/c0/a%20b/%EA%B7%9C.md"),
        ("git@github.com:org/docs.git", "https://github.com/org/docs/blob/c0/a%20b/%EA%B7%9C.md"),
        ("https://github.corp.example/org/docs", "https://github.corp.example/org/docs/blob/c0/a%20b/%EA%B7%9C.md"),
        ("https://gitlab.com/g/sub/docs/", "https://gitlab.com/g/sub/docs/-/blob/c0/a%20b/%EA%B7%9C.md"),
        ("ssh://git@gitlab.corp:2222/g/docs.git", "https://gitlab.corp/g/docs/-/blob/c0/a%20b/%EA%B7%9C.md"),
        ("https://bitbucket.org/w/docs.git", "https://bitbucket.org/w/docs/src/c0/a%20b/%EA%B7%9C.md"),
        ("https://codeberg.org/o/docs.git", "https://codeberg.org/o/docs/src/commit/c0/a%20b/%EA%B7%9C.md"),
        ("https://gitea.example:8443/o/docs.git", "https://gitea.example:8443/o/docs/src/commit/c0/a%20b/%EA%B7%9C.md"),
        ("https://git.example/o/docs.git", None),
        ("/srv/docs.git", None),
    ],
)
def test_a_file_is_linked_on_its_web_host_at_the_commit(address: str, link: str | None) -> None:
    origin = remote(address)
    assert file_link(origin, pattern_of(origin), "c0", PurePosixPath("a b/규.md")) == link


def test_a_pattern_of_its_own_serves_any_host() -> None:
    origin = remote("https://git.example/o/docs.git")
    pattern = "https://code.example/{repository}?at={commit}&file={path}#{anchor}"
    assert file_link(origin, pattern, "c0", PurePosixPath("a.md")) == "https://code.example/o/docs?at=c0&file=a.md"


@pytest.mark.parametrize("user", ["", "user:", "user%40corp:"])
def test_a_secret_in_an_address_is_told_nobody(user: str) -> None:
    from urllib.parse import quote

    origin = remote(f"https://{user}{quote(SECRET, safe='')}@github.com/org/docs.git")
    assert origin.secret == SECRET
    assert origin.url == origin.shown == "https://github.com/org/docs.git"
    assert SECRET not in repr(origin)
    said = (
        f"fatal: unable to access 'https://{user}{quote(SECRET, safe='')}@github.com/': {origin.authorization} {SECRET}"
    )
    told = origin.masked(said)
    assert SECRET not in told
    assert quote(SECRET, safe="") not in told
    assert origin.authorization.split()[-1] not in told


def test_tokens_and_names_in_addresses_are_masked_wherever_they_stand() -> None:
    assert masked("at https://joe:pw@x.example/a and ghp_abcdef123") == "at https://…@x.example/a and …"


@pytest.mark.parametrize(
    "address",
    ["", "-x", "--upload-pack=x", "ext::sh -c id", "git://x/y", "ftp://x/y", "https://", "https://x/", "https://x y/z",
     "https://x:99999/y", "fd::17/x", "https://x/\n/y"],
)  # fmt: skip
def test_an_address_that_git_could_take_for_something_else_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        remote(address)
