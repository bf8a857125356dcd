"""One call under way: who asks, with what, and the look-ups that nearly every method begins with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.slack_server.bodies import Args
from tests.slack_server.refusing import ApiError
from tests.slack_server.stage import Stage
from tests.slack_server.values import Channel, Install, Message, User
from tests.slack_server.world import World

Answer = dict[str, Any]
_FAMILY = {"public": "channels", "private": "groups", "im": "im", "mpim": "mpim"}


@dataclass(frozen=True, slots=True)
class Asking:
    """The call as a method sees it."""

    stage: Stage
    args: Args
    install: Install
    method: str

    @property
    def world(self) -> World:
        return self.stage.world

    @property
    def bot(self) -> User:
        return self.world.users[self.install.user]

    def channel(self, name: str = "channel") -> Channel:
        """The conversation, if the app can know of it; raises `channel_not_found`."""
        found = self.world.channels.get(self.args.need(name))
        if found is None or self.install.workspace not in {found.workspace, *found.shared_with}:
            raise ApiError("channel_not_found")
        if found.kind != "public" and self.install.user not in found.members:
            raise ApiError("channel_not_found")
        return found

    def writable(self, name: str = "channel") -> Channel:
        """A conversation to post to; a user's id stands for the direct conversation."""
        user = self.world.users.get(self.args.text(name))
        if user is not None and user.workspace == self.install.workspace:
            return self.world.dm(user.workspace, self.install.user, user.id)
        found = self.channel(name)
        if found.archived:
            raise ApiError("is_archived")
        if self.install.user not in found.members and "chat:write.public" not in self.install.scopes:
            raise ApiError("not_in_channel")
        return found

    def scope(self, channel: Channel, right: str) -> None:
        """Raises `missing_scope` without, say, ``groups:history`` for a private channel."""
        needed = f"{_FAMILY[channel.kind]}:{right}"
        if needed not in self.install.scopes:
            raise missing(needed, self.install)

    def message(self, channel: Channel, name: str = "ts") -> Message:
        found = channel.messages.get(self.args.need(name))
        if found is None:
            raise ApiError("message_not_found")
        return found

    def user(self, name: str = "user") -> User:
        """Somebody the workspace can see, members of shared channels included."""
        found = self.world.users.get(self.args.need(name, "user_not_found"))
        here = self.install.workspace
        if found is None or (found.workspace != here and not self._met(found.id)):
            raise ApiError("user_not_found")
        return found

    def page(self, items: list[Any], default: int, most: int) -> tuple[list[Any], Answer]:
        """The page that `cursor` and `limit` ask for, and what tells of the next."""
        limit = self.args.number("limit", default, most)
        start = _offset(self.args.text("cursor"))
        end = start + limit
        more = end < len(items)
        return items[start:end], {"response_metadata": {"next_cursor": f"page:{end}" if more else ""}}

    def _met(self, user: str) -> bool:
        return any(
            user in each.members and self.install.workspace in {each.workspace, *each.shared_with}
            for each in self.world.channels.values()
        )


def missing(needed: str, install: Install) -> ApiError:
    return ApiError("missing_scope", needed=needed, provided=",".join(sorted(install.scopes)))


def _offset(cursor: str) -> int:
    if not cursor:
        return 0
    kind, _, number = cursor.partition(":")
    if kind != "page" or not number.isdecimal():
        raise ApiError("invalid_cursor")
    return int(number)
