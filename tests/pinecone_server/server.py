"""Pinecone on loopback: the wire of its API 2026-07 that document indexes use, with its limits, lag and faults.

Every index has a port of its own, as every index has a host of its own there.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.pinecone_server.namespaces import Namespace

RECORDS, BYTES, DELETED, FETCHED, LISTED, MOST = 100, 2 * 2**20, 1000, 1000, 100, 10_000
REQUEST, INDEXED = "x-pinecone-request-lsn", "x-pinecone-max-indexed-lsn"


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to the next request whose path holds `path`: an answer of this status, a delay, a dead line."""

    status: int = 0
    path: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    hang_up: bool = False
    says: str = "no"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    size: int
    body: Any


@dataclass
class Index:
    """One index and its namespaces."""

    about: dict[str, Any]
    dimension: int
    namespaces: dict[str, Namespace] = field(default_factory=dict)


@dataclass
class PineconeServer:
    """Where it is and what it was asked; `delay` is how long a write stays invisible."""

    key: str = "pc-secret-0123456789"
    delay: float = 0.0
    numbers: bool = True
    """Whether answers tell the numbers of writes."""
    ready_after: float = 0.0
    keeps: bool = True
    """Whether bodies are kept in `asked`."""
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    indexes: dict[str, Index] = field(default_factory=dict)
    _ports: dict[int, str] = field(default_factory=dict)
    _written: int = 0
    _runner: web.AppRunner | None = None
    _closing: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    async def start(self) -> None:
        """Listen."""
        app = web.Application(middlewares=[self._watched], client_max_size=64 * 2**20)
        app.router.add_get("/indexes", self._list_indexes)
        app.router.add_post("/indexes", self._create)
        app.router.add_get("/indexes/{name}", self._describe)
        app.router.add_post("/describe_index_stats", self._stats)
        for name, answer in (
            ("upsert", self._upsert),
            ("search", self._search),
            ("delete", self._delete),
            ("fetch", self._fetch),
            ("list", self._list),
        ):
            app.router.add_post(f"/namespaces/{{space}}/documents/{name}", answer)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        self.url = f"http://127.0.0.1:{await self._listen()}"

    async def stop(self) -> None:
        """Close every port."""
        if not self._closing.done():
            self._closing.set_result(None)
        if self._runner is not None:
            await self._runner.cleanup()

    def paths(self, part: str) -> list[Asked]:
        """The requests whose path holds this."""
        return [asked for asked in self.asked if part in asked.path]

    async def made(self, name: str, dimension: int, metric: str = "cosine") -> Index:
        """An index, as if it had been there before."""
        port = await self._listen()
        about = {
            "name": name,
            "host": f"http://127.0.0.1:{port}",
            "status": {"ready": self.ready_after <= 0, "state": "Initializing" if self.ready_after > 0 else "Ready"},
            "schema": {"fields": {"embedding": {"type": "dense_vector", "dimension": dimension, "metric": metric}}},
            "deployment": {"deployment_type": "managed", "cloud": "aws", "region": "us-east-1"},
            "deletion_protection": "disabled",
        }
        self._ports[port] = name
        self.indexes[name] = Index(about, dimension)
        if self.ready_after > 0:
            status = {"ready": True, "state": "Ready"}
            asyncio.get_running_loop().call_later(self.ready_after, lambda: about.update(status=status))
        return self.indexes[name]

    async def _listen(self) -> int:
        assert self._runner is not None
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port: int = self._runner.addresses[-1][1]
        return port

    # --- around every request ---------------------------------------------------------------------------

    @web.middleware
    async def _watched(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        body = await request.read()
        kept = json.loads(body) if body and self.keeps else None
        self.asked.append(Asked(request.method, request.path, len(body), kept))
        fault = next((fault for fault in self.faults if fault.path in request.path), None)
        if fault is not None:
            self.faults.remove(fault)
            await asyncio.wait([self._closing], timeout=fault.delay)
            if fault.hang_up and request.transport is not None:
                request.transport.abort()
            if fault.status:
                return _refusal(fault.status, fault.says, fault.headers)
        if request.headers.get("Api-Key") != self.key:
            return _refusal(401, "Invalid API key")
        if len(body) > BYTES:
            return _refusal(413, "too large")
        return await handler(request)

    # --- indexes ----------------------------------------------------------------------------------------

    async def _list_indexes(self, _: web.Request) -> web.Response:
        return web.json_response({"indexes": [index.about for index in self.indexes.values()]})

    async def _create(self, request: web.Request) -> web.Response:
        body = await request.json()
        if body["name"] in self.indexes:
            return _refusal(409, "exists")
        stored = body["schema"]["fields"]["embedding"]
        index = await self.made(body["name"], stored["dimension"], stored["metric"])
        index.about["deployment"] = body["deployment"]
        return web.json_response(index.about, status=201)

    async def _describe(self, request: web.Request) -> web.Response:
        index = self.indexes.get(request.match_info["name"])
        return web.json_response(index.about) if index else _refusal(404, "no such index")

    async def _stats(self, request: web.Request) -> web.Response:
        index = self._index(request)
        for namespace in index.namespaces.values():
            namespace.catch_up()
        counts = {name: {"vectorCount": len(n.records)} for name, n in index.namespaces.items() if n.caught_up}
        total = sum(count["vectorCount"] for count in counts.values())
        about = {"namespaces": counts, "dimension": index.dimension, "indexFullness": 0, "totalVectorCount": total}
        return web.json_response(about)

    # --- records ----------------------------------------------------------------------------------------

    async def _upsert(self, request: web.Request) -> web.Response:
        index, records = self._index(request), (await request.json())["documents"]
        if len(records) > RECORDS:
            return _refusal(400, "too many records")
        for record in records:
            if len(record["embedding"]) != index.dimension:
                return _refusal(400, f"Vector dimension {len(record['embedding'])} does not match {index.dimension}")
            if not any(record["embedding"]):
                return _refusal(400, "Dense vectors must contain at least one non-zero value")
        number = self._wrote()
        self._namespace(request).write(number, self.delay, put=records)
        return self._answer({"upserted_count": len(records)}, REQUEST, number)

    async def _delete(self, request: web.Request) -> web.Response:
        ids = (await request.json())["ids"]
        if len(ids) > DELETED:
            return _refusal(400, "too many ids")
        number = self._wrote()
        self._namespace(request).write(number, self.delay, drop=ids)
        return self._answer({}, REQUEST, number)

    async def _search(self, request: web.Request) -> web.Response:
        body, index = await request.json(), self._index(request)
        (clause,) = body["score_by"]
        if clause["field"] != "embedding" or len(clause["values"]) != index.dimension:
            return _refusal(400, "Vector dimension does not match")
        if not 1 <= body["top_k"] <= MOST:
            return _refusal(400, "top_k out of range")
        namespace, wanted = self._read(request), body.get("include_fields") or ()
        found = namespace.search(clause["values"], body["top_k"], body.get("filter"))
        matches = [
            {"_id": id_, "_score": score} | {k: v for k, v in about.items() if k in wanted}
            for id_, score, about in found
        ]
        said = {"matches": matches, "namespace": request.match_info["space"], "usage": {"read_units": 1}}
        return self._answer(said, INDEXED, namespace.caught_up)

    async def _fetch(self, request: web.Request) -> web.Response:
        body = await request.json()
        if len(body["ids"]) > FETCHED:
            return _refusal(400, "too many ids")
        documents = self._read(request).fetched(body["ids"], body.get("include_fields"))
        said = {"documents": documents, "namespace": request.match_info["space"], "usage": {"read_units": 1}}
        return web.json_response(said)

    async def _list(self, request: web.Request) -> web.Response:
        body = await request.json()
        limit = min(body.get("limit") or LISTED, LISTED)
        ids = self._read(request).listed(body.get("prefix") or "", body.get("pagination_token") or "", limit)
        said: dict[str, Any] = {
            "documents": [{"_id": id_} for id_ in ids],
            "namespace": request.match_info["space"],
            "usage": {"read_units": 1},
        }
        if len(ids) == limit:
            said["pagination"] = {"next": ids[-1]}
        return web.json_response(said)

    def _index(self, request: web.Request) -> Index:
        assert request.transport is not None
        port = request.transport.get_extra_info("sockname")[1]
        index = self.indexes.get(self._ports.get(port, ""))
        if index is None:
            raise web.HTTPNotFound(text=json.dumps({"error": {"code": "NOT_FOUND", "message": "no such index"}}))
        return index

    def _namespace(self, request: web.Request) -> Namespace:
        index = self._index(request)
        return index.namespaces.setdefault(request.match_info["space"], Namespace(index.dimension))

    def _read(self, request: web.Request) -> Namespace:
        """The namespace as far as it is visible; an unknown one is empty."""
        index = self._index(request)
        namespace = index.namespaces.get(request.match_info["space"], Namespace(index.dimension))
        namespace.catch_up()
        return namespace

    def _wrote(self) -> int:
        self._written += 1
        return self._written

    def _answer(self, said: dict[str, Any], header: str, number: int) -> web.Response:
        return web.json_response(said, headers={header: str(number)} if self.numbers else {})


def _refusal(status: int, says: str, headers: dict[str, str] | None = None) -> web.Response:
    body = {"error": {"code": "REFUSED", "message": says}, "status": status}
    return web.json_response(body, status=status, headers=headers)


@asynccontextmanager
async def serving(**options: Any) -> AsyncIterator[PineconeServer]:
    """The server, from here to the end of the block."""
    server = PineconeServer(**options)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
