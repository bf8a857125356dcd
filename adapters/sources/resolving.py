"""Names to addresses, once, and only to those that may be connected to."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence

from core.web.reach import Reach

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The IP addresses of a host, in the order to try; raises OSError when there are none."""


async def system_resolve(host: str, port: int) -> Sequence[str]:
    """As this machine resolves names."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def admitted(reach: Reach, host: str, addresses: Sequence[str]) -> list[str]:
    """Those of the addresses that may be connected to."""
    return [address for address in addresses if reach.admits(host, address)]
