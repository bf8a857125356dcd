"""chat.*: posting, changing and taking back whole messages."""

from __future__ import annotations

from typing import Any

from tests.slack_server import events
from tests.slack_server.api.asking import Answer, Asking
from tests.slack_server.limits import MOST_TEXT, MOST_UPDATE, check_message
from tests.slack_server.people import _LINK
from tests.slack_server.refusing import ApiError
from tests.slack_server.values import Channel, Ephemeral, Message


def post(call: Asking) -> Answer:
    """chat.postMessage"""
    channel = call.writable()
    message = composed(call, channel)
    if call.args.flag("reply_broadcast") and message.thread_ts:
        message.subtype = "thread_broadcast"
    message.unfurls = call.args.flag("unfurl_links", True) or call.args.flag("unfurl_media", True)
    placed(call, channel, message)
    if message.unfurls and call.stage.rules.unfurls and (found := _LINK.search(message.words)):
        before = call.stage.shape(message)
        message.attachments = [{"id": 1, "title": found[1], "from_url": found[0], "fallback": found[1]}]
        call.stage.tell_changed(message, before)
    return {"channel": channel.id, "ts": message.ts, "message": call.stage.shape(message)}


def ephemeral(call: Asking) -> Answer:
    """chat.postEphemeral"""
    channel, user = call.writable(), call.args.need("user", "user_not_in_channel")
    if user not in channel.members:
        raise ApiError("user_not_in_channel")
    message = composed(call, channel)
    call.world.ephemerals.append(Ephemeral(user, channel.id, message))
    call.stage.sign("ephemeral", channel.id, message.root)
    return {"message_ts": message.ts}


def update(call: Asking) -> Answer:
    """chat.update: what isn't given stays as it was, blocks too."""
    channel = call.channel()
    if channel.archived:
        raise ApiError("is_archived")
    message = call.message(channel)
    if message.user != call.install.user:
        raise ApiError("cant_update_message")
    if message.is_streaming:
        raise ApiError("streaming_state_conflict")  # the code itself is (unverified)
    before = call.stage.shape(message)
    text, markdown = call.args.text("text"), call.args.text("markdown_text")
    blocks = call.args.structure("blocks", "invalid_blocks_format")
    check_message(text, blocks or [], markdown, most_text=MOST_TEXT if blocks or message.blocks else MOST_UPDATE)
    message.text = text or markdown or message.text
    if blocks is not None or markdown:
        message.blocks = _blocks(blocks or [], markdown)
    if (attachments := call.args.structure("attachments", "invalid_attachments")) is not None:
        message.attachments = attachments
    message.metadata = call.args.structure("metadata", "invalid_metadata_format") or message.metadata
    message.edited = (message.user, call.world.stamp())
    message.versions.append((call.stage.now, message.words))
    call.stage.tell_changed(message, before)
    call.stage.sign("update", channel.id, message.root)
    return {"channel": channel.id, "ts": message.ts, "text": message.text, "message": call.stage.shape(message)}


def delete(call: Asking) -> Answer:
    """chat.delete"""
    channel = call.channel()
    message = call.message(channel)
    if message.user != call.install.user:
        raise ApiError("cant_delete_message")
    before = call.stage.shape(message)
    del channel.messages[message.ts]
    call.stage.emit(events.deleted_event(before, channel, call.world.stamp()), channel)
    call.stage.changed()
    return {"channel": channel.id, "ts": message.ts}


def permalink(call: Asking) -> Answer:
    """chat.getPermalink"""
    channel = call.channel()
    message = call.message(channel, "message_ts")
    domain = call.world.workspaces[channel.workspace].domain
    link = f"https://{domain}.slack.com/archives/{channel.id}/p{message.ts.replace('.', '')}"
    if not message.is_root:
        link += f"?thread_ts={message.thread_ts}&cid={channel.id}"
    return {"channel": channel.id, "permalink": link}


def composed(call: Asking, channel: Channel) -> Message:
    """The message that the arguments describe, checked but not yet anywhere."""
    text, markdown = call.args.text("text"), call.args.text("markdown_text")
    blocks = call.args.structure("blocks", "invalid_blocks_format") or []
    attachments = call.args.structure("attachments", "invalid_attachments") or []
    check_message(text or ("…" if attachments else ""), blocks, markdown)
    thread_ts = call.args.text("thread_ts") or None
    if thread_ts and channel.messages.get(thread_ts) is None:
        raise ApiError("thread_not_found")
    message = Message(channel.id, call.world.stamp(), call.install.user, text or markdown, thread_ts)
    message.team, message.bot_id, message.app_id = call.install.workspace, call.install.bot_id, call.bot.app_id
    message.blocks, message.attachments = _blocks(blocks, markdown), attachments
    message.metadata = call.args.structure("metadata", "invalid_metadata_format")
    message.written = call.stage.now
    return message


def placed(call: Asking, channel: Channel, message: Message) -> None:
    """Put it where it belongs, clear the thread's status, tell everybody."""
    message.versions.append((call.stage.now, message.words))
    channel.messages[message.ts] = message
    call.stage.statuses.pop((channel.id, message.root), None)
    call.stage.tell_new(message)
    call.stage.sign("message", channel.id, message.root)


def _blocks(blocks: list[dict[str, Any]], markdown: str) -> list[dict[str, Any]]:
    """Blocks as Slack keeps them: each with an id."""
    whole = blocks or ([{"type": "markdown", "text": markdown}] if markdown else [])
    return [{"block_id": f"b{number}", **block} for number, block in enumerate(whole)]
