"""What stands in an answer or in an event of a stream. Pure, and trusts no field to be there or to have its type."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from adapters.openai.faults import CUT_SHORT, DECLINED, EMPTY, Failure, fault_in_stream


@dataclass(frozen=True, slots=True)
class Told:
    """An answer or a piece of one: its words, those of a tool call, why it ended; `refused`: the model declined."""

    text: str = ""
    arguments: str = ""
    finish: str = ""
    refused: bool = False
    usage: object = None

    @classmethod
    def of(cls, answer: object) -> Told:
        """Of the first choice: its message, or its delta in a stream. Raises Failure when it tells of an error."""
        whole = _object(answer)
        if whole.get("error"):
            raise Failure(fault_in_stream(answer))
        choice = _first(whole.get("choices"))
        finish = str(choice.get("finish_reason") or "")
        said = _object(choice.get("delta") or choice.get("message"))
        return cls(
            text=_text(said.get("content")),
            arguments=_arguments(said.get("tool_calls")),
            finish=finish,
            refused=bool(said.get("refusal")) or finish == "content_filter",
            usage=whole.get("usage"),
        )

    def checked(self) -> Told:
        """Itself; raises Failure for an answer that was declined, cut short or left empty."""
        if self.refused:
            raise Failure(DECLINED)
        if self.finish == "length":
            raise Failure(CUT_SHORT)
        if not self.text.strip() and not self.arguments.strip():
            raise Failure(EMPTY)
        return self


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _first(values: object) -> dict[str, Any]:
    return _object(values[0]) if isinstance(values, list) and values else {}


def _text(content: object) -> str:
    """A text, or the texts of the parts that some servers make of it."""
    if isinstance(content, list):
        return "".join(str(_object(part).get("text") or "") for part in content)
    return content if isinstance(content, str) else ""


def _arguments(calls: object) -> str:
    """The arguments of the first call: JSON, or an object that some servers make of it."""
    arguments = _object(_first(calls).get("function")).get("arguments")
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments) if arguments else ""
