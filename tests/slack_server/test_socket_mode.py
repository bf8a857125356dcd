"""Socket Mode with the real app: everything people do reaches it, is acknowledged, and is sent again when it isn't."""

from __future__ import annotations

import asyncio
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest

from tests.slack_server import Rules, SlackServer
from tests.slack_server.bolt import in_socket_mode

QUICK = Rules(ack_seconds=0.3, retries=(0.0, 0.05, 0.1))
BUTTON = {"type": "button", "action_id": "go", "value": "1", "text": {"type": "plain_text", "text": "Go"}}
FEEDBACK = {
    "type": "feedback_buttons",
    "action_id": "feedback",
    "positive_button": {"text": {"type": "plain_text", "text": "Good"}, "value": "up"},
    "negative_button": {"text": {"type": "plain_text", "text": "Bad"}, "value": "down"},
}
MODAL = {
    "type": "modal",
    "callback_id": "why",
    "title": {"type": "plain_text", "text": "Why"},
    "submit": {"type": "plain_text", "text": "Send"},
    "blocks": [{"type": "input", "label": {"type": "plain_text", "text": "What?"}, "element": {}}],
}


class Everything:
    """An app that notes what it hears."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def register(self, app: AsyncApp) -> None:
        app.event("app_mention")(self.mention)
        for kind in ("message", "app_home_opened", "link_shared", "reaction_added", "member_joined_channel"):
            app.event(kind)(self.event)
        for kind in ("assistant_thread_started", "tokens_revoked", "app_uninstalled"):
            app.event(kind)(self.event)
        app.command("/refdesk")(self.command)
        app.action("go")(self.go)
        app.action("feedback")(self.feedback)
        app.view("why")(self.view)
        app.shortcut("ask")(self.shortcut)

    async def mention(self, event: dict[str, Any], say: Any, set_status: Any) -> None:
        await set_status("is reading…")
        await say(text=f"you said {event['text']}", thread_ts=event.get("thread_ts") or event["ts"])

    async def event(self, event: dict[str, Any], req: AsyncBoltRequest) -> None:
        attempt = (req.headers.get("x-slack-retry-num") or ["0"])[0]
        self.heard.append((event["type"], event.get("subtype", ""), attempt))

    async def command(self, ack: Any, command: dict[str, Any], respond: Any) -> None:
        await ack(f"working on {command['text']}")
        await respond(text="here", response_type="in_channel")

    async def go(self, ack: Any, body: dict[str, Any], client: Any) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=MODAL)

    async def feedback(self, ack: Any, action: dict[str, Any], respond: Any) -> None:
        await ack()
        self.heard.append(action["value"])
        await respond(text="thanks", response_type="ephemeral", replace_original=False)

    async def view(self, ack: Any, view: dict[str, Any]) -> None:
        what = view["state"]["values"]["b"]["what"]["value"]
        if not what:
            await ack(response_action="errors", errors={"b": "say something"})
        else:
            await ack()
            self.heard.append(what)

    async def shortcut(self, ack: Any, shortcut: dict[str, Any]) -> None:
        await ack()
        self.heard.append(shortcut["message"]["text"])


async def test_a_mention_is_answered_in_its_thread_once() -> None:
    app = Everything()
    async with SlackServer(QUICK) as slack, in_socket_mode(slack, app.register):
        general, ana = slack.channel("general"), slack.user("Ana")
        asked = slack.say(general, ana, f"{slack.bot_of()} hello")
        answer = await slack.answer_in(asked)
        assert answer.text == f"you said {slack.bot_of()} hello"
        assert slack.called("chat.postMessage", channel=general.id, thread_ts=asked.ts)
        assert (slack.first_sign(asked) or 9) < 1
        await slack.courier.settled()
        assert [each.event["type"] for each in slack.deliveries] == ["message", "app_mention", "message"]
        assert all(each.seconds is not None and each.seconds < 0.3 for each in slack.deliveries)
        assert slack.refused() == []


async def test_whatever_people_do_is_told() -> None:
    app = Everything()
    async with SlackServer(QUICK) as slack, in_socket_mode(slack, app.register):
        slack.app.domains = {"docs.example.com"}
        slack.rules.unfurls = False
        general, ana = slack.channel("general"), slack.user("Ana")
        root = slack.say(general, ana, "see https://docs.example.com/a")
        slack.edit(root, "see nothing")
        slack.react(root, "white_check_mark", ana)
        slack.say(general, ana, "a reply", thread_ts=root)
        slack.delete(root)
        slack.delete(slack.say(general, ana, "oops"))
        slack.join(general, slack.user("Ben"))
        slack.open_home(ana)
        slack.open_assistant(ana, general)
        slack.say(slack.dm(ana), ana, "hi")
        slack.say(slack.channel("elsewhere", joined=False), ana, "unheard")
        slack.uninstall(slack.workspace)
        await slack.courier.settled()
        assert [(each.event["type"], each.event.get("subtype", "")) for each in slack.deliveries] == [
            ("message", ""),
            ("link_shared", ""),
            ("message", "message_changed"),
            ("reaction_added", ""),
            ("message", ""),
            ("message", "message_changed"),
            ("message", ""),
            ("message", "message_deleted"),
            ("message", "channel_join"),
            ("member_joined_channel", ""),
            ("app_home_opened", ""),
            ("assistant_thread_started", ""),
            ("message", ""),
            ("tokens_revoked", ""),
            ("app_uninstalled", ""),
        ]
        assert slack.deliveries[-3].event["channel_type"] == "im"
        assert not any(each.lost for each in slack.deliveries)


async def test_commands_buttons_modals_and_shortcuts_are_answered() -> None:
    app = Everything()
    async with SlackServer(QUICK) as slack, in_socket_mode(slack, app.register) as handler:
        general, ana = slack.channel("general"), slack.user("Ana")
        await slack.command("/refdesk", "status", ana, general)
        assert [each.text for each in slack.shown_to(ana)] == ["working on status"]
        await slack.until(lambda: slack.bot_messages(general))
        blocks = [{"type": "actions", "elements": [BUTTON]}, {"type": "context_actions", "elements": [FEEDBACK]}]
        ts = (await handler.app.client.chat_postMessage(channel=general.id, text="t", blocks=blocks))["ts"]
        message = general.messages[ts]
        assert (await slack.click(message, "feedback", ana, value="negative")).acked
        await slack.until(lambda: slack.shown_to(ana)[-1].text == "thanks")
        await slack.click(message, "go", ana)
        modal = await slack.until(lambda: slack.modal_of(ana))
        refused = await slack.submit(modal, ana, {"b": {"what": {"value": ""}}})
        assert refused.reply["response_action"] == "errors"
        await slack.submit(modal, ana, {"b": {"what": {"value": "wrong page"}}})
        assert slack.modal_of(ana) is None
        await slack.shortcut(slack.say(general, ana, "in a thread", thread_ts=message), "ask", ana)
        await slack.until(lambda: "in a thread" in app.heard)
        assert [each for each in app.heard if isinstance(each, str)] == ["down", "wrong page", "in a thread"]


async def test_a_command_nobody_acknowledges_fails_in_front_of_the_person() -> None:
    async with SlackServer(QUICK) as slack, in_socket_mode(slack, lambda app: None):
        ana = slack.user("Ana")
        assert (await slack.command("/refdesk", "x", ana, slack.channel("general"))).lost
        assert "operation_timeout" in slack.shown_to(ana)[0].text


async def test_an_event_that_is_not_acknowledged_is_sent_again_with_the_same_event_id() -> None:
    app = Everything()
    async with SlackServer(QUICK) as slack, in_socket_mode(slack, app.register):
        slack.sockets.connections[0].deaf = True
        message = slack.say(slack.channel("general"), slack.user("Ana"), "hello")
        await asyncio.sleep(0.15)
        slack.sockets.drop()
        await slack.courier.settled()
        delivery = slack.deliveries[0]
        assert (delivery.failures, delivery.lost) == (["connection_failed"], False)
        assert app.heard == [("message", "", "1")]
        first, second = (each for each in slack.deliveries[0].sent)
        assert (first < second, delivery.event["ts"]) == (True, message.ts)


async def test_an_event_that_is_never_acknowledged_is_given_up() -> None:
    async with SlackServer(Rules(ack_seconds=0.05, retries=(0.0, 0.01, 0.01))) as slack:
        slack.say(slack.channel("general"), slack.user("Ana"), "hello")
        await slack.courier.settled()
        assert slack.deliveries[0].lost
        assert slack.deliveries[0].failures == ["no_connection"] * 4


async def test_the_app_comes_back_when_it_is_asked_to_reconnect() -> None:
    app = Everything()
    async with SlackServer(QUICK) as slack, in_socket_mode(slack, app.register):
        await slack.sockets.disconnect("refresh_requested")
        await slack.until(lambda: slack.sockets.opened == 2)
        slack.say(slack.channel("general"), slack.user("Ana"), "hello")
        await slack.courier.settled()
        assert app.heard == [("message", "", "0")]


async def test_several_connections_share_the_events() -> None:
    one, two = Everything(), Everything()
    async with SlackServer(QUICK) as slack, in_socket_mode(slack, one.register), in_socket_mode(slack, two.register):
        general, ana = slack.channel("general"), slack.user("Ana")
        for number in range(10):
            slack.say(general, ana, f"message {number}")
        await slack.courier.settled()
        assert (len(one.heard), len(two.heard)) == (5, 5)


async def test_the_order_of_a_message_and_its_mention_is_not_promised() -> None:
    async with SlackServer(Rules(ack_seconds=0.05, retries=(), mention_first=True)) as slack:
        slack.say(slack.channel("general"), slack.user("Ana"), f"{slack.bot_of()} hello")
        assert [each.event["type"] for each in slack.deliveries] == ["app_mention", "message"]
