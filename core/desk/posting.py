"""Whether an answer may be shown to its readers now: asked just before it is posted, and before it is shared."""

from __future__ import annotations

import logging

from core.access_answers import may_explain, may_show, still_stands
from core.answers import Answer
from core.errors import AccessDenied, RefdeskError
from core.messages import Audience
from core.ports import Access, Catalog

log = logging.getLogger(__name__)


async def postable(
    outcome: Answer | RefdeskError, audience: Audience, access: Access, catalog: Catalog, *, fresh: bool = False
) -> Answer | RefdeskError:
    """The outcome; or the honest sentence where what it rests on can't be read by the audience (any more).

    A document that it points to and that was removed meanwhile counts as unreadable: deletions hold at once. An
    answer that is `fresh` from its run is not shown either when only its plan was made with what is hidden now.
    """
    if not isinstance(outcome, Answer):
        return outcome
    readable = await access.readable(audience)
    may = may_explain if fresh else may_show
    if may(outcome, readable) and still_stands(outcome, await catalog.pin(readable)):
        return outcome
    denied = AccessDenied("error.no_longer_readable")
    log.warning("an answer is not shown, since what it rests on may not be read: %s", denied.id)
    return denied
