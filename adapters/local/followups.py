"""Does a message lean on its thread, and what is the question once everything it leans on is written out?

Rules over closed classes of words (`cues`); no language model, hence nothing is invented: every word of
a standalone question comes from the message or from the thread. A question that is complete is left
exactly as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adapters.local import cues
from adapters.local.slots import in_its_slot, proper
from core.messages import Exchange, ThreadMessage

_CARRIED = 8
_FEW_ENGLISH = 3
_FEW_KOREAN = 2
_FAR = 0.1
_RATHER_FAR = 0.2
"""Cosines to the question before, under which a short message that names a subject opens a new one: any word
of the Cards will do when it is far, two or more and nothing else when it is only rather far."""


@dataclass(frozen=True, slots=True)
class Thread:
    """What a message can lean on: the question before (standalone), its answer, and older questions."""

    question: str = ""
    answer: str = ""
    older: tuple[str, ...] = ()
    asked_back: bool = False

    def __bool__(self) -> bool:
        return bool(self.question)


@dataclass(frozen=True, slots=True)
class Understood:
    """The standalone question, further wordings to search, and why it was or wasn't written out.

    `open` says that a referent was found neither in the message nor in the thread.
    """

    question: str
    reason: str
    wordings: tuple[str, ...] = ()
    open: bool = False

    @property
    def dependent(self) -> bool:
        """Whether the message leans on the thread."""
        return bool(self.wordings)


def thread_of(history: Sequence[Exchange], context: Sequence[ThreadMessage]) -> Thread:
    """What came before, without courtesies; people's own talk counts where nothing was asked of us yet."""
    real = [exchange for exchange in history if exchange.route != "direct"]
    if real:
        last = real[-1]
        older = tuple(exchange.standalone or exchange.question for exchange in reversed(real[:-1]))
        return Thread(last.standalone or last.question, last.answer, older, last.route == "clarify")
    if context:
        return Thread(context[-1].text, "", tuple(message.text for message in reversed(context[:-1])))
    return Thread()


def leaning(message: str, thread: Thread, nearness: float, names: Callable[[str], bool]) -> str:
    """Why the message can't stand alone, as a key; empty when it can.

    `nearness` is its cosine to the question before, `names` tells whether the Cards know a word of it.
    """
    words = cues.content_words(message)
    if thread.asked_back:
        return "answered"
    if cues.chooses(message):
        return "choice"
    if cues.continues(message) and len(words) <= 2 * _FEW_ENGLISH:
        return "continues"
    if cues.points_back(message):
        return "pronoun"
    few = _FEW_KOREAN if _korean(message) else _FEW_ENGLISH
    if len(words) > few:
        return ""
    named = [names(word) for word in words]
    fresh_subject = any(named) and nearness < _FAR
    fresh_subject = fresh_subject or (len(words) > 1 and all(named) and nearness < _RATHER_FAR)
    return "" if fresh_subject else "short"


def understand(message: str, thread: Thread, why: str) -> Understood:
    """The message with what it leans on written out; `why` comes from `leaning`."""
    if not why:
        return Understood(message, "complete")
    if not thread:
        lost = why in ("pronoun", "choice") and len(cues.content_words(message)) <= 1
        return Understood(message, "unresolved" if lost else "complete", open=lost)
    if thread.asked_back:
        return _answered_back(message, thread)
    topic = carried(message, thread, parallel=why == "continues")
    plain = f"{' '.join(topic)}: {message}" if topic else message
    match why:
        case "choice":
            question = _among(message, listed(thread)) or plain
        case "continues" | "short":
            question = in_its_slot(message, thread.question) or plain
        case "pronoun":
            question = _with_noun(message, thread.question) or plain
        case _:
            question = plain
    return Understood(question, why, tuple(dict.fromkeys((message, plain))))


_ASKED_BEFORE = re.compile(r"[가-힣]*[였었았했됐갔왔났렸졌][가-힣]{0,2}$")
"""A Korean predicate in the past: what was asked before, not what it was asked about."""


def carried(message: str, thread: Thread, *, parallel: bool) -> list[str]:
    """Content words of the questions before that the message lacks, the latest question's first.

    In a parallel question ("and X?") a proper name gives way to the new one.
    """
    own = {word.lower() for word in cues.content_words(message)}
    replaced = parallel and any(proper(word) for word in cues.content_words(message))
    topic: list[str] = []
    for question in (thread.question, *thread.older):
        if len(topic) >= _CARRIED // 2 and question != thread.question:
            break
        for word in cues.content_words(question):
            known = word.lower() in own or word.lower() in {t.lower() for t in topic}
            if not known and not (replaced and proper(word)) and not _ASKED_BEFORE.search(word):
                topic.append(word)
    return topic[:_CARRIED]


