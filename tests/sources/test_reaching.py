"""Nothing inside the network is ever reached, by whatever name, redirect or answer of a resolver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.sources.bounds import Rules
from adapters.sources.visiting import Manners
from adapters.sources.website import WebsiteSource
from core.errors import SourceError
from core.web.addresses import address
from core.web.reach import is_public, reach
from core.web.robots import robots
from tests.sources.site import Reply, website

INSIDE = (
    *("127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.192", "198.18.0.1", "224.0.0.1", "255.255.255.255"),
    *("168.63.129.16", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "::127.0.0.1"),
    *("::ffff:127.0.0.1", "::ffff:a00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "2002:7f00:1::", "2001:0:1::1"),
    *("2001:db8::1", "", "x", "1"),
)
OUTSIDE = (
    *("93.184.216.34", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111"),
    *("::ffff:8.8.8.8", "64:ff9b::8.8.8.8"),
)


@pytest.mark.parametrize("place", INSIDE)
def test_an_address_inside_is_not_public(place: str) -> None:
    assert not is_public(place)


@pytest.mark.parametrize("place", OUTSIDE)
def test_an_address_outside_is(place: str) -> None:
    assert is_public(place)


def test_only_what_is_named_is_reached_inside_and_by_that_name_alone() -> None:
    allowed = reach(["wiki.internal", "127.0.0.1", "[::1]"])
    assert allowed.admits("wiki.internal", "10.0.0.5")
    assert allowed.admits("127.0.0.1", "127.0.0.1")
    assert allowed.admits("::1", "::1")
    assert not allowed.admits("evil.example", "127.0.0.1")
    assert not allowed.admits("sub.wiki.internal", "10.0.0.5")
    for text in ("http://x", "a b", "x:80", "", "10.0.0.0/8"):
        with pytest.raises(ValueError, match="host"):
            reach([text])


class Names:
    """A resolver that says what it is told to, one answer after the other, the last for ever."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = [*answers], 0

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked += 1
        return (self.answers.pop(0) if len(self.answers) > 1 else self.answers[0],)


def source(url: str, folder: Path, allowed: tuple[str, ...] = (), resolve: Names | None = None) -> WebsiteSource:
    start = address(url)
    assert start is not None
    made = WebsiteSource(start, folder, Rules(), Manners(per_second=10_000, seconds=5), reach(allowed))
    return replace(made, resolve=resolve) if resolve else made


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "intranet.example"])
async def test_a_start_inside_is_refused_by_every_name(tmp_path: Path, host: str) -> None:
    async with website() as site:
        site.page("/")
        port = site.url.rpartition(":")[2]
        with pytest.raises(SourceError) as caught:
            await source(f"http://{host}:{port}/", tmp_path, resolve=Names("127.0.0.1")).list()
        assert caught.value.reason == "error.source_private"
        assert "allow_private" in caught.value.user_message("en")
        assert site.asked == []


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f000001", "0177.0.0.1"])
def test_a_number_that_hides_where_it_leads_is_no_address(host: str) -> None:
    assert address(f"http://{host}/") is None


async def test_a_name_that_leads_elsewhere_a_moment_later_is_caught(tmp_path: Path) -> None:
    """The first answer is public (and out of a test's reach), every later one is this machine."""
    async with website() as site:
        site.page("/")
        port = site.url.rpartition(":")[2]
        names = Names("93.184.216.34", "127.0.0.1")
        for _ in range(3):
            with pytest.raises(SourceError):
                await source(f"http://rebind.example:{port}/", tmp_path, resolve=names).list()
        assert site.asked == []
        assert names.asked == 3  # once a visit: what was looked at is what is connected to


async def test_of_several_addresses_only_the_public_are_tried(tmp_path: Path) -> None:
    class Mixed(Names):
        async def __call__(self, host: str, port: int) -> Sequence[str]:
            return ("127.0.0.1", "::1", "93.184.216.34")

    async with website() as site:
        site.page("/")
        port = site.url.rpartition(":")[2]
        with pytest.raises(SourceError):
            await source(f"http://mixed.example:{port}/", tmp_path, resolve=Mixed("")).list()
        assert site.asked == []


