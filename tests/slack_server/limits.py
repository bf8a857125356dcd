"""What Slack refuses in a message, with the codes it refuses it with. Pure; the numbers are those of PLATFORMS.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.slack_server.refusing import ApiError

MOST_BLOCKS = 50
MOST_CHARACTERS = 13_200
MOST_TEXT = 40_000
MOST_UPDATE = 4_000
MOST_MARKDOWN = 12_000

Block = Mapping[str, Any]


class _Bad(ValueError):
    """Why a block is refused."""


def check_message(text: str, blocks: list[Block], markdown: str, *, most_text: int = MOST_TEXT) -> None:
    """Raises ApiError for a message that Slack would not take."""
    if markdown and (text or blocks):
        raise ApiError("markdown_text_conflict")
    if not (text or blocks or markdown):
        raise ApiError("no_text")
    if len(text) > most_text or len(markdown) > MOST_MARKDOWN:
        raise ApiError("msg_too_long")
    check_blocks(blocks)


def check_blocks(blocks: list[Block], most: int = MOST_BLOCKS) -> None:
    """Raises ApiError `invalid_blocks` or `msg_blocks_too_long`."""
    if not isinstance(blocks, list):
        raise ApiError("invalid_blocks_format")
    if len(blocks) > most:
        raise _refusal(f"no more than {most} items allowed [json-pointer:/blocks]")
    ids = [block["block_id"] for block in blocks if isinstance(block, dict) and block.get("block_id")]
    if len(ids) != len(set(ids)):
        raise _refusal("block_id already exists")
    for number, block in enumerate(blocks):
        try:
            _check(block)
        except _Bad as error:
            raise _refusal(f"{error} [json-pointer:/blocks/{number}]") from error
    if sum(len(part) for part in texts(blocks)) > MOST_CHARACTERS:
        raise ApiError("msg_blocks_too_long")
    if sum(len(block.get("text", "")) for block in blocks if block["type"] == "markdown") > MOST_MARKDOWN:
        raise _refusal("markdown blocks together hold more than 12000 characters")


def texts(value: Any) -> list[str]:
    """Every text that is shown in a tree of blocks."""
    if isinstance(value, list):
        return [text for each in value for text in texts(each)]
    if not isinstance(value, Mapping):
        return []
    own = [value["text"]] if isinstance(value.get("text"), str) else []
    return own + [text for each in value.values() if isinstance(each, list | Mapping) for text in texts(each)]


def _refusal(why: str) -> ApiError:
    return ApiError("invalid_blocks", errors=[why], response_metadata={"messages": [f"[ERROR] {why}"]})


def _check(block: Any) -> None:
    if not isinstance(block, Mapping) or block.get("type") not in _CHECKS:
        raise _Bad(f"unsupported type: {block.get('type') if isinstance(block, Mapping) else block}")
    if len(block.get("block_id", "")) > 255:
        raise _Bad("block_id is longer than 255")
    _CHECKS[block["type"]](block)


def _text(value: Any, most: int, kinds: tuple[str, ...] = ("plain_text", "mrkdwn")) -> None:
    if not isinstance(value, Mapping) or value.get("type") not in kinds:
        raise _Bad(f"text must be an object of type {' or '.join(kinds)}")
    _string(value.get("text"), most)


def _string(value: Any, most: int, least: int = 1) -> None:
    if not isinstance(value, str) or not least <= len(value) <= most:
        raise _Bad(f"must have {least} to {most} characters")


def _section(block: Block) -> None:
    if not block.get("text") and not block.get("fields"):
        raise _Bad("a section needs text or fields")
    if block.get("text"):
        _text(block["text"], 3000)
    fields = block.get("fields", [])
    if len(fields) > 10:
        raise _Bad("no more than 10 fields")
    for each in fields:
        _text(each, 2000)
    if block.get("accessory"):
        _element(block["accessory"])


def _elements(most: int) -> Callable[[Block], None]:
    def check(block: Block) -> None:
        elements = block.get("elements", [])
        if not 1 <= len(elements) <= most:
            raise _Bad(f"1 to {most} elements")
        ids = [each.get("action_id") for each in elements if each.get("action_id")]
        if len(ids) != len(set(ids)):
            raise _Bad("action_id already exists")
        for each in elements:
            _element(each)

    return check


def _element(element: Any) -> None:
    if not isinstance(element, Mapping):
        raise _Bad("an element must be an object")
    if len(element.get("action_id", "")) > 255:
        raise _Bad("action_id is longer than 255")
    _ELEMENTS.get(element.get("type", ""), _any)(element)


def _button(element: Block) -> None:
    _text(element.get("text"), 75, ("plain_text",))
    _string(element.get("value", ""), 2000, 0)
    _string(element.get("url", ""), 3000, 0)


def _feedback(element: Block) -> None:
    for name in ("positive_button", "negative_button"):
        _text(element[name].get("text"), 75, ("plain_text",))
        _string(element[name].get("value"), 2000)
        _string(element[name].get("accessibility_label", ""), 75, 0)


def _options(element: Block) -> None:
    options = element.get("options", [])
    if not 1 <= len(options) <= (5 if element["type"] == "overflow" else 100):
        raise _Bad("too few or too many options")
    for option in options:
        _text(option.get("text"), 75)
        _string(option.get("value"), 150)


def _image(element: Block) -> None:
    _string(element.get("alt_text"), 2000)
    _string(element.get("image_url"), 3000)


def _table(block: Block) -> None:
    rows = block.get("rows", [])
    if not 1 <= len(rows) <= 100 or any(not 1 <= len(row) <= 20 for row in rows):
        raise _Bad("a table has 1 to 100 rows of 1 to 20 cells")


def _any(_: Block) -> None:
    """A block that is taken as it comes."""


_ELEMENTS: Mapping[str, Callable[[Block], None]] = {
    **dict.fromkeys(("plain_text", "mrkdwn"), lambda element: _text(element, 3000)),
    **dict.fromkeys(("button", "icon_button"), _button),
    **dict.fromkeys(("static_select", "overflow", "radio_buttons", "checkboxes"), _options),
    "feedback_buttons": _feedback,
    "image": _image,
}
_CHECKS: Mapping[str, Callable[[Block], None]] = {
    "section": _section,
    "markdown": lambda block: _string(block.get("text"), MOST_MARKDOWN),
    "header": lambda block: _text(block.get("text"), 150, ("plain_text",)),
    "context": _elements(10),
    "actions": _elements(25),
    "context_actions": _elements(5),
    "divider": _any,
    "image": _image,
    "input": lambda block: _text(block.get("label"), 2000, ("plain_text",)),
    "table": _table,
    **dict.fromkeys(("rich_text", "video", "file", "task_card", "plan", "alert", "card", "carousel"), _any),
}