def listed(thread: Thread) -> list[str]:
    """The things that the answer before lists, or else those that its question names side by side."""
    bullets = re.findall(
        r"^\s*(?:[-*•]|\d+[.)])\s+\**([^\n:*—(]{2,40}?)\**\s*(?:[:—(\n]|$)", thread.answer, re.MULTILINE
    )
    if len(bullets) >= 2:
        return [bullet.strip() for bullet in bullets][:6]
    for text in (thread.question, thread.answer):
        found = _SIDE_BY_SIDE.search(text)
        if found:
            return [part.strip() for part in _JOINTS.split(found.group()) if part.strip()][:6]
    return []


_NAME = r"[A-Z0-9][\w.+-]*(?:\s[A-Z0-9][\w.+-]*)*|[가-힣]+?"
_JOINTS = re.compile(r"\s*,\s*(?:and|or|및)?\s*|\s+(?:and|or|vs\.?|versus|및|또는)\s+|(?:와|과|랑|하고|이랑)\s+")
_SIDE_BY_SIDE = re.compile(
    r"(?:[A-Z0-9][\w.+-]*)(?:,\s+(?:and\s+)?[A-Z0-9][\w.+-]*)*,?\s+(?:and|or|vs\.?|versus)\s+[A-Z0-9][\w.+-]*"
    r"|[A-Za-z0-9가-힣]+(?:,\s*[A-Za-z0-9가-힣]+)*(?:와|과|랑|,)\s*[A-Za-z0-9가-힣]+(?=[는은이가의을를 ]|$)"
)


def _among(message: str, items: Sequence[str]) -> str:
    """ "Which one" with the things to choose from."""
    if len(items) < 2:
        return ""
    if _korean(message):
        group = ", ".join(items) + " 중에 "
        named, count = re.subn(r"(?:그|둘|이)\s?중에?서?\s*", group, message, count=1)
        return named if count else group + message
    group = " of " + ", ".join(items[:-1]) + " and " + items[-1]
    named, count = re.subn(r"\s+of\s+(?:them|these|those|the\s+\w+)\b", group, message, count=1, flags=re.IGNORECASE)
    if not count:
        named, count = re.subn(r"\bwhich(?:\s+ones?)?\b", rf"\g<0>{group}", message, count=1, flags=re.IGNORECASE)
    return named if count else ""


def _with_noun(message: str, before: str) -> str:
    """The first pronoun replaced by the noun phrase of the question before; English only."""
    noun = noun_phrase(before)
    if not noun or _korean(message):
        return ""
    found = cues.PRONOUN.search(message)
    if not found:
        return ""
    possessive = found.group().lower() in ("its", "their", "his")
    return message[: found.start()] + noun + ("'s" if possessive else "") + message[found.end() :]


def noun_phrase(question: str) -> str:
    """The longest stretch of naming words in a question, with the small words inside it."""
    best: list[str] = []
    run: list[str] = []
    for token in [*re.findall(r"[\w'.+#/-]+|[^\w\s]", question), ""]:
        naming = bool(cues.content_words(token))
        if naming or (run and token.lower() in _LINKS):
            run.append(token)
            continue
        while run and run[-1].lower() in _LINKS:
            run.pop()
        best = max(best, _from_determiner(run), key=lambda words: sum(w.lower() not in _LINKS for w in words))
        run = [token] if token.lower() in _DETERMINERS else []
    return " ".join(best)


_DETERMINERS = frozenset({"the", "a", "an", "our", "my", "your"})
_LINKS = _DETERMINERS | {"of", "in", "for", "on", "at", "from", "and", "with", "per", "to"}


def _from_determiner(run: list[str]) -> list[str]:
    """Without a verb that stands before its object: "caused the outage" → "the outage"."""
    if len(run) > 2 and run[1].lower() in _DETERMINERS and run[0].lower() not in _LINKS:
        return run[1:]
    return run


def _answered_back(message: str, thread: Thread) -> Understood:
    """We had asked what is meant; the message says it, so it completes the question before."""
    if len(cues.content_words(message)) > _FEW_ENGLISH + 1:
        return Understood(message, "complete")
    found = None if _korean(thread.question) else cues.PRONOUN.search(thread.question)
    named = message.strip(" .!?")
    if found:
        whole = f"{thread.question[: found.start()]}{named}{thread.question[found.end() :]}"
    else:
        whole = f"{named}: {thread.question}"
    return Understood(whole, "answered", (message, whole))


def _korean(text: str) -> bool:
    return bool(re.search(r"[가-힣]", text))
