"""The JSON of OpenAI's API: completions, chunks of a stream, embeddings, errors. Pure."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from collections.abc import Callable, Mapping
from typing import Any

DONE = b"data: [DONE]\n\n"


def usage(request: Mapping[str, Any], output: int) -> dict[str, Any]:
    """Four characters are a token of the prompt, and a quarter of the prompt came from a cache."""
    prompt = sum(len(str(message.get("content") or "")) for message in request.get("messages", ())) // 4
    return {
        "prompt_tokens": prompt,
        "completion_tokens": output,
        "total_tokens": prompt + output,
        "prompt_tokens_details": {"cached_tokens": prompt // 4},
    }


def completion(request: Mapping[str, Any], message: Mapping[str, Any], finish: str, output: int) -> dict[str, Any]:
    """A whole answer."""
    whole = {"role": "assistant", "content": None, "refusal": None, **message}
    return {
        **_frame(request, "chat.completion"),
        "choices": [{"index": 0, "message": whole, "finish_reason": finish}],
        "usage": usage(request, output),
    }


def called(request: Mapping[str, Any], arguments: str) -> dict[str, Any]:
    """A message that calls the first tool it was offered."""
    name = request["tools"][0]["function"]["name"]
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"tool_calls": [call]}


def piece_maker(request: Mapping[str, Any], field: str = "content") -> Callable[[str], bytes]:
    """Makes the event of one piece of text; everything but the text is laid out once for the whole stream."""
    choice = {"index": 0, "delta": {field: "\0"}, "finish_reason": None}
    before, after = _event({**_frame(request, "chat.completion.chunk"), "choices": [choice]}).split(b'"\\u0000"')
    return lambda text: b"%b%b%b" % (before, json.dumps(text).encode(), after)


def opening(request: Mapping[str, Any]) -> bytes:
    """The first event of a stream: a role and no text."""
    choice = {"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}
    return _event({**_frame(request, "chat.completion.chunk"), "choices": [choice]})


def ending(request: Mapping[str, Any], finish: str) -> bytes:
    """The last event with a choice in it."""
    choice = {"index": 0, "delta": {}, "finish_reason": finish}
    return _event({**_frame(request, "chat.completion.chunk"), "choices": [choice]})


def usage_event(request: Mapping[str, Any], output: int) -> bytes:
    """The event that carries the usage, and no choice."""
    return _event({**_frame(request, "chat.completion.chunk"), "choices": [], "usage": usage(request, output)})


def error_event(message: str) -> bytes:
    """An error in the middle of a stream."""
    return _event(error(message, "server_error"))


def error(message: str, kind: str = "invalid_request_error", code: str | None = None) -> dict[str, Any]:
    """The body of every failure."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def embeddings(request: Mapping[str, Any], default_dimension: int) -> dict[str, Any]:
    """A row for each text, made of its checksum: the same text always has the same row, of any length."""
    texts = request["input"] if isinstance(request["input"], list) else [request["input"]]
    dimension = request.get("dimensions") or default_dimension
    rows = [_row(str(text), dimension) for text in texts]
    packed = request.get("encoding_format") == "base64"
    data = [
        {"object": "embedding", "index": i, "embedding": _packed(row) if packed else row} for i, row in enumerate(rows)
    ]
    tokens = sum(len(str(text)) for text in texts) // 4
    return {
        "object": "list",
        "model": request.get("model", ""),
        "data": data,
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def _row(text: str, dimension: int) -> list[float]:
    raw = hashlib.shake_128(text.encode()).digest(dimension)
    return [(byte - 127.5) / 64 for byte in raw]


def _packed(row: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode()


def _frame(request: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1767225600, "model": request.get("model", "")}


def _event(value: object) -> bytes:
    return b"data: %b\n\n" % json.dumps(value).encode()
