"""What `refdesk check` says of Discord: lines for people, with what is missing and what for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.compose.access import opened_counter
from bots.compose.discord_check import Bot, Findings, Room, findings
from bots.discord_permissions import PERMISSIONS, TO_READ, Permission, missing
from bots.discord_settings import THREADS, TOLD_BY
from core.wording import say

if TYPE_CHECKING:
    from bots.settings import CollectionSettings, Settings
    from core.messages import Language

_PAGE = "https://discord.com/developers/applications/{application}/bot"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A bot of the settings: whether it is the one that people talk to, and which channels collections read by it."""

    bot: Bot
    speaks: bool
    sources: tuple[str, ...]


async def discord_lines(settings: Settings) -> tuple[list[str], bool]:
    """The lines, and whether something has to be done before Discord works."""
    discord, language = settings.discord, settings.language
    bots = _bots(settings)
    if discord.mode == "off" and not bots:
        return [say("check.discord_off", language)], False
    if not bots:
        return [say("check.discord_none", language, name=TOLD_BY)], False
    lines: list[str] = []
    wanting = False
    for bot in bots:
        told, lacks = await _told(settings, bot)
        lines, wanting = [*lines, *told], wanting or lacks
    return lines, wanting


def _bots(settings: Settings) -> list[_Asked]:
    """The bot that speaks, and those that only read for a collection."""
    tokens: dict[str, str] = {}
    sources: defaultdict[str, list[str]] = defaultdict(list)
    if settings.discord.on:
        tokens[TOLD_BY] = settings.discord.bot_token.get_secret_value()
    for each in _read(settings.collections):
        tokens.setdefault(each.discord.token_env, each.discord.token.get_secret_value())
        sources[each.discord.token_env] += THREADS.channels(each.path)
    base, on = settings.discord.base_url, settings.discord.on
    return [
        _Asked(Bot(name, token, base), on and name == TOLD_BY, _once(sources[name])) for name, token in tokens.items()
    ]


def _read(collections: Sequence[CollectionSettings]) -> list[CollectionSettings]:
    return [each for each in collections if each.kind == "discord"]


async def _told(settings: Settings, asked: _Asked) -> tuple[list[str], bool]:
    discord, language = settings.discord, settings.language
    spoken = _once([*_spoken(settings), *await _set_in_chat(settings)]) if asked.speaks else ()
    guilds = (*discord.guilds, *discord.try_commands) if asked.speaks else ()
    found = await findings(asked.bot, _once(guilds), _once((*spoken, *asked.sources)))
    if found.wrong is not None:
        return [found.wrong.user_message(language)], True
    key = "check.discord" if asked.speaks else "check.discord_reads"
    words, wordless = _words(settings, asked, found)
    places = _places(found, spoken, language)
    lines = [say(key, language, bot=found.name, name=asked.bot.name), *words, *places]
    if places:
        lines.append(say("check.discord_remedy", language))
    elif found.rooms:
        lines.append(say("check.discord_rooms", language, count=len(found.rooms)))
    return lines, wordless or bool(places)


def _once(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))


def _places(found: Findings, spoken: Sequence[str], language: Language) -> list[str]:
    """Servers on which the bot is not, and what it lacks in channels."""
    away = [say("check.discord_away", language, guild=each) for each in found.away]
    return away + [line for room in found.rooms for line in _room(room, room.id in spoken, language)]


def _spoken(settings: Settings) -> list[str]:
    """The channels where somebody may ask, as far as the settings name them."""
    return _channels(place for each in settings.collections for place in each.visibility.channels)


async def _set_in_chat(settings: Settings) -> list[str]:
    """Those for which admins have set something, with `/channel` or at the terminal."""
    async with opened_counter(settings) as counter:
        return _channels(view.channel for view in await counter.channels.everywhere(counter.inquiry("")))


def _channels(places: Iterable[str]) -> list[str]:
    """Discord's ids of those that are channels of its servers."""
    parted = (place.split("/", 2) for place in places)
    return [channel for platform, guild, channel in parted if platform == "discord" and guild.isdecimal()]


def _words(settings: Settings, asked: _Asked, found: Findings) -> tuple[list[str], bool]:
    """Whether messages come with their words, and what works without."""
    language, speaks = settings.language, asked.speaks
    needed = bool(asked.sources) or (speaks and settings.discord.message_content)
    if needed and not found.words:
        page = _PAGE.format(application=found.application)
        lines = [say("check.discord_intent_missing", language, page=page)]
        if asked.sources:
            lines.append(say("check.discord_intent_source", language))
        return [*lines, *([say("check.discord_without", language)] if speaks else [])], True
    if speaks and not settings.discord.message_content:
        return [say("check.discord_named", language)], False
    return [say("check.discord_intent", language)], False


def _room(room: Room, spoken: bool, language: Language) -> list[str]:
    """What is missing in a channel."""
    shown = f"#{room.name} ({room.id})" if room.name else room.id
    if not room.held:
        return [say("check.discord_unseen", language, channel=shown)]
    wanted: Sequence[Permission] = PERMISSIONS if spoken else TO_READ
    return [
        say("check.discord_missing", language, channel=shown, permission=each.name, why=say(each.why, language))
        for each in missing(room.held, wanted)
    ]
