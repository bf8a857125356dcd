"""A website on loopback that a test writes page by page, and that counts what it was asked."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web


@dataclass
class Reply:
    """What is answered for one path. `drip` seconds lie between the pieces of the body."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "text/html"
    drip: float = 0.0
    tagged: bool = True


@dataclass
class Site:
    """The pages by path, and each request: its path with the status it was answered with."""

    url: str = ""
    replies: dict[str, Reply] = field(default_factory=dict)
    asked: list[tuple[str, int]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0

    def page(self, path: str, *links: str, text: str = "", head: str = "", **more: object) -> None:
        """A page with a heading, a text and links."""
        listed = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
        words = text or f"The page {path} tells something of its own."
        html = f"<html><head><title>{path}</title>{head}</head><body><nav><ul>{listed}</ul></nav>"
        html += f"<main><h1>Title of {path}</h1><p>{words}</p></main></body></html>"
        self.replies[path] = Reply(html.encode(), **more)  # type: ignore[arg-type]

    def text(self, path: str, text: str, kind: str = "text/plain") -> None:
        self.replies[path] = Reply(text.encode(), kind=kind)

    def sitemap(self, path: str, *urls: str, index: bool = False) -> None:
        outer, inner = ("sitemapindex", "sitemap") if index else ("urlset", "url")
        named = "".join(f"<{inner}><loc>{self.url}{url}</loc></{inner}>" for url in urls)
        xml = f'<?xml version="1.0"?><{outer} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{named}</{outer}>'
        self.text(path, xml, "application/xml")

    def moved(self, path: str, target: str, status: int = 301) -> None:
        self.replies[path] = Reply(status=status, headers={"Location": target})

    def count(self, path: str) -> Counter[int]:
        """How often the path was answered with each status."""
        return Counter(status for asked, status in self.asked if asked == path)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._answer(request)
        finally:
            self.at_once -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        path = request.raw_path
        reply = self.replies.get(path, Reply(b"nothing here", 404))
        headers = {"Content-Type": reply.kind, **reply.headers}
        if reply.tagged and reply.status == 200:
            headers["ETag"] = f'"{hashlib.sha256(reply.body).hexdigest()[:16]}"'
            if request.headers.get("If-None-Match") == headers["ETag"]:
                self.asked.append((path, 304))
                return web.Response(status=304)
        self.asked.append((path, reply.status))
        if not reply.drip:
            return web.Response(status=reply.status, headers=headers, body=reply.body)
        response = web.StreamResponse(status=reply.status, headers=headers)
        await response.prepare(request)
        while True:
            await response.write(reply.body or b"x")
            await asyncio.sleep(reply.drip)


@asynccontextmanager
async def website(host: str = "127.0.0.1") -> AsyncIterator[Site]:
    """A site on a free port."""
    site = Site()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", site.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, host, 0).start()
    site.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield site
    finally:
        await runner.cleanup()
