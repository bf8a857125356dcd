"""Which network addresses a fetched page may come from: public ones, and what the configuration allows by name. Pure.

Whoever connects asks here with the address that is about to be connected to, never with a name alone: a name may
lead somewhere else a moment later.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from core.web.addresses import host

Ip = ipaddress.IPv4Address | ipaddress.IPv6Address

# Written out, because what Python calls global has changed between its patch releases.
_CLOSED_V4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16"),
            *("192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
            "168.63.129.16/32",  # public by number, yet the machine's own host in one of the clouds
        ),
    )
)
_OPEN_V6 = ipaddress.IPv6Network("2000::/3")
_CLOSED_V6 = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
# A public IPv4 address inside an IPv6 one, as networks without IPv4 give it.
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class Reach:
    """What may be connected to: every public address, and the hosts in `private` wherever they lead.

    Made by `reach`. An IP address in `private` stands for itself as the host of an address; a name that leads
    there is another host.
    """

    private: frozenset[str] = frozenset()

    def admits(self, name: str, address: str) -> bool:
        """Whether the host (as `core.web.addresses.host` gives it) may be connected to at this IP address."""
        return name in self.private or is_public(address)


def reach(private: Iterable[str] = ()) -> Reach:
    """The reach from what people write; raises ValueError that says what can't be used."""
    return Reach(frozenset(map(_named, private)))


def is_public(address: str) -> bool:
    """Whether an IP address lies on the public internet; False for anything that is none."""
    try:
        found: Ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or _translated(found)
        if inner is None:
            return not found.scope_id and found in _OPEN_V6 and not any(found in net for net in _CLOSED_V6)
        found = inner
    return not any(found in net for net in _CLOSED_V4)


def _translated(found: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    return ipaddress.IPv4Address(int(found) & 0xFFFFFFFF) if found in _TRANSLATED else None


def _named(text: str) -> str:
    found = host(text.strip().removeprefix("[").removesuffix("]"))
    if found is None:
        raise ValueError(f"{text!r} is no host; write a name or an IP address, without https://, port or path")
    return found
