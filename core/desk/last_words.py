"""The end of a reply, whatever its platform says to it: the answer, else a reason in its place, else one told alone."""

from __future__ import annotations

import logging

from core.answers import Answer
from core.errors import RefdeskError, TurnTaken, UpstreamRefused
from core.messages import Turn
from core.ports import Reply

log = logging.getLogger(__name__)


async def last_words(reply: Reply, outcome: Answer | RefdeskError, turn: Turn) -> Answer | RefdeskError:
    """Show how the turn ended; what is there now. Raises TurnTaken, and what a reply raises that may be tried again."""
    if isinstance(outcome, RefdeskError) and turn.author.is_bot:
        return await _unsaid(reply, outcome)
    try:
        await reply.finish(outcome)
        return outcome
    except UpstreamRefused as refused:
        log.warning("the end of %s was refused (%s): %s", turn.run, refused.id, refused)
        if turn.author.is_bot:
            return await _unsaid(reply, refused)
        if isinstance(outcome, RefdeskError) or not await _told(reply, refused, turn):
            await _whispered(reply, refused, turn)
        return refused


async def _unsaid(reply: Reply, error: RefdeskError) -> RefdeskError:
    """A program that is told of an error might answer it, for ever."""
    await reply.finish("withdrawn")
    return error


async def _told(reply: Reply, refused: RefdeskError, turn: Turn) -> bool:
    """Whether the reason stands where the answer should: what is refused may be the answer's form alone."""
    try:
        await reply.finish(refused)
    except TurnTaken:
        raise
    except RefdeskError as error:
        log.warning("nor could the reason of %s be shown: %s", turn.run, error)
        return False
    return True


async def _whispered(reply: Reply, refused: RefdeskError, turn: Turn) -> None:
    try:
        await reply.whisper(refused)
    except RefdeskError as error:
        log.warning("nobody could be told of %s: %s", turn.run, error)
