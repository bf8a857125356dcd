"""The vendor's classes, loaded when a model is opened and not before: importing them takes about two seconds.

ChatOpenAI lays out the request and holds the client; what comes back is read by us (`events.py`, `answers.py`).
"""

from __future__ import annotations

import ssl
from typing import Any

import httpx2
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from openai import AsyncOpenAI, DefaultAioHttpClient

from adapters.openai.models import OpenAIModels
from core.chat import Request

_KINDS = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}


class _Chat(ChatOpenAI):
    def laid_out(self, messages: list[BaseMessage], options: dict[str, Any]) -> dict[str, Any]:
        """The request as this model family wants it (`developer` for `system`, names of limits)."""
        payload: dict[str, Any] = self._get_request_payload(messages, **options)
        return payload


class ChatClient:
    """ChatOpenAI over connections of its own."""

    def __init__(self, models: OpenAIModels, model: str, http: httpx2.AsyncClient) -> None:
        self._old_max_tokens = models.old_max_tokens
        self._chat = _Chat(model=model, http_async_client=http, use_responses_api=False, **_common(models))

    @property
    def api(self) -> AsyncOpenAI:
        """The client itself."""
        api = self._chat.root_async_client
        assert isinstance(api, AsyncOpenAI)
        return api

    def payload(self, request: Request, options: dict[str, Any]) -> dict[str, Any]:
        """The body of the HTTP request; `options` are further fields."""
        fields: dict[str, Any] = {"temperature": request.temperature, **options}
        if request.max_tokens is not None:
            fields["max_tokens"] = request.max_tokens
            if self._old_max_tokens:
                fields["extra_body"] = {"max_tokens": request.max_tokens}
        return self._chat.laid_out(messages_of(request), fields)


def messages_of(request: Request) -> list[BaseMessage]:
    """The request's messages in LangChain's classes."""
    return [_KINDS[said.role](said.text) for said in request.messages]


def embeddings(models: OpenAIModels, batch: int, http: httpx2.AsyncClient) -> OpenAIEmbeddings:
    """Texts go as they are: counting tokens would download a tokenizer. Plain numbers: not every server packs them."""
    return OpenAIEmbeddings(
        model=models.embedding,
        dimensions=models.dimension,
        check_embedding_ctx_length=False,
        chunk_size=batch,
        model_kwargs={"encoding_format": "float"},
        http_async_client=http,
        **_common(models),
    )


def connections(models: OpenAIModels) -> httpx2.AsyncClient:
    """A pool of its own, on aiohttp: a streamed piece costs a fraction of what it does on the default transport.

    No timeout here: `Patience` keeps the time. Blocks for as long as reading the machine's certificates takes.
    """
    limits = httpx2.Limits(max_connections=models.connections, keepalive_expiry=60)
    return DefaultAioHttpClient(timeout=None, limits=limits, verify=_trusted(models.base_url))


def _trusted(base_url: str) -> ssl.SSLContext:
    """The machine's certificates; none at all where none will be needed, since reading them takes a tenth of a second.

    A plain service that leads on to TLS is therefore not followed.
    """
    if base_url.lower().startswith("http:"):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx2.create_ssl_context()


def _common(models: OpenAIModels) -> dict[str, Any]:
    """No retries (ours count and keep to the deadline), and no proxy of the vendor's own variables.

    The key as a function: otherwise a second, synchronous client is made, which nobody uses.
    """

    async def key() -> str:
        return models.key

    return {
        "base_url": models.base_url,
        "api_key": key,
        "max_retries": 0,
        "timeout": None,
        "openai_proxy": None,
    }