async def test_no_redirect_leads_inside_or_to_another_scheme(tmp_path: Path) -> None:
    async with website() as inside, website() as outside:
        inside.page("/secret")
        port = inside.url.rpartition(":")[2]
        targets = [f"http://127.0.0.1:{port}/secret", f"http://localhost:{port}/secret", f"//127.0.0.1:{port}/secret"]
        targets += ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "data:text/html,x", "http://[bad"]
        names = [f"/{n}" for n in range(len(targets))]
        outside.page("/", *names)
        for name, target in zip(names, targets, strict=True):
            outside.moved(name, target)
        outside.moved("/robots.txt", targets[0])
        site_url = outside.url.replace("127.0.0.1", "docs.internal")
        with pytest.raises(SourceError):  # even robots.txt is not fetched from there
            await source(site_url, tmp_path, ("docs.internal",), Names("127.0.0.1")).list()
        del outside.replies["/robots.txt"]
        listing = await source(site_url, tmp_path, ("docs.internal",), Names("127.0.0.1")).list()
        assert len(listing.entries) == 1
        assert inside.asked == []


async def test_no_sitemap_leads_inside(tmp_path: Path) -> None:
    async with website() as inside, website() as outside:
        inside.sitemap("/sitemap.xml", "/x")
        outside.text("/robots.txt", f"Sitemap: {inside.url}/sitemap.xml\nSitemap: file:///etc/passwd\n")
        outside.page("/")
        site_url = outside.url.replace("127.0.0.1", "docs.internal")
        listing = await source(site_url, tmp_path, ("docs.internal",), Names("127.0.0.1")).list()
        assert len(listing.entries) == 1
        assert inside.asked == []


async def test_a_start_that_is_allowed_by_name_is_read(tmp_path: Path) -> None:
    async with website() as site:
        site.page("/")
        site.replies["/robots.txt"] = Reply(status=404)
        assert len((await source(site.url, tmp_path, ("127.0.0.1",)).list()).entries) == 1


# --- robots.txt ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True),
        ("/a", False),
        ("/a/open", True),
        ("/x.pdf", False),
        ("/x.pdf?y", True),
        ("/q?session=1", False),
        ("/%7Ejoe/x", False),
        ("/~joe/x", False),
        ("/규정/x", False),
        ("/%EA%B7%9C%EC%A0%95/x", False),
        ("/tie", True),
    ],
)
def test_the_longest_rule_decides(path: str, allowed: bool) -> None:
    text = "User-agent: other\nDisallow: /\n\n# all\nUser-agent: *\nDisallow: /a\nAllow: /a/open\nDisallow: /*.pdf$\n"
    text += "Disallow: /*?session=\nDisallow: /~joe\nDisallow: /규정\nDisallow: /tie\nAllow: /tie\nDisallow:\n"
    assert robots(text, "refdesk").allows(path) == allowed


def test_a_group_of_its_own_replaces_the_one_for_all_and_no_pattern_takes_long() -> None:
    text = "\ufeffuser-agent: a\nUSER-AGENT: RefDesk/2\ncrawl-delay: 2.5\ndisallow: /x\n\nUser-agent: *\nDisallow: /\n"
    found = robots(text + "Sitemap: https://x/s.xml # here\nCrawl-delay: nan\n", "refdesk")
    assert (found.allows("/y"), found.allows("/x"), found.delay) == (True, False, 2.5)
    assert found.sitemaps == ("https://x/s.xml",)
    assert robots("User-agent: *\nDisallow: /" + "*a" * 5000 + "$", "refdesk").allows("/" + "a" * 1900 + "b")
    assert robots("<html>Disallow: /</html>", "refdesk").allows("/")


def test_rules_without_end_keep_no_link_waiting() -> None:
    found = robots("User-agent: *\nDisallow: /private\n" + "Disallow: /x*y\n" * 30_000, "refdesk")
    assert len(found.rules) <= 2000
    assert not found.allows("/private")
