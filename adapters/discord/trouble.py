"""Discord's refusals and failures as errors of ours, each with what its reader can do."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import aiohttp
import discord

from adapters.discord.patience import Waiting, bounded
from core.errors import AccessDenied, Busy, RefdeskError, UpstreamRefused, UpstreamUnsure

NO_CHANNEL, NO_MESSAGE, NO_HOOK = 10003, 10008, 10015
NO_ACCESS, NO_DIRECT, NO_PERMISSION, NO_TOKEN = 50001, 50007, 50013, 50027
ACKNOWLEDGED = 40060
ARCHIVED, LOCKED, HAS_THREAD, TOO_OLD = 50083, 160005, 160004, 30046
NO_HISTORY = 160002
"""Only who may read what was said before can reply to it."""

GONE = frozenset({NO_MESSAGE, TOO_OLD})
"""The message can't be changed any more."""

EXPIRED = frozenset({NO_TOKEN, NO_HOOK})
"""An interaction takes no answer any more."""

NOWHERE = frozenset({NO_CHANNEL, NO_ACCESS, NO_PERMISSION, ARCHIVED, LOCKED, NO_DIRECT})
"""There is no place to write in."""

_REASONS = {
    NO_CHANNEL: "error.discord_gone",
    NO_ACCESS: "error.discord_permission",
    NO_PERMISSION: "error.discord_permission",
    ARCHIVED: "error.discord_closed",
    LOCKED: "error.discord_closed",
    NO_DIRECT: "error.discord_no_direct",
}


class DiscordRefused(UpstreamRefused):
    """Discord said no, by its own `code`."""

    def __init__(self, code: int, detail: str = "") -> None:
        super().__init__(_REASONS.get(code, "error.discord_refused"), detail=detail, code=code)
        self.code = code


class DiscordUnsure(UpstreamUnsure):
    """No answer came: what was asked for may have been done."""

    default_reason = "error.discord_down"


@contextmanager
def told() -> Iterator[None]:
    """What discord.py raises inside comes out as an error of ours."""
    try:
        yield
    except discord.RateLimited as error:
        raise Busy(detail=f"Discord asks for {error.retry_after:.0f} s") from error
    except discord.HTTPException as error:
        raise _of(error) from error
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        raise DiscordUnsure(detail=f"{type(error).__name__} {error}") from error
    except RuntimeError as error:  # aiohttp's, when the process is ending
        if "closed" not in str(error):
            raise
        raise DiscordUnsure(detail=str(error)) from error


@asynccontextmanager
async def asked() -> AsyncIterator[Waiting]:
    """As `told`; and each answer of Discord's comes in time, or it counts as lost."""
    with told():
        async with bounded() as waiting:
            yield waiting


def _of(error: discord.HTTPException) -> RefdeskError:
    detail = f"{error.status} {error.code} {error.text[:200]}"
    if error.status == 401 and error.code != NO_TOKEN:
        return AccessDenied("error.discord_signed_out", detail=detail)
    if error.status == 429:
        return Busy(detail=detail)
    if error.status >= 500:
        return DiscordUnsure(detail=detail)
    return DiscordRefused(error.code, detail)
