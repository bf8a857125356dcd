"""The closed classes of words by which a message leans on what was said before, in English and Korean.

Pure word lists and the small questions asked of them; what follows from a cue is decided elsewhere.
"""

from __future__ import annotations

import re

_ENGLISH_EMPTY_TEXT = (
    "a about actually all also always am an and any anything are aren as at away be been before being between both"
    " but by"
    " can cannot could did didn do does doesn doing don done else ever every everything few for from get give go had"
    " has"
    " have having hello help here hi how i if in info information into is isn just know let like long look make many"
    " may me"
    " mean meant might more most much must my need no not now of off ok okay on only or our out over please possible"
    " really"
    " same say see shall should so some something still such sure take taken takes tell than thank thanks that the"
    " then there"
    " thing things think to too under until up us use used very want was way we well were what when where whether"
    " which while"
    " who whom whose why will with without would yes yet you your"
)
_KOREAN_EMPTY_TEXT = (
    "그럼 그러면 그래서 그리고 그런데 근데 혹시 좀 더 또 다시 그냥 이제 지금 정말 진짜 제일 가장 아주 많이 뭐 뭔데"
    " 뭐야 뭐예요 뭔가요"
    " 무엇 무엇인가요 어떻게 어떤 어느 왜 언제 어디 어디서 누가 누구 누구야 얼마 얼마나 얼마야 얼마예요 며칠 몇 걸려"
    " 걸려요 걸리나요 걸렸어"
    " 걸렸나요 걸리지 되나요 돼 돼요 되지 됐어 됐나요 해 해요 하나요 하지 해야 했어 했나요 있어 있어요 있나요 있었어"
    " 없어 없나요 알려줘"
    " 알려 알려주세요 줘 줘요 주세요 설명해 말해 궁금해 궁금해요 어때 어때요 어땠어 어땠나요 어떤가요 인가요 거야"
    " 건가요 건 것 거 수 때"
    " 그 이 저 들어 들어요 드나요 필요해 필요한가요 가능해 가능한가요 싶어 경우 얘기 내용"
)
_PRONOUNS_TEXT = "he her hers him his it its one ones she such their theirs them these they this those"
_ENGLISH_EMPTY = frozenset(f"{_ENGLISH_EMPTY_TEXT} {_PRONOUNS_TEXT}".split())
_KOREAN_EMPTY = frozenset(_KOREAN_EMPTY_TEXT.split())
_PARTICLE = re.compile(
    r"(?:에서는|에서도|으로는|까지는|부터는|에서|에게|한테|으로|까지|부터|처럼|보다|마다|이랑|하고|이나|이요|이야"
    r"|이에요|예요|은요|는요"
    r"|은|는|이|가|을|를|의|에|로|와|과|랑|도|만|요|야)$"
)
_TOKEN = re.compile(r"[A-Za-z0-9][\w.+#/-]*[A-Za-z0-9]|[A-Za-z0-9]|[가-힣]+")

