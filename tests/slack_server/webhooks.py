"""The other way to the app: signed POST requests to its URLs."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import aiohttp

from tests.slack_server.delivering import Unacknowledged, What


def signature(secret: str, timestamp: str, body: str) -> str:
    """Slack's v0 signature of a request."""
    digest = hmac.new(secret.encode(), f"v0:{timestamp}:{body}".encode(), hashlib.sha256)
    return f"v0={digest.hexdigest()}"


@dataclass
class Webhooks:
    """Posts to one URL, as an app has it for events, commands and clicks alike. Open between enter and exit."""

    url: str
    secret: str
    session: aiohttp.ClientSession | None = None

    async def open(self) -> None:
        self.session = aiohttp.ClientSession(trust_env=False)

    async def close(self) -> None:
        if self.session is not None:
            await self.session.close()

    async def verify_url(self) -> bool:
        """What Slack asks when the URL is entered."""
        body = {"token": "verification-token", "challenge": "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}
        answer = await self.carry("events_api", {**body, "type": "url_verification"}, 0, "", 3.0)
        return (answer.get("challenge") if isinstance(answer, dict) else answer) == body["challenge"]

    async def carry(self, what: What, body: dict[str, Any], attempt: int, reason: str, seconds: float) -> Any:
        """Raises Unacknowledged unless the app answers 200 in time."""
        assert self.session is not None
        kind, text = _encoded(what, body)
        now = str(int(time.time()))
        headers = {
            "Content-Type": kind,
            "X-Slack-Request-Timestamp": now,
            "X-Slack-Signature": signature(self.secret, now, text),
        }
        if attempt:
            headers |= {"X-Slack-Retry-Num": str(attempt), "X-Slack-Retry-Reason": reason}
        timeout = aiohttp.ClientTimeout(total=seconds)
        try:
            async with self.session.post(self.url, data=text.encode(), headers=headers, timeout=timeout) as response:
                answer = await response.text()
                if response.status == 200:
                    return _decoded(answer)
                stop = response.headers.get("X-Slack-No-Retry") == "1"
                raise Unacknowledged("no_retry" if stop else "http_error")
        except TimeoutError as error:
            raise Unacknowledged("http_timeout") from error
        except aiohttp.ClientError as error:
            raise Unacknowledged("connection_failed") from error


def _encoded(what: What, body: dict[str, Any]) -> tuple[str, str]:
    if what == "events_api":
        return "application/json", json.dumps(body)
    fields = {"payload": json.dumps(body)} if what == "interactive" else body
    return "application/x-www-form-urlencoded", urlencode(fields)


def _decoded(answer: str) -> Any:
    if not answer:
        return None
    try:
        return json.loads(answer)
    except json.JSONDecodeError:
        return {"text": answer}
