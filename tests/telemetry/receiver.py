"""A receiver on loopback for whatever is posted to it: it stands for a collector, or for LangSmith."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True, slots=True)
class Posted:
    """A request as it came, its body unpacked."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """Where it is, and what it was sent; `status` is its answer to everything."""

    address: str
    status: int = 200
    posted: list[Posted] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Every body, as far as it is text."""
        return "\n".join(each.body.decode("utf-8", "replace") for each in self.posted)


@contextmanager
def receiving(status: int = 200) -> Iterator[Receiver]:
    """A running receiver; when it is left, no connection is open any more."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(200, b"{}")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0)) or self._chunks()
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            receiver.posted.append(Posted(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            self._answer(receiver.status, b"{}")

        def _chunks(self) -> bytes:
            whole = b""
            while self.headers.get("transfer-encoding") == "chunked" and (size := int(self.rfile.readline(), 16)):
                whole += self.rfile.read(size)
                self.rfile.readline()
            return whole

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = Receiver(f"http://127.0.0.1:{server.server_address[1]}", status)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
