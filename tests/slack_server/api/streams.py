"""chat.startStream, appendStream and stopStream: a message that grows while people watch."""

from __future__ import annotations

from typing import Any

from tests.slack_server.api.asking import Answer, Asking
from tests.slack_server.api.chat import placed
from tests.slack_server.limits import MOST_MARKDOWN, check_blocks
from tests.slack_server.refusing import ApiError
from tests.slack_server.values import Message, Stream


def start(call: Asking) -> Answer:
    """chat.startStream"""
    channel = call.writable()
    if channel.kind not in call.stage.rules.streams_in:
        raise ApiError("channel_type_not_supported")
    thread_ts = call.args.need("thread_ts", "invalid_thread_ts")
    if thread_ts not in channel.messages:
        raise ApiError("invalid_thread_ts")
    if channel.kind != "im":
        for name in ("recipient_team_id", "recipient_user_id"):
            call.args.need(name, f"missing_{name}")
        if call.args.text("recipient_team_id") not in call.world.workspaces:
            raise ApiError("team_not_found")
    message = Message(channel.id, call.world.stamp(), call.install.user, "", thread_ts, written=call.stage.now)
    message.team, message.bot_id, message.app_id = call.install.workspace, call.install.bot_id, call.bot.app_id
    message.stream = Stream(call.stage.now)
    _grow(call, message)
    placed(call, channel, message)
    return {"channel": channel.id, "ts": message.ts}


def append(call: Asking) -> Answer:
    """chat.appendStream"""
    message = _streaming(call)
    if not (call.args.text("markdown_text") or call.args.values.get("chunks")):
        raise ApiError("no_text")
    _grow(call, message)
    call.stage.sign("append", message.channel, message.root)
    return {"channel": message.channel, "ts": message.ts}


def stop(call: Asking) -> Answer:
    """chat.stopStream; its blocks stand below what was streamed."""
    message = _streaming(call)
    blocks = call.args.structure("blocks", "invalid_blocks_format") or []
    check_blocks(blocks)
    before = call.stage.shape(message)
    _grow(call, message)
    assert message.stream is not None
    message.stream.state = "completed"
    if blocks:
        streamed = [{"type": "markdown", "text": message.text}] if message.text and not message.blocks else []
        message.blocks = [{"block_id": f"b{n}", **each} for n, each in enumerate([*message.blocks, *streamed, *blocks])]
    message.metadata = call.args.structure("metadata", "invalid_metadata_format") or message.metadata
    message.versions.append((call.stage.now, message.words))
    call.stage.tell_changed(message, before)
    call.stage.sign("stop", message.channel, message.root)
    return {"channel": message.channel, "ts": message.ts, "message": call.stage.shape(message)}


def _streaming(call: Asking) -> Message:
    """The message, if it is still being streamed by this app."""
    channel = call.channel()
    message = call.message(channel)
    if message.user != call.install.user:
        raise ApiError("message_not_owned_by_app")
    stream = message.stream
    if message.is_streaming and stream and call.stage.now - stream.began > call.stage.rules.stream_seconds:
        stream.state = "expired"
    if stream is not None and stream.state == "stopped":
        raise ApiError("stopped_by_user")
    if stream is None or stream.state != "in_progress":
        raise ApiError("message_not_in_streaming_state")
    return message


def _grow(call: Asking, message: Message) -> None:
    """Add the words and chunks of a call."""
    markdown, chunks = call.args.text("markdown_text"), call.args.structure("chunks", "invalid_chunks") or []
    if markdown and chunks:
        raise ApiError("streaming_mode_mismatch")
    if not markdown and not chunks:
        return
    stream = message.stream
    assert stream is not None
    mode = "markdown_text" if markdown else "chunks"
    if stream.mode not in ("", mode):
        raise ApiError("streaming_mode_mismatch")
    words = markdown + "".join(_words(each) for each in chunks)
    if len(words) > MOST_MARKDOWN:
        raise ApiError("msg_too_long")
    blocks = [block for each in chunks if each["type"] == "blocks" for block in each["blocks"]]
    check_blocks([*(message.blocks or []), *blocks])
    stream.mode = mode  # type: ignore[assignment]
    message.text += words
    message.blocks = [*message.blocks, *blocks]
    message.versions.append((call.stage.now, message.words))


def _words(chunk: Any) -> str:
    if not isinstance(chunk, dict) or chunk.get("type") not in (
        "markdown_text",
        "task_update",
        "plan_update",
        "blocks",
    ):
        raise ApiError("invalid_chunks")
    return str(chunk.get("text", "")) if chunk["type"] == "markdown_text" else ""
