"""git and ssh connect to the address that was looked at and to no other; a proxy decides for itself.

In place of ssh stands a script that asks the real one where it would go, writes that down, and serves from this
machine.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from adapters.sources.git import GitSource
from core.errors import SourceError
from core.web.reach import reach
from tests.sources.repositories import git_host, repository
from tests.sources.test_git import names, source

REAL = shutil.which("ssh")
OUTSIDE = "93.184.216.34"
SCRIPT = """#!/bin/sh
real="{real} -F {home}/config"
case "$1" in -G) exec $real "$@" ;; esac
$real -G "$@" > {home}/went
for last; do :; done
cd / && exec sh -c "$last"
"""


@dataclass
class Home:
    """Where ssh is and what it is configured to; `asked` is what was looked up."""

    path: Path
    addresses: dict[str, Sequence[str]] = field(default_factory=lambda: {"git.example": (OUTSIDE,)})
    asked: list[tuple[str, int]] = field(default_factory=list)

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.asked.append((host, port))
        if host not in self.addresses:
            raise OSError("unknown")
        return self.addresses[host]

    def configure(self, text: str) -> None:
        (self.path / "config").write_text(text, encoding="utf-8")

    def source(self, address: str, *private: str) -> GitSource:
        """`{}` in the address is the repository's path."""
        found = source(address.format(str(self.path / "docs").removeprefix("/")), self.path)
        environment = {**found.environment, "PATH": f"{self.path / 'bin'}:{os.environ['PATH']}"}
        return replace(found, resolve=self.resolve, reach=reach(private), environment=environment)

    def went(self) -> dict[str, str]:
        """Where ssh went; empty when it never did."""
        file = self.path / "went"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else ()
        return dict(line.partition(" ")[::2] for line in lines)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    if REAL is None:
        pytest.skip("there is no ssh here")
    repository(tmp_path / "docs", {"a.md": "a"})
    ssh = tmp_path / "bin" / "ssh"
    ssh.parent.mkdir()
    ssh.write_text(SCRIPT.format(real=REAL, home=tmp_path), encoding="utf-8")
    ssh.chmod(0o755)
    made = Home(tmp_path)
    made.configure("")
    return made


WORK = "Host Work\n  HostName git.example\n  Port 2200\n  User deploy\n"


@pytest.mark.parametrize(
    ("address", "config", "expected"),
    [
        ("git@git.example:{}", "", ("git", "22", "git.example")),
        ("ssh://git.example/{}", "User deploy\n", ("deploy", "22", "git.example")),
        ("ssh://git@git.example:2222/{}", "Port 2200\n", ("git", "2222", "[git.example]:2222")),
        ("git@Work:{}", WORK, ("git", "2200", "[git.example]:2200")),
        ("git@git.example:{}", "HostKeyAlias forge\nCanonicalizeHostname yes\n", ("git", "22", "forge")),
        ("git@git.example:{}", "ProxyJump none\nCheckHostIP yes\n", ("git", "22", "git.example")),
    ],
)
@pytest.mark.parametrize("ip", [OUTSIDE, "2606:2800:220:1::1"])
async def test_ssh_goes_to_the_address_that_was_looked_at_and_knows_the_host_by_its_name(
    home: Home, address: str, config: str, expected: tuple[str, str, str], ip: str
) -> None:
    home.configure(config)
    home.addresses["git.example"] = (ip,)
    assert names(await home.source(address).list()) == ["a.md"]
    went = home.went()
    assert went["hostname"] == ip
    assert (went["user"], went["port"], went["hostkeyalias"]) == expected
    assert home.asked == [("git.example", int(expected[1]))]
    assert went["batchmode"] == "yes"


@pytest.mark.parametrize(("address", "config"), [("git@git.example:{}", ""), ("git@Work:{}", WORK)])
async def test_ssh_reaches_no_host_inside_unless_it_is_named(home: Home, address: str, config: str) -> None:
    home.configure(config)
    home.addresses["git.example"] = ("10.0.0.7",)
    with pytest.raises(SourceError) as caught:
        await home.source(address).list()
    assert (caught.value.reason, home.went()) == ("error.source_private", {})
    name = address.partition("@")[2].partition(":")[0]
    assert names(await home.source(address, name).list()) == ["a.md"]
    assert home.went()["hostname"] == "10.0.0.7"


async def test_ssh_goes_nowhere_when_the_name_is_not_known_here(home: Home) -> None:
    with pytest.raises(SourceError) as caught:
        await home.source("git@elsewhere.example:{}").list()
    assert (caught.value.reason, home.went()) == ("error.git_failed", {})
    assert "elsewhere.example" in caught.value.user_message("en")


@pytest.mark.parametrize("host", ["git.example", "elsewhere.example"])
@pytest.mark.parametrize("proxy", ["ProxyJump gate.example", "ProxyCommand nc %h %p"])
async def test_a_proxy_of_sshs_own_configuration_is_given_the_name(home: Home, host: str, proxy: str) -> None:
    home.configure(proxy)
    assert names(await home.source(f"git@{host}:{{}}").list()) == ["a.md"]
    assert home.went()["hostname"] == host


async def test_of_several_addresses_ssh_is_given_one_that_takes_a_connection(home: Home) -> None:
    async with await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        home.addresses["git.internal"] = ("::1", "127.0.0.1", "127.0.0.2")
        await home.source(f"ssh://git@git.internal:{port}/{{}}", "git.internal").list()
    assert home.went()["hostname"] == "127.0.0.1"


async def test_a_name_that_only_the_proxy_knows_is_reached_through_it_and_by_no_other_way(tmp_path: Path) -> None:
    """`localhost` stands for a name that is unknown at first and leads inside a moment later."""
    repository(tmp_path / "www" / "docs", {"a.md": "a"})

    async def unknown(host: str, port: int) -> Sequence[str]:
        raise OSError("unknown")

    async with git_host(tmp_path / "www") as host:
        found = replace(source(host.url.replace("127.0.0.1", "localhost") + "/docs/.git", tmp_path), resolve=unknown)
        with pytest.raises(SourceError):
            await found.list()
        environment = {**found.environment, "ALL_PROXY": host.url}
        with pytest.raises(SourceError):
            await replace(found, environment={**environment, "NO_PROXY": "localhost"}).list()
        assert host.asked == []
        assert names(await replace(found, environment=environment).list()) == ["a.md"]
