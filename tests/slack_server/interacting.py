"""What people do with the app itself: commands, buttons, modals, shortcuts, its Home tab, its Messages tab."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.slack_server.delivering import Delivery
from tests.slack_server.stage import Stage
from tests.slack_server.values import Channel, Ephemeral, Message, User, View

Body = dict[str, Any]


class Interacting(Stage):
    """The interactive side of a SlackServer; each act waits until the app has acknowledged or was given up."""

    async def command(self, name: str, text: str, user: User, channel: Channel) -> Delivery:
        """A slash command, typed in a channel (never in a thread)."""
        body = {
            "token": "verification-token",
            "team_id": user.workspace,
            "team_domain": self.world.workspaces[user.workspace].domain,
            "channel_id": channel.id,
            "channel_name": {"im": "directmessage", "private": "privategroup"}.get(channel.kind, channel.name),
            "user_id": user.id,
            "user_name": user.name,
            "command": name,
            "text": text,
            "api_app_id": self.app.id,
            "is_enterprise_install": "false",
            "response_url": self.response_url(channel.id, user.id),
            "trigger_id": self.trigger(),
        }
        delivery = self.courier.send("slash_commands", body)
        await delivery.done.wait()
        if delivery.lost:
            self._show(channel.id, user.id, f'{name} failed with the error "operation_timeout"')
        elif isinstance(delivery.reply, dict) and (delivery.reply.get("text") or delivery.reply.get("blocks")):
            self.respond(channel.id, user.id, delivery.reply)
        return delivery

    async def click(self, message: Message, action_id: str, user: User, value: str | None = None) -> Delivery:
        """A button below a message; `value` chooses between several of that action_id (👍 or 👎)."""
        shown = next((each for each in self.world.ephemerals if each.message is message), None)
        container = {
            "type": "message",
            "message_ts": message.ts,
            "channel_id": message.channel,
            "is_ephemeral": shown is not None,
        }
        if message.thread_ts:
            container["thread_ts"] = message.thread_ts
        body = self._base("block_actions", user, message.channel, message.team) | {
            "container": container,
            "message": self.shape(message),
            "state": {"values": {}},
            "response_url": self.response_url(message.channel, user.id, message),
            "actions": [self._action(message.blocks, action_id, value)],
        }
        return await self._interact(body)

    async def click_in_view(self, view: View, action_id: str, user: User, value: str | None = None) -> Delivery:
        """A button in a modal or on the Home tab."""
        body = self._base("block_actions", user) | {
            "container": {"type": "view", "view_id": view.id},
            "view": view.body,
            "actions": [self._action(view.body["blocks"], action_id, value)],
        }
        return await self._interact(body)

    async def submit(self, view: View, user: User, values: dict[str, dict[str, Any]]) -> Delivery:
        """Send a modal off; what the app answers (errors, another view) is done to it."""
        state = view.body | {"state": {"values": values}}
        delivery = await self._interact(self._base("view_submission", user) | {"view": state, "response_urls": []})
        reply = delivery.reply if isinstance(delivery.reply, dict) else {}
        if reply.get("response_action") == "update":
            view.body = view.body | reply["view"]
        elif not delivery.lost and reply.get("response_action") != "errors":
            self.world.views.pop(view.id, None)
        return delivery

    async def shortcut(self, message: Message, callback_id: str, user: User) -> Delivery:
        """A message shortcut, which works in threads too."""
        body = self._base("message_action", user, message.channel) | {
            "callback_id": callback_id,
            "message_ts": message.ts,
            "message": self.shape(message),
            "response_url": self.response_url(message.channel, user.id, message),
        }
        return await self._interact(body)

    def open_home(self, user: User, tab: str = "home") -> None:
        """Somebody looks at the app's Home (or Messages) tab."""
        dm = self.world.dm(user.workspace, self._bot(user).user, user.id)
        event: Body = {"type": "app_home_opened", "user": user.id, "channel": dm.id, "tab": tab}
        view = self.world.homes.get((user.workspace, user.id))
        if view is not None and tab == "home":
            event["view"] = view.body
        self.emit({**event, "event_ts": self.world.stamp()}, None, user.workspace)

    def open_assistant(self, user: User, looking_at: Channel | None = None) -> Message:
        """The older assistant pane: it begins a thread and tells what the person looks at."""
        dm = self.world.dm(user.workspace, self._bot(user).user, user.id)
        bot = self._bot(user).user
        root = Message(dm.id, self.world.stamp(), bot, "New Assistant Thread", subtype="assistant_app_thread")
        root.written = self.now
        dm.messages[root.ts] = root
        context = {"channel_id": looking_at.id, "team_id": user.workspace} if looking_at else {}
        thread = {"user_id": user.id, "context": context, "channel_id": dm.id, "thread_ts": root.ts}
        event = {"type": "assistant_thread_started", "assistant_thread": thread, "event_ts": self.world.stamp()}
        self.emit(event, None, user.workspace)
        return root

    def stop_stream(self, message: Message) -> None:
        """A reader presses “stop” on a message that is being streamed."""
        assert message.stream is not None
        message.stream.state = "stopped"

    def respond(self, channel: str, user: str, body: Body, message: Message | None = None) -> Message | None:
        """What a response_url or an acknowledgement shows."""
        if body.get("delete_original") and message is not None:
            self.world.channels[channel].messages.pop(message.ts, None)
            return None
        if body.get("replace_original") and message is not None:
            message.text, message.blocks = body.get("text", ""), body.get("blocks") or []
            message.versions.append((self.now, message.words))
            self.changed()
            return message
        shown = self._said(channel, user, body)
        if body.get("response_type") == "in_channel":
            self.world.channels[channel].messages[shown.ts] = shown
            self.tell_new(shown)
            self.sign("message", channel, shown.root)
        else:
            self.world.ephemerals.append(Ephemeral(user, channel, shown))
            self.sign("ephemeral", channel, shown.root)
        return shown

    def _said(self, channel: str, user: str, body: Body) -> Message:
        install = self.world.installed(self.world.users[user].workspace)
        by, bot_id = (install.user, install.bot_id) if install else ("USLACKBOT", "")
        blocks = body.get("blocks") or []
        message = Message(channel, self.world.stamp(), by, body.get("text", ""), body.get("thread_ts"), blocks=blocks)
        message.bot_id, message.app_id, message.written = bot_id, self.app.id, self.now
        message.versions.append((self.now, message.words))
        return message

    def _show(self, channel: str, user: str, text: str) -> None:
        """A line of Slack's own that this person alone sees."""
        message = Message(channel, self.world.stamp(), "USLACKBOT", text, written=self.now)
        self.world.ephemerals.append(Ephemeral(user, channel, message))
        self.changed()

    def _bot(self, user: User) -> Any:
        install = self.world.installed(user.workspace)
        assert install is not None, "the app is not installed there"
        return install

    def _base(self, kind: str, user: User, channel: str = "", team: str = "") -> Body:
        """`team`: of the app whose button it is, which in a Slack Connect channel may be another than the user's."""
        workspace = self.world.workspaces[team or user.workspace]
        body: Body = {
            "type": kind,
            "token": "verification-token",
            "api_app_id": self.app.id,
            "trigger_id": self.trigger(),
            "team": {"id": workspace.id, "domain": workspace.domain},
            "user": {"id": user.id, "username": user.name, "name": user.name, "team_id": user.workspace},
            "enterprise": None,
            "is_enterprise_install": False,
        }
        if channel:
            body["channel"] = {"id": channel, "name": self.world.channels[channel].name or "directmessage"}
        return body

    async def _interact(self, body: Body) -> Delivery:
        delivery = self.courier.send("interactive", body)
        async with asyncio.timeout(self.rules.ack_seconds + 5):
            await delivery.done.wait()
        return delivery

    def _action(self, blocks: list[Body], action_id: str, value: str | None) -> Body:
        """The action as Slack reports it; fails when there is no such button."""
        for block in blocks:
            parts = [*block.get("elements", []), block.get("accessory") or {}]
            for element in parts:
                if element.get("action_id") != action_id:
                    continue
                chosen = _chosen(element, value)
                if chosen is not None:
                    known = {"action_id": action_id, "block_id": block.get("block_id", "b"), "type": element["type"]}
                    return {**known, **chosen, "action_ts": self.world.stamp()}
        raise AssertionError(f"there is no {action_id} with the value {value}")


def _chosen(element: Body, value: str | None) -> Body | None:
    """What of the element was chosen; None when it offers no such value."""
    kind = element.get("type")
    if kind == "feedback_buttons":
        for name in ("positive_button", "negative_button"):
            if value in (None, element[name]["value"], name.removesuffix("_button")):
                return {"value": element[name]["value"], "text": element[name]["text"]}
        return None
    if "options" in element:
        found = next((each for each in element["options"] if value in (None, each["value"])), None)
        return {"selected_option": found} if found else None
    return {"value": element.get("value", "")} if value in (None, element.get("value", "")) else None
