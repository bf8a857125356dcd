"""views.* and assistant.threads.*: modals, the Home tab, status lines, titles, suggested prompts."""

from __future__ import annotations

from typing import Any

from tests.slack_server.api.asking import Answer, Asking
from tests.slack_server.limits import check_blocks
from tests.slack_server.refusing import ApiError
from tests.slack_server.values import Channel, View


def open_view(call: Asking) -> Answer:
    """views.open: with a trigger that is fresh and was not used before."""
    trigger = call.args.need("trigger_id", "invalid_trigger_id")
    made = call.stage.triggers.get(trigger)
    if made is None:
        raise ApiError("invalid_trigger_id" if not trigger.endswith(".trigger") else "exchanged_trigger_id")
    if call.stage.now - made > call.stage.rules.trigger_seconds:
        raise ApiError("expired_trigger_id")
    body = _checked(call, "modal")
    del call.stage.triggers[trigger]
    sent = next(each.body for each in reversed(call.stage.deliveries) if each.body.get("trigger_id") == trigger)
    user = sent["user_id"] if "user_id" in sent else sent["user"]["id"]
    view = _made(call, user, body)
    call.world.views[view.id] = view
    call.stage.changed()
    return {"view": view.body}


def update_view(call: Asking) -> Answer:
    """views.update, by id or external id."""
    wanted, external = call.args.text("view_id"), call.args.text("external_id")
    everything = [*call.world.views.values(), *call.world.homes.values()]
    for view in everything:
        if view.id == wanted or (external and view.body.get("external_id") == external):
            if call.args.text("hash") not in ("", view.hash):
                raise ApiError("hash_conflict")
            view.hash = call.world.stamp()
            view.body = view.body | _checked(call, view.body["type"]) | {"hash": view.hash}
            call.stage.changed()
            return {"view": view.body}
    raise ApiError("not_found")


def publish_view(call: Asking) -> Answer:
    """views.publish: the Home tab of one person."""
    user = call.user("user_id")
    body = _checked(call, "home")
    view = _made(call, user.id, body)
    call.world.homes[user.workspace, user.id] = view
    call.stage.changed()
    return {"view": view.body}


def set_status(call: Asking) -> Answer:
    """assistant.threads.setStatus; ``""`` clears it."""
    channel, thread = _thread(call)
    if channel.kind not in call.stage.rules.status_in:
        raise ApiError("channel_type_not_supported")  # the code itself is (unverified)
    if len(call.args.structure("loading_messages", "invalid_arguments") or []) > 10:
        raise ApiError("invalid_arguments")
    status = call.args.text("status")
    call.stage.statuses[channel.id, thread] = (call.stage.now, status)
    if status:
        call.stage.sign("status", channel.id, thread)
    return {}


def set_title(call: Asking) -> Answer:
    """assistant.threads.setTitle"""
    channel, thread = _thread(call)
    call.stage.titles[channel.id, thread] = call.args.need("title")
    return {}


def set_prompts(call: Asking) -> Answer:
    """assistant.threads.setSuggestedPrompts: in an agent app a `thread_ts` is granted and shows nothing."""
    channel = call.channel("channel_id")
    prompts = call.args.structure("prompts", "invalid_arguments") or []
    if not 1 <= len(prompts) <= 4 or not all(each.get("title") and each.get("message") for each in prompts):
        raise ApiError("invalid_arguments")
    thread = call.args.text("thread_ts")
    if not (thread and call.stage.app.agent_view):
        call.stage.prompts[channel.id, thread] = prompts
    return {}


def _thread(call: Asking) -> tuple[Channel, str]:
    channel = call.channel("channel_id")
    thread = call.args.need("thread_ts", "invalid_thread_ts")
    if thread not in channel.messages:
        raise ApiError("invalid_thread_ts")
    return channel, thread


def _checked(call: Asking, kind: str) -> dict[str, Any]:
    """The view of the arguments, if Slack would take it."""
    body = call.args.structure("view", "invalid_arguments")
    if not isinstance(body, dict) or body.get("type") != kind:
        raise ApiError("invalid_arguments")
    title = body.get("title", {}).get("text", "")
    if kind == "modal" and not 1 <= len(title) <= 24:
        raise ApiError("invalid_arguments")
    if len(body.get("private_metadata", "")) > 3000 or len(body.get("callback_id", "")) > 255:
        raise ApiError("invalid_arguments")
    if kind == "modal" and not body.get("submit") and any(each.get("type") == "input" for each in body["blocks"]):
        raise ApiError("invalid_arguments")
    check_blocks(body.get("blocks", []), 100)
    return body


def _made(call: Asking, user: str, body: dict[str, Any]) -> View:
    view = View(f"V{call.world.number():04d}", user, call.install.workspace, {}, call.world.stamp())
    own = {"id": view.id, "team_id": view.workspace, "app_id": call.stage.app.id, "hash": view.hash}
    own["app_installed_team_id"] = view.workspace
    view.body = {"state": {"values": {}}, **body, **own, "bot_id": call.install.bot_id}
    return view
