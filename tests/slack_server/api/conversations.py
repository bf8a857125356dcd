"""conversations.*: what channels there are, who is in them, and what was written there."""

from __future__ import annotations

from tests.slack_server.api.asking import Answer, Asking, missing
from tests.slack_server.refusing import ApiError
from tests.slack_server.shapes import channel_shape
from tests.slack_server.values import Channel, Message


def info(call: Asking) -> Answer:
    """conversations.info: public channels also without being in them."""
    channel = call.channel()
    call.scope(channel, "read")
    shape = channel_shape(channel, call.install.user)
    if call.args.flag("include_num_members"):
        shape["num_members"] = len(channel.members)
    return {"channel": shape}


def listed(call: Asking) -> Answer:
    """conversations.list, by type."""
    wanted = set((call.args.text("types") or "public_channel").split(","))
    kinds = {"public_channel": "public", "private_channel": "private", "im": "im", "mpim": "mpim"}
    here = [
        each for each in call.world.channels.values() if call.install.workspace in {each.workspace, *each.shared_with}
    ]
    found = [
        each
        for each in here
        if each.kind in {kinds.get(name) for name in wanted}
        and (each.kind == "public" or call.install.user in each.members)
        and not (each.archived and call.args.flag("exclude_archived"))
    ]
    for each in found:
        call.scope(each, "read")
    page, more = call.page(sorted(found, key=lambda each: each.id), 100, 1000)
    return {"channels": [channel_shape(each, call.install.user) for each in page], **more}


def members(call: Asking) -> Answer:
    """conversations.members"""
    channel = call.channel()
    call.scope(channel, "read")
    page, more = call.page(sorted(channel.members), 100, 1000)
    return {"members": page, **more}


def opened(call: Asking) -> Answer:
    """conversations.open: the direct conversation with one person."""
    if "im:write" not in call.install.scopes:
        raise missing("im:write", call.install)
    user = call.world.users.get(call.args.need("users", "users_list_not_supplied"))
    if user is None or user.workspace != call.install.workspace:
        raise ApiError("user_not_found")
    if user.is_bot:
        raise ApiError("cannot_dm_bot")
    return {"channel": {"id": call.world.dm(user.workspace, call.install.user, user.id).id}}


def join(call: Asking) -> Answer:
    """conversations.join: public channels only."""
    channel = call.channel()
    if channel.kind != "public":
        raise ApiError("method_not_supported_for_channel_type")
    channel.members.add(call.install.user)
    return {"channel": channel_shape(channel, call.install.user)}


def history(call: Asking) -> Answer:
    """conversations.history: roots and broadcast replies, newest first."""
    channel = _readable(call)
    roots = [each for each in channel.messages.values() if each.is_root or each.subtype == "thread_broadcast"]
    found = sorted((each for each in roots if _within(call, each)), key=lambda each: each.ts, reverse=True)
    page, more = call.page(found, 100, 999)
    return {
        "messages": [_shape(call, each) for each in page],
        "has_more": bool(more["response_metadata"]["next_cursor"]),
        **more,
    }


def replies(call: Asking) -> Answer:
    """conversations.replies: oldest first; the root stands on the first page whatever `oldest` says."""
    channel = _readable(call)
    ts = call.args.need("ts", "thread_not_found")
    if ts not in channel.messages:
        raise ApiError("thread_not_found")
    thread = channel.thread(ts)
    rest = [each for each in thread[1:] if _within(call, each)]
    page, more = call.page([thread[0], *rest], 1000, 1000)
    return {
        "messages": [_shape(call, each) for each in page],
        "has_more": bool(more["response_metadata"]["next_cursor"]),
        **more,
    }


def _shape(call: Asking, message: Message) -> Answer:
    """Metadata is shown to those who ask for it."""
    shape = call.stage.shape(message)
    if not call.args.flag("include_all_metadata"):
        shape.pop("metadata", None)
    return shape


def _readable(call: Asking) -> Channel:
    channel = call.channel()
    call.scope(channel, "history")
    if call.install.user not in channel.members:
        raise ApiError("not_in_channel")
    return channel


def _within(call: Asking, message: Message) -> bool:
    oldest, latest = float(call.args.text("oldest") or 0), float(call.args.text("latest") or "inf")
    at = float(message.ts)
    if call.args.flag("inclusive"):
        return oldest <= at <= latest
    return oldest < at < latest
