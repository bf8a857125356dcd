"""Which sentences of a retrieved text give orders to the assistant that reads it. Pure rules, both languages.

Some turn it away from what it was told, or tell it who it is: nothing else speaks like that, except who quotes it.
Others may as well be meant for people: a team's rules for its replies, a runbook, the papers of a team that builds
assistants. They count only where they carry what an attacker wants to see posted, a link or a mention. In doubt a
sentence is no order, because an ordinary one must not vanish from an answer.
"""

from __future__ import annotations

import re

_BEFORE = r"(?:previous|prior|earlier|preceding|foregoing|above|your)"
_TOLD = r"(?:instructions?|rules|guidelines|directives|orders)"
_WAIVED = r"\b(?:ignore|disregard|forget|override)\b"
# "Ignore the above instructions if you use Docker" speaks to people.
_WHATEVER = r"(?! (?:for|on|in|of|about|from|that|which)\b)(?![^.\n]{0,60}\b(?:if|when|unless)\b)"
_POSTED = r"(?:post|say|reveal|tell|print|output|answer|reply|respond|mention|tag|ping|render)"

_TO_THE_ASSISTANT = re.compile(
    rf"^(?!\W*(?:if|when|on|for)\b).*?{_WAIVED}[^.\n]{{0,30}}?\b{_BEFORE} (?:\w+ ){{0,2}}{_TOLD}\b{_WHATEVER}"
    rf"|^(?!\W*(?:if|when|on|for)\b).*?{_WAIVED}[^.\n]{{0,20}}?\b{_TOLD} (?:above|so far)\b{_WHATEVER}"
    rf"|{_WAIVED} (?:everything |all )?(?:the )?above\b(?:[,;:]| and| then)+ {_POSTED}\b"
    r"|\bdo (?:exactly )?as (?:i|we) say\b"
    r"|\byou(?: are|'re|’re) now an? (?:\w+ ){0,2}(?:assistant(?! (?:manager|director|professor|editor))"
    r"|(?:chat ?)?bot|language model|renderer|AI(?=[.,;:!]| (?:that|called|named|without)\b))\b"
    r"|(?-i:^\W*(?:SYSTEM|DEVELOPER|ASSISTANT|AI|LLM)(?: (?:message|prompt|note|override|update))?s?\s*[:：])"
    r"[^\n]{0,60}?\b(?:from now on|override the|ignore|disregard|forget|"
    r"you (?:(?:now|must|will|should|are to|always|only) )*"
    r"(?:answer|reply|respond|speak|say|post|are (?:an?|now|no longer)))\b"
    r"|^\W*(?:new|updated|hidden|secret) instructions?(?: for (?:you|the \w+))?\s*[:：]\s*"
    r"(?:reveal|ignore|disregard|forget|you)\b"
    r"|\b(?:reveal|print|repeat|output|recite|leak) (?:\w+ ){0,3}?your (?:system prompt|(?:hidden|secret|initial) \w+)"
    r"|(?:^\W*|\b(?:and|then|now),? )(?:answer|say|reply|respond),? (?:only|just|exactly|nothing but)(?: with)? "
    r"(?-i:[A-Z]{4,})\W*$"
    r"|(?:위|이전|앞|기존|모든|지금까지)\S*\s*(?:의\s*|모든\s*)?\S{0,6}지시(?!\s?사항)\S*\s*(?:\S+\s+)?(?:무시하[고라세십]|무시해|잊)"
    r"|^\W*시스템\s*[:：][^\n]{0,80}?(?:출력|공개|무시|답|게시|말)[^\n]{0,4}?"
    r"(?:해(?![가-힣])|하라|하세요|하십시오|해라|해 ?줘)"
    r"|(?-i:[A-Z]{4,})[\"'”’]?\s?(?:이?라고)만\s*(?:답|대답|응답|출력)",
    re.IGNORECASE | re.MULTILINE,
)
_TO_ANYBODY = re.compile(
    rf"{_WAIVED}[^.\n]{{0,60}}?"
    r"\b(?:above|previous|prior|earlier|preceding|instructions?|rules|prompts?|context|guidelines|questions?|everything)\b"
    r"|\b(?:new|updated|hidden|secret) instructions?\b[^.\n]{0,20}[:,]"
    r"|\byou(?: are|'re|’re) (?:now|no longer) (?:free|bound|restricted|in \w+ mode|an? \w+)\b"
    r"|\bobey (?:me|us|this|these|it)\b"
    r"|\b(?:AIs?|LLMs?|language models?|chat ?bots?|(?:AI|all|any) assistants?)\b[^.\n]{0,20}"
    r"\b(?:must|should|shall|please|are to|is to)\b",
    re.IGNORECASE,
)
_TOLD_TO_POST = re.compile(
    r"\b(?:post|write|add|append|insert|include|mention|greet|tag|ping|notify|render|reveal|print|output|say|tell|call"
    r"|link|answer|reply|respond)\b",
    re.IGNORECASE,
)
# Manuals of programs speak of answers too; to whoever reads them they are orders only as a command.
_OF_ANSWERS = re.compile(
    r"\b(?:in|into|to|with|before|after|of) (?:every|each|all|your|any) (?:\w+ )?"
    r"(?:answers?|repl(?:y|ies)|responses?|outputs?)\b"
    r"|(?:^\W*|\b(?:and|then|now|please),? )(?:answer|reply|respond|output|say|print),? "
    r"(?:only|just|exactly|instead|always|nothing but)\b"
    r"|\b(?:answer|reply|respond)\b,? with\b",
    re.IGNORECASE,
)
_IN_KOREAN = re.compile(
    r"(?:위|이전|앞|기존|모든|지금까지)\S*\s*(?:의\s*|모든\s*)?\S{0,6}(?:지시|명령|내용|규칙|프롬프트|지침|질문)\S*"
    r"\s*(?:\S+\s+)?(?:무시|잊)"
    r"|(?:답변?|응답|회신)\s?(?:에|의|마다|할|끝|맨)[^\n]{0,80}(?:넣|추가하|붙이|올리|올려|게시하|포함하|포함시[키켜]|멘션하|쓰|적)"
    r"(?:으?세요|으?십시오|으?시오|어라|라(?![가-힣])|[어여]? ?줘|[어여]? ?주세요|해라|해 ?주세요)"
    r"|(?:라고|로|으로)만\s*(?:답|대답|응답|출력)",
)
_COMMAND = re.compile(
    r"^\W*(?:then |now |and |instead,? |also |please )*(?:post|write|add|append|insert|include|mention|tag|ping|notify"
    r"|render|send|forward|reveal|show|print|output|say|tell|click|open|visit|link|answer|reply|respond)\b",
    re.IGNORECASE,
)
_ATTACHED = re.compile(
    r"[a-z][a-z0-9+.-]{0,30}://|\bwww\.|(?<![\w.+-])[@＠]\w|<[!@]"
    r"|\b(?:the following|this) (?:link|address|url|image)\b|(?:다음|아래|이)\s?(?:링크|주소|이미지|URL)",
    re.IGNORECASE,
)
_CARRIED = re.compile(
    r"[a-z][a-z0-9+.-]{0,30}://|\bwww\.|[@＠]|<!|올려|올리|게시|멘션|넣으|추가하|출력하|알려", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“「『«][^\"”」』»\n]*(?:[\"”」』»]|$)|`[^`\n]*`")


def demands(sentence: str) -> bool:
    """Whether the sentence is an order to the assistant; one that is quoted and carries nothing is an example."""
    if not attached(sentence):
        return _TO_THE_ASSISTANT.search(_QUOTED.sub(" ", sentence)) is not None
    return bool(
        _TO_THE_ASSISTANT.search(sentence)
        or (_TO_ANYBODY.search(sentence) and _TOLD_TO_POST.search(sentence))
        or (_OF_ANSWERS.search(sentence) and _COMMAND.search(sentence))
        or _IN_KOREAN.search(sentence)
    )


def attached(text: str) -> bool:
    """Whether there is a link or a mention in it, or talk of the one that follows."""
    return _ATTACHED.search(text) is not None


def tells(sentence: str) -> bool:
    """Whether it tells somebody to do something, or holds what would be posted: beside an order a part of it."""
    return bool(_COMMAND.search(sentence) or _CARRIED.search(sentence))
