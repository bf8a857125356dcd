"""The scripted server: one prepared answer after the other, the last one again and again."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Scripted:
    """One answer: status, headers, a body as it goes over the wire; `delay` before it, `drip` between its bytes."""

    status: int = 200
    body: bytes = b'{"results": []}'
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    hang_up: bool = False
    chunked: int = 0
    """So many copies of the body, in chunks, without a length before them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


@dataclass
class TavilyServer:
    """Where it is, what it will say, what it was asked."""

    url: str = ""
    script: list[Scripted] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def will_say(self, *answers: Scripted) -> None:
        """From now on these, one after the other."""
        self.script = list(answers)

    def will_find(self, *results: Mapping[str, Any]) -> None:
        """From now on these results."""
        self.will_say(found(results))

    def next(self, asked: Asked) -> Scripted:
        """The answer to a request."""
        self.asked.append(asked)
        if not self.script:
            return Scripted()
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


def found(results: Sequence[Mapping[str, Any]]) -> Scripted:
    """An answer with these results."""
    body = {"query": "…", "answer": None, "images": [], "results": list(results), "response_time": 0.1}
    return Scripted(body=json.dumps(body).encode())


def result(url: str, text: str = "The limit is 50 requests a minute.", **more: Any) -> dict[str, Any]:
    """One result as Tavily gives it."""
    return {"url": url, "title": "Limits", "content": text[:200], "raw_content": text, "score": 0.9, **more}


def refusing(status: int, says: str = "no", **headers: str) -> Scripted:
    """A refusal in Tavily's own form."""
    body = json.dumps({"detail": {"error": says}}).encode()
    return Scripted(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


@contextmanager
def serving() -> Iterator[TavilyServer]:
    """The server, from here to the end of the block."""
    told = TavilyServer()
    http = _Server(told)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    told.url = f"http://127.0.0.1:{http.server_address[1]}"
    try:
        yield told
    finally:
        told.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, told: TavilyServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.told = told


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        body = json.loads(self.rfile.read(length) or b"{}")
        self._say(self.server.told.next(Asked(self.path, dict(self.headers.items()), body)))

    def _say(self, answer: Scripted) -> None:
        self.server.told.closing.wait(answer.delay)
        if answer.hang_up:
            self.close_connection = True
            return
        try:
            self._write(answer)
        except OSError:
            self.close_connection = True  # the client has gone

    def _write(self, answer: Scripted) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/json")
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        elif "Content-Length" not in answer.headers:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        for _ in range(answer.chunked):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(answer.body), answer.body))
        if answer.chunked:
            self.wfile.write(b"0\r\n\r\n")
            return
        step = 1 if answer.drip else max(1, len(answer.body))
        for start in range(0, len(answer.body), step):
            if answer.drip and self.server.told.closing.wait(answer.drip):
                break
            self.wfile.write(answer.body[start : start + step])
        if "Content-Length" in answer.headers:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""
