"""The gateway: greets, identifies, resumes and tells events; and breaks in every way that a gateway breaks."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import discord
from aiohttp import WSMsgType, web
from simcord import intents as rules
from simcord.backend import Backend, serializers

from tests.discord_server.audience import shard_of, told
from tests.discord_server.session import Line, Session

HEARTBEAT, IDENTIFY, RESUME, RECONNECT, MEMBERS, INVALID, HELLO, ACK = 1, 2, 6, 7, 8, 9, 10, 11
FAILED, WRONG_SHARD, FORBIDDEN = 4004, 4010, 4014


@dataclass(frozen=True, slots=True)
class Greeting:
    """How a client began: `kind` is "identify" or "resume"."""

    kind: str
    shard: tuple[int, int]
    intents: discord.Intents
    after: int = 0


@dataclass
class Gateway:
    """All sessions. `granted` are the intents that the application was given."""

    backend: Backend
    token: str
    granted: discord.Intents
    heartbeat: float = 41.25
    greetings: list[Greeting] = field(default_factory=list)
    heartbeats: int = 0
    refusals: deque[bool] = field(default_factory=deque)
    """Each entry refuses one IDENTIFY or RESUME as an invalid session; it says whether it may be resumed."""
    sessions: dict[str, Session] = field(default_factory=dict)
    resume_url: str = ""
    _lines: list[Line] = field(default_factory=list)

    # --- how it breaks ----------------------------------------------------------------------------------

    def drop(self) -> None:
        """Break off every connection without a word; sessions can be resumed."""
        for session in self.sessions.values():
            session.line = None
        for line in list(self._lines):
            line.cut()

    def go_silent(self) -> None:
        """Every connection stays open and says nothing any more, not even to heartbeats."""
        for line in self._lines:
            line.silent = True

    def ask_to_reconnect(self) -> None:
        """Ask every client to connect anew and resume."""
        for line in self._lines:
            line.send({"op": RECONNECT, "d": None})

    def invalidate(self, *, resumable: bool = False) -> None:
        """Tell every client that its session is invalid."""
        if not resumable:
            self.forget()
        for line in self._lines:
            line.send({"op": INVALID, "d": resumable})

    def forget(self) -> None:
        """No session can be resumed any more."""
        self.sessions.clear()

    async def close(self, code: int) -> None:
        """Close every connection with a code."""
        for line in list(self._lines):
            await line.close(code)

    # --- how it works -----------------------------------------------------------------------------------

    @property
    def connected(self) -> int:
        """How many sessions have a connection."""
        return sum(session.line is not None for session in self.sessions.values())

    def publish(self, event: str, payload: Mapping[str, Any]) -> None:
        """Tell every session that may hear it."""
        if event == "GUILD_CREATE":  # a new one; those of a greeting say that they are not unavailable
            payload = {key: value for key, value in payload.items() if key != "unavailable"}
        for session in list(self.sessions.values()):
            heard = told(self.backend, event, payload, session.shard, session.intents)
            if heard is not None:
                session.tell(event, heard)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """One connection from its greeting to its end."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        line = Line(socket, request)
        self._lines.append(line)
        line.send({"op": HELLO, "d": {"heartbeat_interval": int(self.heartbeat * 1000)}})
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                code = self._hear(line, json.loads(message.data))
                if code:
                    await line.close(code)
        finally:
            self._lines.remove(line)
            for session in self.sessions.values():
                session.line = None if session.line is line else session.line
            await line.end()
        return socket

    def _hear(self, line: Line, message: dict[str, Any]) -> int:
        """Answer one message; a code ends the connection."""
        op, data = message["op"], message["d"]
        if op == HEARTBEAT:
            self.heartbeats += 1
            line.send({"op": ACK})
        elif op in (IDENTIFY, RESUME):
            if data["token"] != self.token:
                return FAILED
            if self.refusals:
                line.send({"op": INVALID, "d": self.refusals.popleft()})
                return 0
            return self._identify(line, data) if op == IDENTIFY else self._resume(line, data)
        elif op == MEMBERS:
            self._members(line, data)
        return 0

    def _identify(self, line: Line, data: dict[str, Any]) -> int:
        intents = discord.Intents._from_value(data["intents"])
        shard = tuple(data.get("shard") or (0, 1))
        if rules.missing_privileged_intents(intents, self.granted):
            return FORBIDDEN
        if not 0 <= shard[0] < shard[1]:
            return WRONG_SHARD
        self.greetings.append(Greeting("identify", shard, intents))
        session = Session(f"session-{len(self.greetings)}", shard, intents, line)
        self.sessions[session.id] = session
        guilds = [
            each for each in self.backend.guilds.values() if shard_of("", {"guild_id": each.id}, shard[1]) == shard[0]
        ]
        session.tell("READY", self._ready(session, [{"id": str(each.id), "unavailable": True} for each in guilds]))
        for each in guilds:
            arrival = told(
                self.backend, "GUILD_CREATE", serializers.guild_create_payload(self.backend, each), shard, intents
            )
            if arrival is not None:
                session.tell("GUILD_CREATE", arrival)
        return 0

    def _ready(self, session: Session, guilds: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "v": 10,
            "user": dict(serializers.user_payload(self.backend.bot_user)),
            "guilds": guilds,
            "session_id": session.id,
            "resume_gateway_url": self.resume_url,
            "shard": list(session.shard),
            "application": {"id": str(self.backend.application_id), "flags": 0},
        }

    def _resume(self, line: Line, data: dict[str, Any]) -> int:
        session, after = self.sessions.get(data["session_id"]), int(data["seq"] or 0)
        if session is None:
            line.send({"op": INVALID, "d": False})
            return 0
        self.greetings.append(Greeting("resume", session.shard, session.intents, after))
        session.line = line
        if session.again(after):
            session.tell("RESUMED", {})
        else:
            line.send({"op": INVALID, "d": False})
        return 0

    def _members(self, line: Line, data: dict[str, Any]) -> None:
        """Members by id or by the beginning of a name."""
        guild = self.backend.guilds.get(int(data["guild_id"]))
        session = next((each for each in self.sessions.values() if each.line is line), None)
        if guild is None or session is None:
            return
        wanted, begins = {int(id_) for id_ in data.get("user_ids") or ()}, (data.get("query") or "").lower()
        found = [
            serializers.member_payload(self.backend, guild, member)
            for member in guild.members.values()
            if (member.user_id in wanted if wanted else self.backend.users[member.user_id].name.startswith(begins))
        ]
        chunk = {"guild_id": str(guild.id), "members": found[: data.get("limit") or None], "chunk_index": 0}
        session.tell("GUILD_MEMBERS_CHUNK", chunk | {"chunk_count": 1, "nonce": data.get("nonce")})
