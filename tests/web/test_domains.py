"""Which addresses the list admits: hosts and their subdomains, however an address is dressed up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.web.addresses import address, host
from core.web.domains import Domains, domain, domains

GOOD = domains(["good.com"])
LABEL = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True).filter(lambda s: not s.startswith("xn--"))
NAME = st.lists(LABEL, min_size=1, max_size=4).map(lambda labels: ".".join([*labels, "net"]))


@pytest.mark.parametrize(
    "url",
    [
        "https://good.com",
        "http://good.com/",
        "https://GOOD.com/a",
        "https://good.com./a",
        "https://docs.good.com/a?b=c#d",
        "https://good.com:8443/a",
        "https://good。com/a",
        "  https://good.com/a\n",
        "https://a.b.c.good.com/@evil.com",
        "https://good.com/?next=https://evil.com",
    ],
)
def test_a_listed_host_and_what_lies_below_it_is_admitted(url: str) -> None:
    assert GOOD.admits(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.com/good.com",
        "https://notgood.com",
        "https://good.com.evil.com",
        "https://good.com@evil.com",
        "https://evil.com@good.com",
        "https://good.com:443@evil.com/",
        "https://good.com%40evil.com",
        "https://evil.com#@good.com",
        "https://evil.com?@good.com",
        "https://evil.com\\@good.com",
        "https://good.com\\.evil.com",
        "https://evil.com%2egood.com",
        "https://good.com%00.evil.com",
        "https://good.com..",
        "https://.good.com",
        "https://good-.good.com",
        "https://good.com:port/",
        "https://good.com:99999/",
        "https://good.com:/",
        "https:good.com",
        "https:/good.com",
        "https:///good.com",
        "//good.com/a",
        "good.com/a",
        "ftp://good.com/a",
        "javascript:alert(1)//good.com",
        "data:text/html,good.com",
        "file://good.com/etc/passwd",
        "https://go\nod.com",
        "https://good.com\t.evil.com",
        "https://good\u200b.com",
        "https://good.com /a",
        "",
        "https://",
        "https://good.com/" + "a" * 3000,
    ],
)
def test_everything_else_is_not(url: str) -> None:
    assert not GOOD.admits(url)


@pytest.mark.parametrize(
    ("listed", "url", "admitted"),
    [
        ("한국.kr", "https://한국.kr/문서", True),
        ("한국.kr", "https://xn--3e0b707e.kr/", True),
        ("xn--3e0b707e.kr", "https://위키.한국.kr/", True),
        ("bücher.example", "https://BÜCHER.example/", True),
        ("good.com", "https://gооd.com/", False),  # Cyrillic о
        ("good.com", "https://ｇｏｏｄ.com/", True),  # full-width letters are the same letters
        ("fass.de", "https://faß.de/", False),  # two rules, two hosts
        ("good.com", "https://go‍od.com/", False),  # a joiner nobody sees
    ],
)
def test_international_names_are_compared_as_they_are_resolved(listed: str, url: str, admitted: bool) -> None:
    assert domains([listed]).admits(url) is admitted


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fe80::1%25eth0]/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://1.2.3.4.5/",
        "http://localhost/",
        "http://intranet/",
        "http://169.254.169.254/latest/meta-data/",
    ],
)
def test_any_domain_means_public_names_and_no_addresses_of_machines(url: str) -> None:
    assert not domains(allow_any=True).admits(url)


def test_an_ip_address_is_admitted_only_where_it_is_listed_itself() -> None:
    listed = domains(["10.0.0.1", "[::1]"])
    assert listed.admits("http://10.0.0.1:8080/a")
    assert listed.admits("http://[0:0:0:0:0:0:0:1]/")
    assert not listed.admits("http://110.0.0.1/")
    assert not domains(["0.1.com"]).admits("http://10.0.0.1/")


def test_nothing_is_admitted_while_nothing_is_allowed() -> None:
    assert not Domains().open
    assert not Domains().admits("https://good.com/")


@pytest.mark.parametrize("entry", ["*.good.com", ".good.com", "Good.Com.", " good.com "])
def test_an_entry_may_be_written_in_several_ways(entry: str) -> None:
    assert domain(entry) == "good.com"


@pytest.mark.parametrize(
    "entry", ["https://good.com", "good.com/docs", "good.com:443", "", "*", "a b.com", "user@good.com", "good..com"]
)
def test_an_entry_that_is_no_domain_is_refused_with_the_right_form(entry: str) -> None:
    with pytest.raises(ValueError, match=r"docs\.example\.com"):
        domains([entry])


def test_a_top_level_domain_is_not_allowed_by_accident() -> None:
    with pytest.raises(ValueError, match="allow_any"):
        domains(["com"])
    assert not domains(deny=["ru"], allow_any=True).admits("https://a.ru/")


@given(NAME, NAME)
def test_only_the_domain_itself_and_its_subdomains_match(listed: str, asked: str) -> None:
    admitted = domains([listed]).admits(f"https://{asked}/x")
    assert admitted == (asked == listed or asked.endswith("." + listed))


@given(NAME, LABEL)
def test_deny_beats_allow_for_everything_below_it(name: str, label: str) -> None:
    for which in (domains([name], [name]), domains([f"{label}.{name}"], [name]), domains(deny=[name], allow_any=True)):
        assert not which.admits(f"https://{name}/")
        assert not which.admits(f"https://{label}.{name}/")


@given(
    st.text(max_size=60), st.sampled_from(["", "https://", "https://good.com", "http://good.com@", "https://good.com."])
)
def test_no_address_leads_to_another_host_than_the_one_that_was_judged(tail: str, head: str) -> None:
    found = address(head + tail)
    if found is None:
        return
    assert found.url.isascii()
    assert "@" not in found.url.split("/")[2]
    again = address(found.url)
    assert again == found
    assert host(found.host) == found.host
    assert GOOD.admits(head + tail) == (found.host == "good.com" or found.host.endswith(".good.com"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.com/x", "http://www.a.com/x/"),
        ("https://a.com/x?b=1&a=2", "https://a.com/x?a=2&b=1&utm_source=mail"),
        ("https://a.com:443/x#part", "https://A.com/x"),
        ("https://a.com/%7Ejo", "https://a.com/~jo"),
        ("https://a.com/%ec%9c%84", "https://a.com/위"),
    ],
)
def test_two_spellings_of_one_page_have_one_key(one: str, other: str) -> None:
    first, second = address(one), address(other)
    assert first is not None
    assert second is not None
    assert first.key == second.key


def test_different_pages_have_different_keys() -> None:
    urls = ["https://a.com/x", "https://a.com/y", "https://a.com/x?id=1", "https://a.com/x?id=2", "https://a.com:81/x"]
    assert len({found.key for found in map(address, urls) if found}) == len(urls)