_EXPLETIVE = re.compile(
    r"\b(?:is|was|would|will|does|did|can)\s+it\s+(?:be\s+)?(?:possible|necessary|ok|okay|safe|better|best|allowed"
    r"|true|take\b.*\bto)\b"
    r"|\bit\s+(?:is|was|takes?|took)\s+(?:possible|necessary|.*\bto\b)|\b(?:so|such|say|know|think|sure|says?|said"
    r"|heard)\s+that\b"
    r"|\b\w+\s+that\s+(?=(?:is|are|was|were|have|has|can|do|does|i|we|you|the)\b)",
    re.IGNORECASE,
)
PRONOUN = re.compile(r"\b(?:it|they|them|its|their|he|she|him|her|his)\b(?!')|\bit(?='s)", re.IGNORECASE)
_POINTING = re.compile(
    r"\b(?:this|that|these|those)\b(?=\s*(?:[?.!,;]|$|(?:is|was|are|were|do|does|did|work|works|mean|means|happen"
    r"|happens|apply"
    r"|applies|take|takes|took|last|cost|costs|affect|affects|include|includes|too|one|ones|still|also|for|in|on|at"
    r"|to)\b))",
    re.IGNORECASE,
)
_DETERMINER = re.compile(
    r"\b(?:this|that|these|those|such)\s+[a-z]+|\bthe\s+(?:former|latter|same|other|others|first|second|last)\b"
    r"|\b(?:there|one|ones|another|instead|else)\s*[?.!]*$",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\bwhich\s+(?:one|ones|of\s+(?:them|these|those|the\s+\w+))\b|^\W*which\s+(?:is|are|was|has|costs?)\b"
    r"|\b(?:any|each|all|both|either|neither|most)\s+of\s+(?:them|these|those)\b"
    r"|그\s?중에?서?|둘\s?중에?서?|이\s?중에?서?|어느\s?(?:쪽|것|게|거|하나)|어떤\s?(?:쪽|게\s?더)",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|then|also|well|yes|no|btw|sorry)[,\s]+)*(?:what|how)\s+about\b"
    r"|^\W*(?:and|then|also|or)\b[,\s]|^\W*i\s+mean(?:t)?\b|^\W*(?:why|how|where|when|who)(?:\s+(?:so|not|exactly"
    r"|then))?\s*\?*$",
    re.IGNORECASE,
)
_KOREAN_LEADING = re.compile(
    r"^\W*(?:그럼|그러면|그래서|그렇다면|그리고|그런데|근데)(?=[\s,?]|$)|^\W*(?:왜|어떻게|언제|누가|어디서?|얼마나"
    r"|며칠)(?:요)?\s*\?*$"
    r"|^\W*[A-Z][A-Za-z0-9+.-]*(?:은|는|은요|는요|도)\s*\?*$"
)
_KOREAN_ASKING = re.compile(
    r"^(?:뭐|뭔|무엇|무슨|어떻|어땠|어떤|어느|얼마|누구|누가|언제|어디|며칠|몇)|^[그이저]거?[건게걸것]?(?:은|는|이"
    r"|가|을|를|도|만)?$|^그중에?서?$"
)
_ACRONYM = re.compile(r"(?<![A-Za-z])[A-Z]{2,}[0-9]*(?![a-z])")
_KOREAN_POINTING = re.compile(
    r"(?:^|\s)(?:그거|그건|그게|그걸|그것|이거|이건|이게|이걸|이것|저거|저건|거기|여기서|그때|그곳|그분|그렇게"
    r"|그러려면|그 다음|그다음|둘 다"
    r"|그 ?사람|얘|걔)(?=\s|$|[은는이가을를도만의에서부터까지로요?.!,]|예요|야)"
    r"|(?:^|\s)(?:그|이|해당|위의?)\s(?=[가-힣A-Za-z])(?!\w*\s?외)",
)


def content_words(text: str) -> list[str]:
    """The words that name something, in order: no function words, no Korean particles."""
    found = []
    for token in _TOKEN.findall(text):
        korean = token[0] >= "가"
        word = token if not korean or token in _KOREAN_EMPTY else _PARTICLE.sub("", token) or token
        empty = word.lower() in _ENGLISH_EMPTY and word != "May"  # the month
        empty = empty or word in _KOREAN_EMPTY or token in _KOREAN_EMPTY
        if not empty and not _KOREAN_ASKING.match(token):
            found.append(word)
    return found


def has_acronym(text: str) -> bool:
    """Whether the text names something by its initials: such a message is never small talk."""
    return bool(_ACRONYM.search(text))


def leans(text: str) -> bool:
    """Whether any cue points at what was said before."""
    return chooses(text) or continues(text) or points_back(text)


def chooses(text: str) -> bool:
    """Whether the message asks to choose among things named before."""
    return bool(_CHOICE.search(text))


def continues(text: str) -> bool:
    """Whether the message opens as the continuation of another."""
    return bool(_LEADING.search(text) or _KOREAN_LEADING.search(text))


def points_back(text: str) -> bool:
    """Whether a pronoun or a demonstrative has to be looked up in what was said before."""
    bare = _EXPLETIVE.sub(" ", text)
    return bool(
        PRONOUN.search(bare) or _POINTING.search(bare) or _DETERMINER.search(bare) or _KOREAN_POINTING.search(text)
    )
