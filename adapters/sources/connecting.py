"""The last door before the network: only addresses that were looked at get a connection.

aiohttp resolves a name here and connects to what it is given, so that nothing can lead elsewhere in between.
"""

from __future__ import annotations

import socket

from aiohttp.abc import AbstractResolver, ResolveResult

from adapters.sources.resolving import Resolve, admitted
from core.web.reach import Reach


class Inside(OSError):
    """A host that is not to be reached."""


class CheckedResolver(AbstractResolver):
    """Resolves once and gives out only addresses that may be connected to; nothing else gets a socket."""

    def __init__(self, reach: Reach, resolve: Resolve) -> None:
        self._reach, self._resolve = reach, resolve
        self._admitted: set[str] = set()

    def admits_literal(self, host: str) -> bool:
        """Whether an IP address that stands as a host may be connected to."""
        if self._reach.admits(host, host):
            self._admitted.add(host)
        return host in self._admitted and self._reach.admits(host, host)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a name; raises OSError when none may be reached."""
        kept = admitted(self._reach, host.rstrip(".").lower(), await self._resolve(host, port))
        if not kept:
            raise Inside(f"{host} is not on the public internet")
        self._admitted.update(kept)
        return [
            ResolveResult(
                hostname=host,
                host=each,
                port=port,
                family=socket.AF_INET6 if ":" in each else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for each in kept
        ]

    def socket(self, wanted: tuple[object, ...]) -> socket.socket:
        """A socket for an address that was looked at; the last door, whichever way led to it."""
        family, kind, protocol, _, place = wanted
        assert isinstance(place, tuple)
        if str(place[0]) not in self._admitted:
            raise Inside(f"{place[0]} was not looked at")
        return socket.socket(family, kind, protocol)  # type: ignore[arg-type]

    async def close(self) -> None:
        """Nothing is kept open."""
