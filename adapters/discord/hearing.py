"""What somebody wrote in Discord as a core message, as the event tells it: nothing is asked before it is stored.

Who reads a direct message's answer (the roles of who asked, on our servers) is looked up when it is answered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import discord

from adapters.discord.rooms import PLATFORM
from adapters.discord.spoken import named
from adapters.discord.spots import Spot
from core.messages import Audience, Author, Message, ReplyTarget

NOBODY = 0
_SPOKEN = (discord.MessageType.default, discord.MessageType.reply)
_CALLS = re.compile(r"<@[!&]?\d+>")
"""Of our messages only a call names anybody so that they are woken."""


@dataclass(frozen=True, slots=True)
class Names:
    """What ids stand for, where the message itself does not say."""

    roles: Mapping[str, str]
    channels: Mapping[str, str]


def is_spoken(message: discord.Message, us: int) -> bool:
    """Whether somebody said it: not Discord itself, no webhook, not we."""
    return message.type in _SPOKEN and message.webhook_id is None and message.author.id != us


def heard(message: discord.Message, spot: Spot, us: int, *, outside: bool) -> Message:
    """The message. `outside`: its guild is none of ours."""
    id, author = str(message.id), message.author
    to_us = replies_to(message, us)
    others = mentions_others(message, us)
    starter = spot.thread == id  # of a post in a forum: the post's root
    return Message(
        identity=id,
        key=spot.key(id),
        author=Author(str(author.id), author.display_name, roles_of(author), author.bot),
        text=titled(spot.name, words(message, us)) if starter else words(message, us),
        audience=_audience(message, spot, outside=outside),
        reply_to=_target(message, spot),
        received_at=message.created_at,
        mentions_us=us in message.raw_mentions or (to_us and not others),
        mentions_others=others,
        in_thread=bool(spot.thread) and not starter,
        replies_to_us=to_us,
        is_post=starter,
    )


def roles_of(author: discord.abc.User) -> frozenset[str]:
    """The ids of a member's roles; everybody's own, which is the guild's id, is one of them."""
    return frozenset(str(role.id) for role in author.roles) if isinstance(author, discord.Member) else frozenset()


def replies_to(message: discord.Message, us: int) -> bool:
    """Whether it is a reply to something that we said ourselves."""
    answered = _answered(message)
    return answered is not None and _speaker(answered, us) == us


def mentions_others(message: discord.Message, us: int) -> bool:
    """Whether somebody else is called, a role, or everybody; or another person's message is replied to."""
    others = any(id != us for id in message.raw_mentions)
    return others or bool(message.raw_role_mentions) or message.mention_everyone or _replies_to_others(message, us)


def _replies_to_others(message: discord.Message, us: int) -> bool:
    """A message that was deleted, or that nobody knows, was somebody else's rather than ours or their own."""
    if message.type is not discord.MessageType.reply:
        return False
    answered = _answered(message)
    return answered is None or _speaker(answered, us) not in (us, message.author.id)


def _speaker(message: discord.Message, us: int) -> int:
    """Whose words they are: a question that we show is its asker's, and a call for people speaks for whoever called."""
    if message.author.id != us:
        return message.author.id
    if message.interaction_metadata is not None:
        return message.interaction_metadata.user.id
    return NOBODY if _CALLS.search(message.content) else us


def _answered(message: discord.Message) -> discord.Message | None:
    """The message that it is a reply to, as far as it is known."""
    reference = message.reference
    found = (reference.resolved or reference.cached_message) if reference else None
    return found if isinstance(found, discord.Message) else None


def is_for_us(message: discord.Message, us: int) -> bool:
    """Whether it is surely said to us, as the event alone tells it."""
    return us in message.raw_mentions or replies_to(message, us) or message.guild is None


def words(message: discord.Message, us: int) -> str:
    """The text without our name, wherever in it that stands, and with names instead of ids."""
    bare = re.sub(rf"[ \t]*<@!?{us}>(?:[ \t]*[,:](?=\s))?", "", message.content)
    people = {str(each.id): each.display_name for each in message.mentions}
    names = Names(
        {str(each.id): each.name for each in message.role_mentions},
        {str(each.id): each.name for each in message.channel_mentions if _is_open(each)},
    )
    return named(bare, names, people).strip()


def titled(title: str, text: str) -> str:
    """What a post asks: often its title alone, with a picture under it."""
    return text if title in text else f"{title}\n{text}".strip()


def _is_open(channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Whether everybody on the server sees it: of others not even the name is passed on."""
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    if parent is None or (isinstance(channel, discord.Thread) and channel.is_private()):
        return False
    return parent.permissions_for(channel.guild.default_role).view_channel


def _audience(message: discord.Message, spot: Spot, *, outside: bool) -> Audience:
    if spot.is_direct:
        user = str(message.author.id)
        return Audience(PLATFORM, spot.workspace, spot.channel, user, external=True, provisional=True)
    return Audience(PLATFORM, spot.workspace, spot.channel, external=outside or spot.outside)


def _target(message: discord.Message, spot: Spot) -> ReplyTarget:
    """In the channel's own place a thread is to stand on the question; elsewhere one answers where it was asked."""
    thread = str(message.id) if spot.opens_threads else ""
    return ReplyTarget(PLATFORM, spot.workspace, spot.room, thread, recipient=str(message.author.id))
