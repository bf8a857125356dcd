"""A question that compares two named things, taken apart into one question for each; only where that is clear.

Pure wording rules in English and Korean.
"""

from __future__ import annotations

import re

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
    found = _KOREAN.search(question)
    return _tidy(_pair(found)) if found else ()


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
