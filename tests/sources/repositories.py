"""Git repositories made for a test, and a server that gives them out over HTTP as git hosts do."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web

PIECE = 2**15

WHO = {
    "GIT_AUTHOR_NAME": "Refdesk",
    "GIT_AUTHOR_EMAIL": "r@example.com",
    "GIT_COMMITTER_NAME": "Refdesk",
    "GIT_COMMITTER_EMAIL": "r@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True)
class Repository:
    """A repository that is worked in."""

    path: Path

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env={**os.environ, **WHO}, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def commit(self, files: Mapping[str, str | bytes | None]) -> str:
        """The commit after writing these files; None takes one away."""
        for name, text in files.items():
            path = self.path / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.git("add", "--all", ".")
        self.git("commit", "--quiet", "--allow-empty", "-m", "change")
        return self.git("rev-parse", "HEAD")


def repository(path: Path, files: Mapping[str, str | bytes | None]) -> Repository:
    """A new one, with one commit on the branch main."""
    path.mkdir(parents=True)
    made = Repository(path)
    made.git("init", "--quiet", "--initial-branch=main")
    made.commit(files)
    return made


@dataclass
class Host:
    """What a git host was asked, and how it answers. `drip` seconds lie between the pieces of an answer.

    After `cut` pieces the connection is lost. `broken_off` counts the answers that nobody waited for to the end.
    """

    url: str
    root: Path
    asked: list[tuple[str, str]] = field(default_factory=list)
    authorization: str = ""
    redirect: str = ""
    pause: float = 0.0
    drip: float = 0.0
    cut: int | None = None
    broken_off: int = 0


@asynccontextmanager
async def git_host(root: Path) -> AsyncIterator[Host]:
    """The repositories below `root` over git's smart HTTP protocol, on loopback."""
    host = Host("", root)

    async def answer(request: web.Request) -> web.StreamResponse:
        host.asked.append((request.path_qs, request.headers.get("Authorization", "")))
        if host.redirect:
            raise web.HTTPFound(host.redirect + request.path_qs)
        if host.authorization and request.headers.get("Authorization") != host.authorization:
            raise web.HTTPUnauthorized(headers={"WWW-Authenticate": 'Basic realm="git"'})
        await asyncio.sleep(host.pause)
        given = await _backend(root, request)
        return await _dripped(host, request, given) if host.drip else given

    app = web.Application(client_max_size=2**28)
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield host
    finally:
        await runner.cleanup()


async def _dripped(host: Host, request: web.Request, given: web.Response) -> web.StreamResponse:
    assert isinstance(given.body, bytes)
    response = web.StreamResponse(status=given.status, headers=given.headers)
    await response.prepare(request)
    drip = host.drip
    try:
        for number, start in enumerate(range(0, len(given.body), PIECE)):
            await asyncio.sleep(drip)
            if number == host.cut and request.transport is not None:
                request.transport.abort()
            await response.write(given.body[start : start + PIECE])
    except ConnectionError:
        host.broken_off += 1
        raise
    return response


async def _backend(root: Path, request: web.Request) -> web.Response:
    env = {
        "PATH": os.environ["PATH"],
        **WHO,
        "GIT_PROJECT_ROOT": str(root),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": request.path,
        "QUERY_STRING": request.query_string,
        "REQUEST_METHOD": request.method,
        "CONTENT_TYPE": request.headers.get("Content-Type", ""),
        "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
        "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
    }
    process = await asyncio.create_subprocess_exec(
        "git", "http-backend", env=env, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate(await request.read())
    head, _, body = printed.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
    status = int(headers.pop("Status", "200 OK").split()[0])
    return web.Response(status=status, headers=headers, body=body)
