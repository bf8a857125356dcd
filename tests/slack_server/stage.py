"""What everything in the stand-in works with: the world, the app, the record of calls, and telling the app."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass
from typing import Any

from tests.slack_server import events
from tests.slack_server.delivering import Courier, Delivery
from tests.slack_server.faults import Faults
from tests.slack_server.rates import Rates
from tests.slack_server.rules import AppConfig, Rules
from tests.slack_server.shapes import message_shape
from tests.slack_server.sockets import Sockets
from tests.slack_server.values import Channel, Message, Workspace
from tests.slack_server.webhooks import Webhooks
from tests.slack_server.world import World


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the Web API. `at` is the loop's time; `error` is ``""`` when it was granted."""

    at: float
    method: str
    args: dict[str, Any]
    workspace: str
    error: str = ""
    status: int = 200


@dataclass(frozen=True, slots=True)
class Sign:
    """Something the app let people see, and when."""

    at: float
    kind: str
    channel: str
    thread: str


class Stage:
    """Holds everything; its heirs are the people, the interactions and the API."""

    def __init__(self, rules: Rules | None = None, app: AppConfig | None = None, request_url: str = "") -> None:
        self.rules, self.app, self.world = rules or Rules(), app or AppConfig(), World()
        self.faults, self.rates = Faults(), Rates(self.rules.posts_at_once)
        self.calls: list[Call] = []
        self.signs: list[Sign] = []
        self.statuses: dict[tuple[str, str], tuple[float, str]] = {}
        self.titles: dict[tuple[str, str], str] = {}
        self.prompts: dict[tuple[str, str], list[dict[str, str]]] = {}
        self.triggers: dict[str, float] = {}
        self.responses: dict[str, dict[str, Any]] = {}
        self.sockets = Sockets(self.app.id)
        self.webhooks = Webhooks(request_url, self.app.signing_secret) if request_url else None
        self.courier = Courier(self.rules, self.webhooks or self.sockets)
        self.workspace: Workspace = self.world.add_workspace("Acme")
        self.bot_token = self.world.install(self.workspace.id, self.app.id).token
        self._changed = asyncio.Event()
        self.url = ""

    @property
    def deliveries(self) -> list[Delivery]:
        """Everything that the app was told, in order."""
        return self.courier.deliveries

    @property
    def now(self) -> float:
        """The loop's time: what all moments here are in."""
        return asyncio.get_running_loop().time()

    def sign(self, kind: str, channel: str, thread: str) -> None:
        """Note that people saw something."""
        self.signs.append(Sign(self.now, kind, channel, thread))
        self.changed()

    def changed(self) -> None:
        """Wake whoever waits for the world to be in some state."""
        self._changed.set()

    def trigger(self) -> str:
        """A fresh trigger_id."""
        made = f"{uuid.uuid4().hex}.trigger"
        self.triggers[made] = self.now
        return made

    def response_url(self, channel: str, user: str, message: Message | None = None) -> str:
        """An address where the app may answer some times."""
        key = uuid.uuid4().hex
        self.responses[key] = {"channel": channel, "user": user, "at": self.now, "uses": 0, "message": message}
        return f"{self.url}/response/{key}"

    # --- telling the app ---

    def emit(self, event: dict[str, Any], channel: Channel | None, workspace: str = "") -> None:
        """Tell the app, if it is there, subscribed and allowed to know."""
        name = events.subscription(event)
        if name not in self.app.events:
            return
        wanted = [workspace] if channel is None else [channel.workspace, *sorted(channel.shared_with)]
        for each in wanted:
            install = self.world.installed(each)
            scope = events.scope_of(name)
            if install is None or (scope and scope not in install.scopes):
                continue
            if channel is not None and install.user not in channel.members:
                continue
            event_id = f"Ev{self.world.number():06d}"
            self.courier.send("events_api", events.envelope(event, event_id, install, self.app.id, channel))
            return

    def tell_new(self, message: Message) -> None:
        """Everything that Slack says of a new message: itself, a mention, links."""
        channel, world = self.world.channels[message.channel], self.world
        kinds = [events.message_event(message, channel, world.users)]
        if channel.kind not in ("im", "mpim") and not message.subtype and self._mentions_app(message, channel):
            kinds.append(events.mention_event(message, channel, world.users))
        for event in reversed(kinds) if self.rules.mention_first else kinds:
            self.emit(event, channel)

    def tell_changed(self, message: Message, before: dict[str, Any]) -> None:
        channel = self.world.channels[message.channel]
        self.emit(events.changed_event(message, before, channel, self.world.users), channel)

    def shape(self, message: Message) -> dict[str, Any]:
        """The message as it is shown now."""
        return message_shape(message, self.world.channels[message.channel], self.world.users)

    def _mentions_app(self, message: Message, channel: Channel) -> bool:
        installs = [self.world.installed(each) for each in (channel.workspace, *channel.shared_with)]
        return any(f"<@{each.user}" in message.text for each in installs if each and each.user != message.user)
