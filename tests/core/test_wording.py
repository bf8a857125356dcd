"""Every sentence for people: in both languages, with the same fields, used, and none missing."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.wording import SENTENCES, say, without_fixed

ROOT = Path(__file__).parents[2]
# Keys whose ends are put together at run time: `say(f"why.route.{route}")`.
DYNAMIC = (
    *(
        "connection.",
        "diff.",
        "parse.",
        "sync.phase.",
        "trust.",
        "activity.ended.",
        "why.label.",
        "why.route.",
        "why.scope.",
        "why.reason.",
        "job.by.",
    ),
    *(
        "button.",
        "channel.mode.",
        "job.status.",
        "why.leaning.",
        "why.out.",
        "why.ended.",
        "why.verdict.",
        "why.step.",
        "why.ahead.",
    ),
)
KEY = re.compile(r"^[a-z]+(?:\.[a-z_]+)+$")


def fields(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", sentence))


def strings() -> Iterator[tuple[str, str]]:
    """Every string of the code with the file it stands in, wording itself left out."""
    for area in ("core", "adapters", "bots"):
        for path in (ROOT / area).rglob("*.py"):
            if path.parent.name == "wording":
                continue
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value, str(path.relative_to(ROOT))


def asked_for() -> Iterator[tuple[str, str]]:
    """The keys of literal `say("…")`, `status("…")`, `reason="…"` and of the errors' first argument."""
    for area in ("core", "adapters", "bots"):
        for path in (ROOT / area).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                for value in _keys(node):
                    yield value, f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def _keys(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.Call):
        return
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    first = node.args[0] if node.args else None
    is_ours = name in ("say", "status") or name.endswith(("Error", "Denied", "Busy", "Timeout", "Refused"))
    if is_ours and isinstance(first, ast.Constant) and isinstance(first.value, str) and KEY.match(first.value):
        yield first.value
    for keyword in node.keywords:
        value = keyword.value
        if keyword.arg == "reason" and isinstance(value, ast.Constant) and KEY.match(str(value.value)):
            yield str(value.value)


@pytest.mark.parametrize("key", SENTENCES)
def test_each_sentence_stands_in_both_languages_with_the_same_fields(key: str) -> None:
    assert set(SENTENCES[key]) == {"en", "ko"}
    assert fields(SENTENCES[key]["en"]) == fields(SENTENCES[key]["ko"])
    assert all(sentence.strip() for sentence in SENTENCES[key].values())


@pytest.mark.parametrize("key", [key for key in SENTENCES if key.startswith(("answer.", "direct.", "error.", "note."))])
def test_a_whole_sentence_for_people_is_korean_where_it_should_be(key: str) -> None:
    bare = re.sub(r"\{\w+\}", "", SENTENCES[key]["ko"])
    assert re.search(r"[가-힣]", bare) or not re.search(r"[A-Za-z]{2}", bare)


def test_every_key_that_the_code_asks_for_exists() -> None:
    missing = [(key, where) for key, where in asked_for() if key not in SENTENCES]
    assert missing == []


def test_no_sentence_is_left_over() -> None:
    used = {value for value, _ in strings()}
    kept = {key for key in SENTENCES if key.startswith(DYNAMIC) or key.removesuffix("_bare") in used}
    left = [key for key in SENTENCES if key not in used and key not in kept]
    assert left == []


def test_a_sentence_is_filled_in_the_language_asked_for() -> None:
    assert say("error.access", "en") != say("error.access", "ko")
    assert "runbooks" in say("answer.not_found_at_all", "ko", collections="runbooks")


def test_an_unknown_key_is_a_bug() -> None:
    with pytest.raises(KeyError):
        say("answer.no_such_sentence", "en")


def test_our_own_lines_are_told_from_what_a_writer_claims() -> None:
    frame = say("answer.no_document_of", "ko", period="2028", title="AKS", date="2025-10-14")
    assert without_fixed(f"{frame}\n\nIt took 40 minutes. [1]").strip() == "It took 40 minutes. [1]"
    assert without_fixed(say("answer.closest", "en")) == ""


def test_no_sentence_stands_twice() -> None:
    tables = [
        importlib.import_module(f"core.wording.{path.stem}") for path in (ROOT / "core/wording").glob("[a-z]*.py")
    ]
    keys = [key for table in tables for key in table.SENTENCES]
    assert sorted(keys) == sorted(set(keys)) == sorted(SENTENCES)
