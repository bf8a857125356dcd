"""What somebody typed after the command, as a wish. Pure, and total: whatever was typed is one.

The words have Korean names too. A question may begin with any of them (“status of the migration?”), so a word is a
command only with what may follow it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from core.asking import asks
from core.desk.channel_talk import ChannelWish, What

Verb = Literal[
    "ask", "reindex", "jobs", "cancel", "collections", "router", "status", "quiet", "loud", "forget", "forget_me",
    "channel", "help", "unknown",
]  # fmt: skip

_VERBS: dict[str, Verb] = {
    **dict.fromkeys(("ask", "질문", "물어봐", "물어보기"), "ask"),
    **dict.fromkeys(("reindex", "sync", "재색인", "다시읽기", "동기화"), "reindex"),
    **dict.fromkeys(("jobs", "job", "작업"), "jobs"),
    **dict.fromkeys(("cancel", "취소"), "cancel"),
    **dict.fromkeys(("collections", "문서", "문서모음", "모음"), "collections"),
    **dict.fromkeys(("router", "라우터"), "router"),
    **dict.fromkeys(("status", "상태"), "status"),
    **dict.fromkeys(("quiet", "조용히"), "quiet"),
    **dict.fromkeys(("forget", "잊기", "잊어줘"), "forget"),
    **dict.fromkeys(("channel", "채널"), "channel"),
    **dict.fromkeys(("help", "?", "도움말", "도움"), "help"),
}
_ALL = frozenset({"all", "전체", "모두"})
_ME = frozenset({"me", "나", "나를", "저"})
_OFF = frozenset({"off", "end", "해제", "끝"})
_CHANGES: dict[str, What] = {
    **dict.fromkeys(("mode", "방식"), "mode"),
    **dict.fromkeys(("default", "defaults", "기본"), "default"),
    **dict.fromkeys(("show", "보이기"), "show"),
    **dict.fromkeys(("hide", "숨기기"), "hide"),
    **dict.fromkeys(("unset", "해제"), "unset"),
    **dict.fromkeys(("hint", "힌트"), "hint"),
}
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_ID = re.compile(r"[0-9a-f]{4,32}")
_ALONE = frozenset({"collections", "router", "status", "help"})


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted. `text` is a question or what nobody understood, `names` are collections, `id` names a job.

    `everything`: a reindex of all collections, not of the one that is to be chosen.
    """

    verb: Verb
    text: str = ""
    names: tuple[str, ...] = ()
    id: str = ""
    everything: bool = False
    channel: ChannelWish = field(default_factory=ChannelWish)


def parse(text: str) -> Wish:
    """What was typed."""
    whole = " ".join(text.split())
    first, _, rest = whole.partition(" ")
    verb = _VERBS.get(first.casefold())
    if not whole:
        return Wish("help")
    if verb == "ask":
        return Wish("ask", text.strip()[len(first) :].strip())
    found = _command(verb, rest) if verb else None
    if found is not None:
        return found
    return Wish("ask" if asks(whole) else "unknown", text.strip())


def _command(verb: Verb, rest: str) -> Wish | None:
    """The command, if what follows may follow it; else it begins a question or nothing that we know."""
    words = rest.split()
    if verb == "reindex":
        return _reindex(words)
    if verb in ("jobs", "cancel"):
        return _job(verb, words)
    if verb == "channel":
        return _channel(rest)
    word = words[0].casefold() if words else ""
    if verb in _ALONE or len(words) > 1:
        return None if words else Wish(verb)
    return _thread(verb, word)


def _thread(verb: Verb, word: str) -> Wish | None:
    """What is done to a conversation; `forget me` to all of them."""
    if not word:
        return Wish(verb)
    if verb == "quiet":
        return Wish("loud") if word in _OFF else None
    return Wish("forget_me") if word in _ME else None


def _job(verb: Verb, words: list[str]) -> Wish | None:
    if not words:
        return Wish("jobs") if verb == "jobs" else None
    id = words[0].casefold()
    return Wish(verb, id=id) if len(words) == 1 and _ID.fullmatch(id) else None


def _reindex(words: list[str]) -> Wish | None:
    names = tuple(dict.fromkeys(each.strip(",").casefold() for each in words))
    if names and _ALL.issuperset(names):
        return Wish("reindex", everything=True)
    return Wish("reindex", names=names) if all(map(_NAME.fullmatch, names)) else None


def _channel(rest: str) -> Wish | None:
    first, _, said = rest.partition(" ")
    if not first:
        return Wish("channel")
    what = _CHANGES.get(first.casefold())
    if what == "hint":
        name, _, text = said.partition(":" if ":" in said else " ")
        return Wish("channel", channel=ChannelWish("hint", (name.strip(),), text.strip())) if name.strip() else None
    if what is None or not said:
        return None
    if what == "mode":
        return Wish("channel", channel=ChannelWish("mode", text=said.casefold()))
    names = tuple(dict.fromkeys(each for each in re.split(r"[,\s]+", said.casefold()) if each))
    return Wish("channel", channel=ChannelWish(what, names)) if names else None
