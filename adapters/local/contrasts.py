"""Words that turn a sentence round or make it say more than its source: negations, opposites, absolutes, hedges.

Small lists of everyday Korean and English, written by hand. Knows no vectors and no weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|unable|fail(?:s|ed)?|lacks?|un(?:like|avail)\w*)\b|n't\b"
    r"|않|못|없|아니|아닌|아닙|안 (?:되|돼|됩|된|하|해|합)|불가|금지|말아|말 것|지 마",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(
    r"\b(?:all|every|only|always|never|most|none|exclusively|solely|entirely|completely|fully|any|exactly|precisely"
    r"|first|last|largest|smallest|best|worst|must)\b"
    r"|모두|모든|전부|항상|언제나|절대|가장|최고|최초|최대|유일|오직|(?<=[가-힣])만(?= )|밖에|완전|매우|반드시|처음"
    r"|마지막|전혀|아무|제일|뿐",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:may|might|could|would|should|expect\w*|plan\w*|propos\w*|likely|possibl\w*|potential\w*|if|allege\w*|about"
    r"|approximately|roughly)\b|것 같|예정|수도|라고|듯|려고|계획|전망|예상|추진|바라|싶|아마",
    re.IGNORECASE,
)

_PAIRS = (
    (
        r"\b(?:increas|ris(?:e|ing)|rose|gr[eo]w|climb|gain|improv|uptick)",
        r"\b(?:decreas|f[ae]ll|declin|drop|shr[ia]nk|los[est]|worsen|downturn)",
    ),
    (r"\b(?:higher|more|larger|greater|above|over|exceed)", r"\b(?:lower|less|fewer|smaller|below|under)\b"),
    (r"\b(?:before|prior|earlier)\b", r"\b(?:after|later|following)\b"),
    (r"\b(?:minimum|at least|min)\b", r"\b(?:maximum|at most|up to|max)\b"),
    (
        r"\b(?:allow|permit|may\b|can\b|accept)",
        r"\b(?:forbid|prohibit|refus|reject|den[iy]|must not|cannot|not allowed)",
    ),
    (r"\b(?:always|all|every|must|required|mandatory)\b", r"\b(?:never|some|optional|may)\b"),
    (r"\b(?:first|start|begin|began|open)", r"\b(?:last|end|finish|clos)"),
    (r"\b(?:success|succe[es]|win|won\b|pass)", r"\b(?:fail|los[est]|defeat)"),
    (r"\b(?:internal|inside|include|including)", r"\b(?:external|outside|exclude|excluding)"),
    (r"\b(?:positive|strong|support|agree|favou?rabl)", r"\b(?:negative|weak|oppos|disagree|unfavou?rabl)"),
    (r"\bprofit", r"\bloss(?:es)?\b"),
    (r"\b(?:accelerat|speed|fast|quick)", r"\b(?:decelerat|defer|delay|slow|postpon)"),
    (r"\b(?:buy|bought|purchas|acquir)", r"\b(?:sell|sold|sale|divest)"),
    (r"\b(?:enabl|activ|turn(?:ed)? on)", r"\b(?:disabl|inactiv|deactiv|turn(?:ed)? off)"),
    (r"\b(?:add|creat|install|attach)(?:s|ed|ing)?\b", r"\b(?:remov|delet|uninstall|detach)"),
    (r"\b(?:up|upward|upgrad)", r"\b(?:down|downward|downgrad)"),
    (r"\b(?:public|open)\b", r"\b(?:private|secret|closed)\b"),
    (r"\b(?:automatic)", r"\b(?:manual)"),
    (r"\b(?:temporar)", r"\b(?:permanent)"),
    (r"\b(?:common|frequent|often)", r"\b(?:rare|seldom|unusual|uncommon)"),
    (r"\b(?:new|recent|latest|young)", r"\b(?:old|former|ancient|outdated)\b"),
    (r"\b(?:better|best|superior)\b", r"\b(?:worse|worst|inferior)\b"),
    (r"\b(?:early|earliest)\b", r"\b(?:late|latest)\b"),
    (r"\b(?:long|longer)\b", r"\b(?:short|shorter|brief)"),
    (r"\b(?:because|due to|thanks to)\b", r"\b(?:despite|although|in spite of)\b"),
    (r"\b(?:domestic|local)", r"\b(?:foreign|overseas|abroad)"),
    (r"\b(?:rais|lift)", r"\b(?:lower|reduc|cut)"),
    (r"\bencourag|\bpromot", r"\bdiscourag|\bhinder"),
    (r"있", r"없"),
    (r"(?<!불)가능|수 있", r"불가능|수 없|금지"),
    (r"무료|공짜", r"유료|비용|요금"),
    (r"많|늘|증가|상승|올랐|높|크[고다]|큰", r"적[은다었]|줄|감소|하락|내렸|떨어|낮|작[은다고]"),
    (r"좋|훌륭|만족|편[하리]|쉽|쉬[운웠]|추천|최고|재[미밌]", r"나쁘|나빴|불만|불편|어렵|어려|비추|최악|별로|지루"),
    (r"가깝|가까", r"멀|먼 "),
    (r"이전|전에", r"이후|후에|뒤에"),
    (r"최소|이상", r"최대|이하|미만"),
    (r"시작|처음", r"종료|끝|마지막"),
    (r"찬성|허용|승인|긍정", r"반대|거부|거절|부정"),
    (r"남[자성편]|아버지|할아버지|아들", r"여[자성]|아내|어머니|할머니|딸"),
    (r"성공|승리|이[겼긴]|합격", r"실패|패배|졌|진 |불합격"),
    (r"빠르|빨리|빨랐", r"느리|느린|늦"),
    (r"깨끗|청결", r"더럽|지저분"),
    (r"조용", r"시끄|소음"),
    (r"넓", r"좁"),
    (r"밝", r"어둡|어두"),
    (r"친절", r"불친절|무례"),
    (r"국내", r"국외|해외|외국"),
    (r"확대|강화|확충|인상", r"축소|약화|삭감|인하"),
    (r"찬|춥|추[운웠]|시원", r"덥|더[운웠]|뜨거"),
    (r"새로|신규|최근", r"오래|기존|예전"),
    (r"입금|입사|입장|입국", r"출금|퇴사|퇴장|출국"),
    (r"자동", r"수동"),
    (r"공개", r"비공개|비밀"),
    (r"필수|의무|해야", r"선택|않아도"),
)
_OPPOSITES = tuple((re.compile(a, re.IGNORECASE), re.compile(b, re.IGNORECASE)) for a, b in _PAIRS)
_FIRST_KOREAN = next(number for number, (one, _) in enumerate(_PAIRS) if not one.isascii())
_PREFIXES = ("un", "in", "im", "dis", "non", "mis", "ir", "il", "불", "비", "무", "미")


@dataclass(frozen=True, slots=True)
class Signs:
    """What a text holds of these words; `poles` are (number of the pair, side) of the opposites."""

    negations: frozenset[str] = frozenset()
    absolutes: frozenset[str] = frozenset()
    hedged: bool = False
    poles: frozenset[tuple[int, int]] = frozenset()


@lru_cache(maxsize=2048)
def signs(text: str) -> Signs:
    """The signs of a text; remembered, since one stretch is compared with many sentences."""
    return Signs(
        frozenset(match.casefold() for match in _NEGATION.findall(text)),
        frozenset(match.casefold().strip() for match in _ABSOLUTE.findall(text)),
        bool(_HEDGE.search(text)),
        frozenset(
            (number, side)
            for number, pair in enumerate(_OPPOSITES)
            if number < _FIRST_KOREAN or not text.isascii()
            for side, pattern in enumerate(pair)
            if pattern.search(text)
        ),
    )


def opposed(one: Signs, other: Signs) -> int:
    """In how many pairs of opposites the two stand on different sides, each on one alone."""
    mine, theirs = dict(_alone(one.poles)), dict(_alone(other.poles))
    return sum(theirs.get(number, side) != side for number, side in mine.items())


def prefixed(words: Iterable[str], known: frozenset[str]) -> bool:
    """Whether one of the words is another one's opposite by its prefix: *unknown* where the source has *known*."""
    return any(
        prefix + word in known
        or (word.startswith(prefix) and len(word) > len(prefix) + 1 and word[len(prefix) :] in known)
        for word in words
        for prefix in _PREFIXES
    )


def _alone(poles: frozenset[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(number, side) for number, side in poles if (number, 1 - side) not in poles]
