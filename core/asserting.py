"""Which sentences of an answer claim something that a passage could support, and which do not. Pure text.

Greetings, questions back, headings, labels, and sentences that say what the documents don't say are no claims:
no passage can hold them, and to count them as unsupported would punish an honest answer. When in doubt a
sentence is a claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.quoting import bare


def asserts(sentence: str) -> bool:
    """Whether a sentence, without its markers, says something that a source must hold."""
    text = sentence.strip()
    if not bare(text):
        return False
    if text.startswith(("```", "~~~")):
        return True
    if any(form.search(text) for form in _FORMS):
        return False
    if _COURTESY.fullmatch(text):
        return False
    return _ABSENCE.search(text) is None or _TURN.search(text) is not None


_FORMS = (
    re.compile(r"[?？][\"'”’)\]*_]*$"),  # a question back
    re.compile(r"^.{1,120}[:：][*_]*$", re.DOTALL),  # the label of what follows
    re.compile(r"^#{1,6}\s"),
    re.compile(r"^(\*\*|__)[^*_\n]{1,80}\1$"),  # a heading in bold
    re.compile(r"^(?:[A-Z][a-z]+ ){1,4}(?:[A-Z][a-z]+)$"),  # Next Steps
)

_COURTESIES = (
    r"(?:hi|hello|hey)(?: there| again| everyone| all)?",
    r"good (?:morning|afternoon|evening)",
    r"thanks?(?: you)?(?: (?:so|very) much)?(?: for [\w ]{1,40})?",
    r"you['’]re (?:very )?welcome",
    r"sure(?: thing)?|of course|certainly|absolutely|no problem",
    r"(?:great|good) question",
    r"(?:i am |i['’]m )?(?:happy|glad) to help(?: you)?(?: with [\w ]{1,40})?",
    r"(?:i )?hope (?:this|that) helps",
    r"(?:i am |i['’]m )?(?:very |so )?sorry(?: about that)?|my apologies",
    r"(?:please )?(?:let me know|feel free to|ask) [\w ,'’]{1,80}",
    r"안녕하세요|안녕|반갑습니다|(?:정말 )?감사합니다|고맙습니다|천만에요|(?:정말 )?죄송합니다",
    r"네|예|물론(?:입니다|이죠)|좋은 질문입니다",
    r"도움이 되[^.!?\n]{1,30}",
    r"[^.!?\n]{0,20}(?:궁금|필요|질문)[^.!?\n]{1,40}(?:말씀|알려|물어|문의)[^.!?\n]{0,12}(?:주세요|주십시오|보세요)",
)

_SOURCE = (
    r"(?:documents?|documentation|docs|passages?|sources?|excerpts?|context|search results?|handbook|pages?"
    r"|(?:provided|given|available) (?:texts?|information|materials?))"
)
_NOT = r"(?:do(?:es)?|did|is|are|was|were|can|could)(?: not|n['’]t)|cannot|never"
_TELL = (
    r"(?:say|state|mention|specify|contain|include|cover|describe|answer|address|provide|give|tell|explain|list|discuss"
    r"|indicate|detail|have|offer)"
)
_TOLD = r"(?:mentioned|stated|specified|covered|described|given|addressed|included|found|provided|listed|discussed)"
_ADVERB = r"(?:(?:explicitly|specifically|directly|clearly|actually|seem to|appear to|themselves) )?"

_ABSENCES = (
    # The documents don't say …, none of the passages mentions …
    rf"\b{_SOURCE}\b[^.!?\n]{{0,40}}\b(?:{_NOT}) {_ADVERB}{_TELL}\b",
    rf"\b(?:none|neither) of (?:the|these|them|your)\b[^.!?\n]{{0,40}}\b{_TELL}(?:s|es|ies)?\b",
    rf"\b{_SOURCE}\b[^.!?\n]{{0,20}}\b{_TELL}s? (?:no|nothing)\b",
    # … is not stated in the documents, no mention of … in …
    rf"\b(?:{_NOT}) {_ADVERB}(?:be )?{_TOLD}\b[^.!?\n]{{0,20}} (?:in|by|anywhere in) (?:the|these|any|your)\b"
    rf"[^.!?\n]{{0,20}}\b{_SOURCE}",
    r"\b(?:is|are|was|were)(?: not|n['’]t) (?:mentioned|stated|specified|documented)\W*$",
    r"\b(?:there (?:is|was|are) )?no (?:information|mention|details?|answer)\b[^.!?\n]{0,80}"
    rf"\b(?:in|from|by|about|on|of)\b[^.!?\n]{{0,60}}(?:{_SOURCE}|\W*$)",
    # I couldn't find …
    r"\bi (?:could(?: not|n['’]t)|can(?:not|['’]t)|did(?: not|n['’]t)|was(?: not|n['’]t) able to)"
    r" (?:find|see|answer|tell|locate)\b",
    r"\bi (?:do not|don['’]t) (?:have|know|see)\b|\bi(?:['’]m| am) (?:not sure|unable)\b",
    # 문서에는 … 나와 있지 않습니다, … 찾을 수 없습니다
    r"(?:문서|자료|출처|본문|구절|핸드북|발췌|검색 결과|페이지)(?:들)?(?:에|에는|에서|에서는|만으로는|에도)\s"
    r"[^.!?\n]{0,50}"
    r"(?:정보|내용|언급|설명|기록|규정|나와|나오|적혀|쓰여|찾|확인|명시|기재|답)[^.!?\n]{0,14}(?:없|않|못)",
    r"(?:정보|내용|언급|설명|기록|규정)[은는이가도]?\s(?:따로 |별도로 )?"
    r"(?:(?:찾을|확인할) 수 |나와 있지 |언급되어 있지 )?"
    r"(?:없습니다|없어요|않습니다|않아요)\W*$",
    r"(?:찾을 수 없(?:습니다|었습니다|어요)|찾지 못했(?:습니다|어요)|알 수 없(?:습니다|어요)"
    r"|(?:언급|명시|기재)되어 있지 않(?:습니다|아요))\W*$",
)


def _any_of(patterns: Sequence[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns)


_COURTESY = re.compile(rf"\W*(?:{_any_of(_COURTESIES)})\W*", re.IGNORECASE)
# "… don't mention hotels, but flights are paid": the second half is a claim.
_TURN = re.compile(r"\b(?:but|however|though|although|while|whereas)\b|지만|반면|다만|는데 ", re.IGNORECASE)
_ABSENCE = re.compile(_any_of(_ABSENCES), re.IGNORECASE)
