"""A question about two things, taken apart into one question for each; only where that is clear.

Two things compared, two names in one place, or two questions in one sentence. Pure wording rules in
English and Korean.
"""

from __future__ import annotations

import re

from adapters.local.expected import INTERROGATIVE, parts

_NAME = r"[A-Za-z0-9][A-Za-z0-9_.+#-]*년?"
_TWO_NAMES = re.compile(
    rf"(?<![\w-])(?P<first>{_NAME})(?:(?:이랑|랑|와|과|하고|,)\s*|\s+(?:and|&|or)\s+)(?P<second>{_NAME})(?![A-Za-z0-9])"
)
_EACH = re.compile(r"\b(?:each|respectively|both)\b|각각|각자|둘\s?다|모두|비교\S*(?:\s+\S{1,4})?$", re.IGNORECASE)
_THING = r"[^,?.!]{2,60}?"
_ENGLISH = (
    re.compile(
        rf"\b(?:difference|differences|differ|compare|comparison|comparing)\b(?:\s+(?:is|are|was|were))?\s*(?:(?:in"
        rf"|of)\s+(?P<topic>{_THING})\s+)?"
        rf"(?:between\s+)?(?P<first>{_THING})\s+(?:and|with|to|vs\.?|versus)\s+(?P<second>{_THING})\s*[?.!]*$",
        re.IGNORECASE,
    ),
    re.compile(rf"^\W*(?P<first>{_THING})\s+(?:vs\.?|versus)\s+(?P<second>{_THING})\s*[?.!]*$", re.IGNORECASE),
)
_KOREAN = re.compile(
    r"(?P<first>[\w가-힣.+#-]+(?: [\w가-힣.+#-]+)?)(?:와|과|이랑|랑|하고|\s*vs\.?)\s+(?P<second>[\w가-힣.+#-]+?)"
    r"(?:의|를|을|은|는|이|가|에서)?(?:\s+(?P<topic>[\w가-힣]+(?: [\w가-힣]+)?))??\s*"
    r"(?:차이점?|비교)(?=$|[은는이가을를도의점\s?.!해]|뭐|알려|좀)"
)


def sub_questions(question: str) -> tuple[str, ...]:
    """Two questions for "difference between X and Y", "X와 Y 비교"; none when it isn't one."""
    for pattern in _ENGLISH:
        found = pattern.search(question)
        if found:
            return _tidy(_pair(found))
    each = _each(question)
    if each:
        return _tidy(each)
    found = _KOREAN.search(question)
    return _tidy(_pair(found)) if found else _tidy(_joined(question))


def _each(question: str) -> tuple[str, ...]:
    """The question once for each of two names that stand in one place ("AKS랑 GKE 업그레이드 …")."""
    found = _TWO_NAMES.search(question)
    if found is None or not all(_is_name(found[side]) for side in ("first", "second")):
        return ()
    before, after = question[: found.start()], _EACH.sub(" ", question[found.end() :])
    return tuple(f"{before}{found[side]}{after}" for side in ("first", "second"))


def _is_name(word: str) -> bool:
    """Acronyms, codes and years: what two of in a row are two things of one kind."""
    return any(c.isdigit() for c in word) or (word.upper() == word and len(word) > 1)


def _joined(question: str) -> tuple[str, ...]:
    """Two questions in one sentence; the second keeps the first's subject before it, for it seldom names one."""
    found = parts(question)
    if len(found) != 2:
        return ()
    first, second = found
    return (first, f"{_subject(first)} {second}")


def _subject(text: str) -> str:
    """The words before what is asked: what the question is about, as far as wording tells."""
    found = INTERROGATIVE.search(text)
    return " ".join(text[: found.start()].split()[:4]) if found else ""


def _pair(found: re.Match[str]) -> tuple[str, ...]:
    parts = found.groupdict()
    first, second = (_bare(parts[side]) for side in ("first", "second"))
    topic = re.sub(r"(?<=[가-힣])(?:의|을|를|에서)$", "", _bare(parts.get("topic") or ""))
    if not first or not second or first.lower() == second.lower() or len(first.split()) > 8:
        return ()
    own = "" if topic and first.endswith(topic) else topic
    return (f"{first} {_shared_head(first, second)} {own}", f"{second} {topic}")


def _shared_head(first: str, second: str) -> str:
    """ "AKS and GKE upgrades": the noun at the end of the second belongs to the first as well."""
    words = second.split()
    alone = len(first.split()) == 1 and first.upper() == first != first.lower()
    return " ".join(words[1:]) if alone and len(words) > 1 and words[0].upper() == words[0] != words[0].lower() else ""


def _bare(text: str) -> str:
    return re.sub(r"^(?:between|the|a|an|our)\s+", "", text.strip(), flags=re.IGNORECASE)


def _tidy(parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in parts)
