"""The place in the question before that a bare "and X?" fills; pure.

Of what stood there nothing is left, so an answer about it is no answer: "How many days of annual leave are there?",
"and sick leave?" asks how many days of sick leave there are.
"""

from __future__ import annotations

import re

from adapters.local import cues

_BARE_ENGLISH = re.compile(
    r"^\W*(?:(?:and|so|but|then|also|ok|okay)[,\s]+)*(?:what|how)\s+about\b|^\W*and\s+(?:for\s+"
    r"|in\s+)?[\w.\s,-]{1,40}\?*$",
    re.IGNORECASE,
)
_BARE_KOREAN = re.compile(
    r"^\W*(?:그럼|그러면|그리고|근데|그런데)?[\s,]*[\w.+#-]+(?:(?:와|과|랑|하고|,)\s*[\w.+#-]+)*"
    r"(?:\s*(?:어때|어때요|어땠어|어땠어요|어땠나요|어떤가요|어떻게 돼|어떻게 되나요))?\s*\?*$"
)
_ASKED_ABOUT = re.compile(
    r"^\W*(?:(?:그럼|그러면|그렇다면|그리고|근데|그런데)[\s,]+)?(?P<name>[\w.+#-]+(?: [\w.+#-]+)?)(?:은|는)요?"
    r"(?:\s*(?:어때요?|어떤가요|어떻게 (?:돼요?|되나요|됩니까)))?\s*[?？]*$"
)
"""A Korean noun as the topic, with nothing else said of it."""

_TOPIC = re.compile(r"(?<!\S)(?P<name>[\w.+#-]*[\w+#])(?:은|는)(?=\s)")
_SAID_OF_NOUN = re.compile(r"(?:[하되있없않싶같]|걸리|나오|들어가|바꾸)$|^(?:알아)?[받쓰가오보주드나쉬많적좋]$")
"""Before such an ending 는 or 은 joins a verb to a noun: no topic."""

_OF_IT_TEXT = (
    "가격 금액 기간 기준 기한 날짜 단계 담당자 대상 마감 마감일 방법 범위 비용 순서 시간 시기 신청 양식 예외 요건 위치"
    " 이유 자격 장소 절차 조건 주기 준비물 차이 책임자 최대 최소 한도 형식 횟수"
)
_OF_IT = frozenset(_OF_IT_TEXT.split())
"""What one asks of the thing itself: no other thing in its place."""

_PARTICLE = re.compile(r"(?:에서|으로|에게|까지|부터|마다|이나|을|를|이|가|의|에|로|과|와|도|만|면|고)$")
_WORD, _PLAIN = re.compile(r"\S+"), re.compile(r"[A-Za-z가-힣]+")
_LEAD = re.compile(
    r"^\W*(?:(?:and|so|but|then|also|ok|okay)[,\s]+)*(?:(?:what|how)\s+about\s+)?(?:(?:for|in|the|our|a|an)\s+)*",
    re.IGNORECASE,
)


def in_its_slot(message: str, before: str) -> str:
    """The question before with what the message names in the place of what is parallel to it; empty without one."""
    return _names(message, before) or _topic(message, before) or _head(message, before)


def proper(word: str) -> bool:
    """Whether a word is written like a name: a capital or a digit in Latin letters."""
    return bool(re.search(r"[A-Z0-9]", word))


def _names(message: str, before: str) -> str:
    """ "What about X and Y?": proper names in the place of proper names."""
    if not (_BARE_ENGLISH.search(message) or _BARE_KOREAN.search(message)):
        return ""
    fresh = [word for word in cues.content_words(message) if proper(word)]
    stale = [word for word in cues.content_words(before) if proper(word)]
    if not fresh or not stale:
        return ""
    alike = [word for word in stale if _written(word) == _written(fresh[0])] or stale
    joint = "와 " if re.search(r"[가-힣]", before) else " and "
    question = _swap(before, alike[0], joint.join(fresh))
    for word in alike[1:]:  # the other members of the old list go with the first
        question = re.sub(rf"(?:\s*,\s*|\s+and\s+|(?:와|과|랑)\s*){re.escape(word)}(?!\w)", "", question)
    return question


def _topic(message: str, before: str) -> str:
    """A Korean topic in the place of the topic: 연차는 며칠인가요? 그럼 병가는? → 병가는 며칠인가요?"""
    asked = _ASKED_ABOUT.match(message)
    if asked is None or asked["name"].split()[-1] in _OF_IT:
        return ""
    for old in _TOPIC.finditer(before):
        if not _SAID_OF_NOUN.search(old["name"]):
            name = asked["name"]
            return f"{before[: _begin(before, old.start())]}{name}{_topical(name)}{before[old.end() :]}"
    return ""


def _begin(before: str, at: int) -> int:
    """Where the noun begins that ends at the topic: words without a particle or a digit belong to it."""
    for word in reversed(list(_WORD.finditer(before, 0, at))):
        if _PARTICLE.search(word[0]) or _SAID_OF_NOUN.search(word[0][:-1]) or not _PLAIN.fullmatch(word[0]):
            break
        at = word.start()
    return at


def _topical(name: str) -> str:
    """The topic's particle: 은 after a final consonant."""
    last = name[-1]
    return "은" if "가" <= last <= "힣" and (ord(last) - ord("가")) % 28 else "는"


def _head(message: str, before: str) -> str:
    """An English noun with another word before it: "annual leave", "and sick leave?" → "sick leave"."""
    if not _BARE_ENGLISH.search(message):
        return ""
    words = _LEAD.sub("", message).strip(" ?!.").split()
    if not 2 <= len(words) <= 4:
        return ""
    head = words[-1]
    old = re.search(rf"\b(?P<before>[\w-]+)\s+{re.escape(head)}\b", before, re.IGNORECASE)
    if old is None or not cues.content_words(old["before"]):
        return ""
    return f"{before[: old.start()]}{' '.join(words)}{before[old.end() :]}"


def _written(word: str) -> tuple[bool, bool]:
    """Numbers stand for numbers, and abbreviations for abbreviations."""
    return word[0].isdigit(), word.isupper()


def _swap(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(old)}(?![A-Za-z0-9])", lambda _: new, text, count=1)
