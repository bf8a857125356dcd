"""What kind of fact a question asks for, and whether a sentence holds one: a number, a day, a person, a reason.

Rules over Korean and English wording; no embeddings, no knowledge of any document.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, get_args

Fact = Literal["duration", "money", "count", "time", "person", "place", "contact", "command", "reason", "definition"]

_UNIT = (
    r"(?:business |working |calendar )?"
    r"(?:days?|weeks?|months?|years?|hours?|minutes?|mins?|seconds?|sprints?|quarters?)"
    r"|ms|영업일|일|주일?|개월|달|년|시간|분|초|박"
)
_SMALL = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|sixty|ninety"
    r"|half an?|an?"
)
_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?"
)

_ASKS: Mapping[Fact, tuple[str, ...]] = {
    "duration": (
        r"how (?:long|soon|quickly|fast|often|late|early|far (?:in advance|ahead|back))",
        r"what (?:is|was) the (?:duration|deadline|notice period)|within (?:what|how)|(?:until|by|since) when",
        rf"how many (?:\w+ )?(?:{_UNIT})\b",
        r"얼마나 (?:오래|걸|자주|빨리|일찍|전|빠르)|며칠|몇 ?(?:영업일|일|주|개월|달|년|시간|분|초|번)",
        r"기간|기한|언제까지",
    ),
    "money": (
        r"how much|what (?:\w+ ){0,3}(?:cost|price|budget|fee|allowance|rate)s?\b|\b(?:costs?|budget|price)\b",
        r"얼마(?!나)|비용|금액|요금|가격|예산|한도|지원금|수당",
    ),
    "count": (
        r"how (?:many|much|large|big|high|precise|accurate|heavy|deep|wide)",
        r"(?:what|which) (?:number|percentage|share|percent|limit|size|port|version|threshold|\w+ rate)",
        r"(?:what|which) (?:maximum|minimum)",
        r"몇|얼마나 (?:많|큰|높|정확)|개수|비율|퍼센트|포트|버전|최대|최소|횟수",
    ),
    "time": (
        r"\bwhen\b|what (?:date|day|time|year|month)|which (?:day|year|month|date)",
        r"언제|몇 시|몇 월|날짜|시각|시점|요일",
    ),
    "person": (
        r"\bwho(?:m|se)?\b|which (?:team|person|role|department)",
        r"누구|누가|담당|어느 (?:팀|부서)|어떤 팀|책임자",
    ),
    "place": (
        r"\bwhere\b|which (?:channel|folder|page|office|room|region|city|form|system|tool|portal)",
        r"어디|어느 (?:채널|폴더|사무실|지역|시스템|도구)|장소|위치",
    ),
    "contact": (r"\b(?:e-?mail|phone|contact|call|reach)\b|연락|전화|이메일|메일 주소",),
    "command": (
        r"(?:what|which) (?:command|flag|option|setting|environment variable|endpoint|header|status code|error)",
        r"명령어?|플래그|옵션|설정값|환경 ?변수",
    ),
    "reason": (
        r"\bwhy\b|what (?:caused|went wrong|was the (?:\w+ )?(?:cause|reason|problem))|root cause",
        r"왜|원인|이유|문제(?:가|였|는|점)|잘못",
    ),
    "definition": (
        r"^\W*(?:what(?:'s| is| are| was| were| does)|define|explain)\b",
        r"이?란|무엇|뭐|뭔|뜻|의미",
    ),
}

_HOLDS: Mapping[Fact, tuple[str, ...]] = {
    "duration": (
        rf"(?:\d[\d,.]*|\b(?:{_SMALL}))[\s-]*(?:{_UNIT})(?![A-Za-z])",
        r"\b(?:daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|immediately)\b",
        r"\bevery (?:day|week|month|quarter|year)\b",
        r"하루|이틀|사흘|나흘|일주일|보름|한 ?달|반나절|즉시|매일|매주|매월|매년|분기",
    ),
    "money": (
        r"[$€£₩¥]\s?\d|\d[\d,.]*\s?(?:만|천|백|억)?\s?(?:원|달러|유로)|무료",
        r"\b\d[\d,.]*\s?(?:usd|krw|eur|dollars?|euros?|won|cents?)\b|\((?:eur|usd|krw)\)",
        r"\bfree of charge|\bno (?:charge|cost)",
    ),
    "count": (
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|hundred|thousand|million)\b",
        r"\b(?:half|once|twice|none)\b|(?:한|두|세|네|다섯|여섯|열)\s?(?:번|명|개|대|곳|가지|차례)|절반",
    ),
    "time": (
        r"\b(?:1[89]|20)\d\d\b|\d{1,2}:\d\d|\d{1,2}\s?[시월일]|[월화수목금토일]요일|분기|매[월주년]",
        rf"\b(?:{_MONTH})\b\.?\s?\d|\d\s?(?:{_MONTH})\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b",
        r"\b(?:noon|midnight|quarter|q[1-4])\b",
    ),
    "person": (
        r"(?-i:(?<![.!?]\s)(?<!^)\b[A-Z][a-z]+ [A-Z][a-z]+)|@\w+|\b(?:team|manager|lead|owner|engineer|officer)\b",
        r"\b(?:director|on-?call|commander|admin(?:istrator)?s?|hr|finance|legal|security|support)\b",
        r"팀|담당|매니저|관리자|책임자|부서|[가-힣]{2,4} ?(?:님|씨|이사|대리|과장|부장|팀장|본부장)",
    ),
    "place": (
        r"#[\w가-힣-]+|https?://|/[\w-]+/|(?-i:\b(?:in|at|on|under|to|via|through|from) (?:the )?[`*\"A-Z])",
        r"에서|에 (?:있|저장|올|기록|신청|접수)|[가-힣]+(?:실|층|센터|사무실|채널|폴더|페이지|포털)",
        r"\b(?:portal|channel|folder|page|form|office|desk|room)\b",
    ),
    "contact": (r"@|#\w|\d{2,4}-\d{3,4}|\bext(?:ension)?\b|내선",),
    "command": (r"`[^`]+`|--\w|\$ ?\w|(?-i:\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b)|\b\w+\.\w+\.\w+",),
    "reason": (
        r"\b(?:because|since|due to|caused?|reason|so that|as a result|therefore|led to|problem|root cause)\b",
        r"\b(?:fail(?:ed|ure|s)?|missing|timed? ?out|blocked|expired)\b",
        r"때문|원인|이유|탓|그래서|따라서|실패|누락|초과|막혀|막혔|만료|으로 인해|로 인해|문제",
    ),
    "definition": (
        r"\b(?:is|are|was|were|means|refers to|stands for|describes)\b",
        r"(?:이|란|은|는) .*(?:이다|입니다|을 말|를 말|뜻|의미)|(?:입니다|이다|합니다)\.?$",
    ),
}
_ASKED = {fact: re.compile("|".join(patterns), re.IGNORECASE) for fact, patterns in _ASKS.items()}
_HELD = {fact: re.compile("|".join(patterns), re.IGNORECASE) for fact, patterns in _HOLDS.items()}
_ORDER: tuple[Fact, ...] = get_args(Fact)

INTERROGATIVE = re.compile(
    r"\b(?:how|what|when|where|who|whom|whose|which|why)\b"
    r"|몇|얼마|언제|누구|누가|어디|뭐|뭘|무엇|무슨|어떻게|어떤|왜|어느|며칠",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"[?？]\s+|\s*[,;–-]?\s+and\s+(?=(?:how|what|when|where|who|which|why|by when)\b)"
    r"|(?<=[가-힣][고며]),?\s+|,\s+",
    re.IGNORECASE,
)


def asked_for(question: str) -> tuple[Fact, ...]:
    """The kinds of fact asked for, the most telling first; a definition only when nothing else is asked."""
    found = [fact for fact in _ORDER if _ASKED[fact].search(question)]
    if "duration" in found or "money" in found:
        found = [fact for fact in found if fact not in ("count", "time")]
    return tuple(fact for fact in found if fact != "definition") or tuple(found)


def holds(facts: tuple[Fact, ...], sentence: str) -> float:
    """The share (0-1) of the kinds asked for that the sentence holds; 0.5 when no kind was asked for."""
    if not facts:
        return 0.5
    return sum(bool(_HELD[fact].search(sentence)) for fact in facts) / len(facts)


def parts(question: str) -> tuple[str, ...]:
    """The parts of a question that each ask for something; the whole when it is one question."""
    found = [""]
    for piece in _JOINT.split(question):
        if INTERROGATIVE.search(found[-1]) and INTERROGATIVE.search(piece):
            found.append(piece)
        else:
            found[-1] = f"{found[-1]} {piece}".strip()
    return tuple(found)
