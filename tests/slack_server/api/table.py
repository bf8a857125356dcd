"""All methods by name: what each does, the scopes of which one is enough, and its rate tier."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.slack_server.api import chat, conversations, people, streams, surfaces
from tests.slack_server.api.asking import Answer, Asking


@dataclass(frozen=True, slots=True)
class Method:
    """One method. Scopes that depend on the kind of channel are asked for inside."""

    run: Callable[[Asking], Answer]
    tier: int
    scopes: tuple[str, ...] = ()


WRITE = ("chat:write",)

METHODS: Mapping[str, Method] = {
    "auth.test": Method(people.auth_test, 5),
    "assistant.threads.setStatus": Method(surfaces.set_status, 5, ("assistant:write", "chat:write")),
    "assistant.threads.setSuggestedPrompts": Method(surfaces.set_prompts, 4, ("assistant:write", "chat:write")),
    "assistant.threads.setTitle": Method(surfaces.set_title, 4, ("assistant:write", "chat:write")),
    "bots.info": Method(people.bot, 3, ("users:read",)),
    "chat.appendStream": Method(streams.append, 4, WRITE),
    "chat.delete": Method(chat.delete, 3, WRITE),
    "chat.getPermalink": Method(chat.permalink, 5),
    "chat.postEphemeral": Method(chat.ephemeral, 4, WRITE),
    "chat.postMessage": Method(chat.post, 5, WRITE),
    "chat.startStream": Method(streams.start, 2, WRITE),
    "chat.stopStream": Method(streams.stop, 2, WRITE),
    "chat.update": Method(chat.update, 3, WRITE),
    "conversations.history": Method(conversations.history, 3),
    "conversations.info": Method(conversations.info, 3),
    "conversations.join": Method(conversations.join, 3, ("channels:join",)),
    "conversations.list": Method(conversations.listed, 2),
    "conversations.members": Method(conversations.members, 4),
    "conversations.open": Method(conversations.opened, 3),
    "conversations.replies": Method(conversations.replies, 3),
    "reactions.add": Method(people.react, 3, ("reactions:write",)),
    "reactions.remove": Method(people.unreact, 2, ("reactions:write",)),
    "team.info": Method(people.team, 3, ("team:read",)),
    "usergroups.list": Method(people.groups, 2, ("usergroups:read",)),
    "usergroups.users.list": Method(people.group_users, 2, ("usergroups:read",)),
    "users.info": Method(people.info, 4, ("users:read",)),
    "users.list": Method(people.listed, 2, ("users:read",)),
    "views.open": Method(surfaces.open_view, 4),
    "views.publish": Method(surfaces.publish_view, 4),
    "views.update": Method(surfaces.update_view, 4),
}
