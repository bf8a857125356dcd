"""Who watches a desk from outside: an OpenTelemetry collector where one is named, else nobody."""

from __future__ import annotations

from contextlib import AsyncExitStack
from importlib.metadata import version
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.errors import ConfigError
from core.telemetry import UNTRACED, Tracer

if TYPE_CHECKING:
    from bots.settings import Settings


async def opened_tracer(stack: AsyncExitStack, settings: Settings) -> Tracer:
    """The tracer, open until the stack is closed; nothing is loaded for a desk that nobody watches."""
    if not settings.telemetry.otlp:
        return UNTRACED
    try:
        from adapters.otel import OtelTracer, Service, collector
    except ImportError as error:
        raise ConfigError("error.otel_extra") from error
    at = urlsplit(settings.models.base_url or "https://api.openai.com/v1")
    service = Service(host=at.hostname or "", port=at.port or (80 if at.scheme == "http" else 443))
    tracer = OtelTracer(collector(settings.telemetry.otlp), service, version("refdesk"))
    return await stack.enter_async_context(tracer)
