"""What the tests of this folder ask, and with what settings. No test here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, Field, SecretStr

from adapters.openai.chat import OpenAIChat
from adapters.openai.models import OpenAIModels
from core.chat import Request, Said
from core.errors import UpstreamError
from tests.openai_server.server import OpenAIServer

KEY = "sk-very-secret-0123456789"
PROMPT = "The passage says that Ms Kettering earns 91,000."


class Grade(BaseModel):
    number: int
    grade: Literal["correct", "ambiguous", "incorrect"]


class Grades(BaseModel):
    """The grades of all passages."""

    grades: list[Grade]
    missing: str = Field(default="", description="What none of them tells")


VALUE = {"grades": [{"number": 1, "grade": "correct"}, {"number": 2, "grade": "incorrect"}], "missing": ""}

REQUEST = Request((Said("system", "You grade."), Said("user", PROMPT)))


def models(server: OpenAIServer, **changes: Any) -> OpenAIModels:
    """Settings for this server, with short times."""
    plain = OpenAIModels(base_url=server.base_url, api_key=SecretStr(KEY), small="small", large="large", timeout=5)
    return replace(plain, **changes)


def small(server: OpenAIServer, **changes: Any) -> OpenAIChat:
    """The small model of this server, still closed."""
    return OpenAIChat(models(server, **changes), "small")


async def spoken(chat: OpenAIChat, request: Request = REQUEST) -> str:
    """The whole text of a streamed answer."""
    return "".join([chunk.text async for chunk in chat.stream(request)])


async def failed(chat: OpenAIChat, request: Request = REQUEST) -> tuple[str, UpstreamError]:
    """What a streamed answer says until it fails, and the error."""
    said = ""
    try:
        async for chunk in chat.stream(request):
            said += chunk.text
    except UpstreamError as error:
        return said, error
    raise AssertionError(f"it did not fail: {said}")
