"""The way to a repository's host: signed in, and held to an address that was looked at. A proxy decides for itself.

Settings for the `git` command come out; nothing is fetched here.
"""

from __future__ import annotations

import asyncio
import contextlib
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adapters.sources.git_command import ended
from adapters.sources.git_remote import Remote
from adapters.sources.resolving import Resolve, admitted
from core.errors import SourceError
from core.web.reach import Reach

_SSH = ("ssh", "-oBatchMode=yes", "-oConnectTimeout=20", "-oClearAllForwardings=yes")
_NOWHERE = "255.255.255.255"
_SECONDS = 20.0
_PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Way:
    """To `origin`, within `reach`; `environment` says where proxies and ssh are."""

    origin: Remote
    reach: Reach
    resolve: Resolve
    environment: Mapping[str, str] = field(repr=False)

    async def settings(self) -> dict[str, str]:
        """What git must be told; raises SourceError `error.source_private` or `error.git_failed`."""
        if self.origin.scheme == "file":
            return {}
        if self.origin.scheme == "ssh":
            return {"core.sshCommand": shlex.join([*_SSH, *await self._held_ssh()])}
        signed_in = {"http.extraHeader": self.origin.authorization} if self.origin.authorization else {}
        return signed_in | {"http.curloptResolve": await self._held_http()}

    async def _held_http(self) -> str:
        host, port = self.origin.host, self.origin.port
        try:
            kept = await self._looked_at(host, port)
        except OSError as error:
            if not any(name.lower() in ("https_proxy", "all_proxy") for name in self.environment):
                raise self._unknown(host) from error
            kept = [_NOWHERE]  # a name that only the proxy knows; without it nobody gets there
        return f"{host}:{port}:" + ",".join(f"[{each}]" if ":" in each else each for each in kept)

    async def _held_ssh(self) -> list[str]:
        """ssh looks names up by itself: it is given an address instead, and the name for its known hosts."""
        told = await self._configured()
        host, port = told["hostname"], int(told["port"])
        proxied = any(told.get(name, "none") != "none" for name in ("proxyjump", "proxycommand"))
        try:
            kept = await self._looked_at(host, port)
        except OSError as error:
            if proxied:
                return []
            raise self._unknown(host) from error
        if proxied:
            return []
        alias = told.get("hostkeyalias") or (host if port == 22 else f"[{host}]:{port}")
        at = (await _answering(kept, port)).replace("%", "%%")
        return [f"-oHostName={at}", f"-oHostKeyAlias={alias}"]

    async def _configured(self) -> dict[str, str]:
        """What ssh's own configuration says of the host: its name, port, proxy."""
        port = ("-p", str(self.origin.port)) if self.origin.port != 22 else ()
        try:
            process = await asyncio.create_subprocess_exec(
                *("ssh", "-G", *port, "--", self.origin.destination),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=dict(self.environment),
                start_new_session=True,
            )
        except OSError as error:
            raise self._failed("the ssh command can't be run") from error
        try:
            async with asyncio.timeout(_SECONDS):
                printed, _ = await process.communicate()
        except TimeoutError:
            printed = b""
        finally:
            await ended(process)
        told = dict(line.partition(" ")[::2] for line in printed.decode("utf-8", "replace").split("\n"))
        if "hostname" not in told or not told.get("port", "").isdecimal():
            raise self._failed(f"ssh -G {self.origin.destination} told no host")
        return told

    async def _looked_at(self, host: str, port: int) -> list[str]:
        """The addresses that may be connected to; raises OSError for a name that is not known here."""
        kept = admitted(self.reach, self.origin.host, await self.resolve(host, port))
        if not kept:
            raise SourceError("error.source_private", source=self.origin.shown, host=self.origin.host)
        return kept

    def _unknown(self, host: str) -> SourceError:
        return self._failed(f"{host} is not known")

    def _failed(self, what: str) -> SourceError:
        return SourceError("error.git_failed", source=self.origin.shown, what=what)


async def _answering(addresses: Sequence[str], port: int) -> str:
    """ssh can be held to one address: of several, the first that takes a connection."""
    for each in addresses[:-1]:
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                _, writer = await asyncio.open_connection(each, port)
            writer.close()
            return each
    return addresses[-1]
