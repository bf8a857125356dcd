"""An envelope of Socket Mode, through Bolt, and back as its acknowledgement."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from slack_bolt.adapter.socket_mode.async_internals import run_async_bolt_app
from slack_sdk.socket_mode.request import SocketModeRequest

from adapters.slack.line import Envelope, Handle

if TYPE_CHECKING:
    from slack_bolt.async_app import AsyncApp
    from slack_bolt.response import BoltResponse

log = logging.getLogger(__name__)


def through(app: AsyncApp) -> Handle:
    """What a Line does with its envelopes."""

    async def handled(envelope: Envelope) -> Envelope | None:
        request = SocketModeRequest.from_dict(envelope)
        if request is None:
            return None
        answer = await run_async_bolt_app(app, request)
        if answer.status not in (200, 404):
            log.warning("an event of Slack was not taken (%s) and will come again", answer.status)
            return None
        return {"envelope_id": request.envelope_id, **_payload(answer)}

    return handled


def _payload(answer: BoltResponse) -> dict[str, Any]:
    """What comes with the acknowledgement. 404: nobody listens for it, which no repetition changes."""
    if answer.status == 404 or not answer.body:
        return {}
    kind = (answer.headers.get("content-type") or [""])[0]
    return {"payload": json.loads(answer.body) if kind.startswith("application/json") else {"text": answer.body}}
