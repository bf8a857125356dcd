"""What a sentence and the passage it cites have in common, as numbers, for the local support check.

Words, numbers, names, negation, opposites and the nearest window of the passage. The same code runs
in fitting and at run time. Knows no weights and no question.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from core.ports import Analyzer, Vectors

_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?|(?<=[가-힣])\d[\d,]*(?:\.\d+)?")
_WORDED = tuple(
    re.findall(
        r"\w+",
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
        " eighteen nineteen twenty",
    )
)
_KOREAN = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10}
_KOREAN_COUNT = re.compile(
    rf"(?<![가-힣])({'|'.join(_KOREAN)})\s?(?=(?:개|명|번|대|곳|가지|달|시간|시|사람|마리|권|차례|살|군데|층)(?![가-힣]{{3}}))"
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|unable|fail(?:s|ed)?|lacks?|un(?:like|avail)\w*)\b|n't\b"
    r"|않|못[하한했해 ]|없|아니|아닌|아닙|안 (?:되|돼|됩|된|하|해|합)|불가|금지|말아|말 것",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][\w&.'-]*\w|\b[A-Z]{2,}\w*|\b\w+[_/.-]\w[\w/.-]*")
_OPPOSITES = tuple(
    (re.compile(first, re.IGNORECASE), re.compile(second, re.IGNORECASE))
    for first, second in (
        (
            r"\b(?:increas|ris(?:e|ing)|rose|gr[eo]w|climb|gain|improv)",
            r"\b(?:decreas|f[ae]ll|declin|drop|shr[ia]nk|los[est]|worsen)",
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
        (r"\b(?:internal|inside|include)", r"\b(?:external|outside|exclude)"),
        (r"\b(?:positive|strong|support|agree)", r"\b(?:negative|weak|oppos|disagree)"),
        (r"있", r"없"),
        (r"(?<!불)가능|수 있", r"불가능|수 없|금지"),
        (r"무료|공짜", r"유료|비용|요금"),
        (r"많|늘|증가|상승|올랐|높|크[고다]|큰", r"적[은다었]|줄|감소|하락|내렸|떨어|낮|작[은다고]"),
        (r"좋|훌륭|만족|편[하리]|쉽|쉬[운웠]|추천|최고", r"나쁘|나빴|불만|불편|어렵|어려|비추|최악|별로"),
        (r"가깝|가까", r"멀|먼 "),
        (r"이전|전에", r"이후|후에|뒤에"),
        (r"최소|이상", r"최대|이하|미만"),
        (r"시작|처음", r"종료|끝|마지막"),
        (r"찬성|허용|승인|긍정", r"반대|거부|거절|부정"),
        (r"남[자성편]|아버지|할아버지|아들", r"여[자성]|아내|어머니|할머니|딸"),
    )
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How one sentence agrees with the passages it cites; shares are in 0-1."""

    cosine: float
    cover: float
    number_missing: bool
    names_missing: float
    negation: bool
    opposite: bool


@dataclass(frozen=True, slots=True)
class Windows:
    """The passages cited, as sentences and pairs of neighbours, with vectors and tokens."""

    texts: tuple[str, ...]
    vectors: Vectors
    tokens: tuple[frozenset[str], ...]
    whole: str
    numbers: frozenset[str]


def windows(texts: Sequence[str], vectors: Vectors, analyzer: Analyzer) -> Windows:
    """Sentences and pairs of neighbours; a pair's vector is the mean of its two."""
    single = [frozenset(analyzer.tokens(text)) for text in texts]
    pairs = vectors[:-1] + vectors[1:]
    pairs = pairs / np.maximum(np.linalg.norm(pairs, axis=1, keepdims=True), 1e-9)
    neighbours = list(pairwise(range(len(texts))))
    whole = " ".join(texts)
    return Windows(
        texts=(*texts, *(f"{texts[i]} {texts[j]}" for i, j in neighbours)),
        vectors=np.vstack([vectors, pairs]),
        tokens=(*single, *(single[i] | single[j] for i, j in neighbours)),
        whole=unicodedata.normalize("NFC", whole).casefold(),
        numbers=frozenset(numbers(whole)),
    )


def compare(sentence: str, vector: Vectors, against: Windows, analyzer: Analyzer) -> Agreement:
    """The agreement of one sentence with its best window."""
    weights = {token: weight(token) for token in analyzer.tokens(sentence)}
    cosines = against.vectors @ vector
    covers = np.array([share(weights, tokens) for tokens in against.tokens])
    best = int(np.argmax(cosines + covers))
    names = {name.casefold() for name in _NAME.findall(sentence)}
    window = against.texts[best]
    return Agreement(
        cosine=float(cosines[best]),
        cover=float(covers[best]),
        number_missing=not against.numbers.issuperset(numbers(sentence)),
        names_missing=sum(name not in against.whole for name in names) / len(names) if names else 0.0,
        negation=bool(_NEGATION.search(sentence)) != bool(_NEGATION.search(window)),
        opposite=any(_contradicts(pair, sentence, window) for pair in _OPPOSITES),
    )


def numbers(text: str) -> Iterator[str]:
    """The numbers of a text as plain digits, small ones also where they are written as words."""
    for match in _NUMBER.findall(text):
        yield match.replace(",", "").rstrip(".")
    for word in re.findall(r"[a-z]+", text.casefold()):
        if word in _WORDED:
            yield str(_WORDED.index(word) + 1)
    for match in _KOREAN_COUNT.finditer(text):
        yield str(_KOREAN[match[1]])


def weight(token: str) -> float:
    """A guess of a token's idf from its form: long, numeric and mixed tokens are rare."""
    if any(map(str.isdigit, token)):
        return 4.0
    return 1.0 + min(len(token), 10) / 2.5 if token.isascii() else 3.0


def share(weights: Mapping[str, float], tokens: frozenset[str]) -> float:
    """The share (0-1) of the weights that stands in these tokens."""
    total = sum(weights.values())
    return sum(w for token, w in weights.items() if token in tokens) / total if total else 0.0


def _contradicts(pair: tuple[re.Pattern[str], re.Pattern[str]], sentence: str, window: str) -> bool:
    def one_side(side: re.Pattern[str], other: re.Pattern[str], text: str) -> bool:
        return bool(side.search(text)) and not other.search(text)

    first, second = pair
    return (one_side(first, second, sentence) and one_side(second, first, window)) or (
        one_side(second, first, sentence) and one_side(first, second, window)
    )
