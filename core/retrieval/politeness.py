"""A Korean question in one plain form, however politely it is put: how one asks says nothing of what is asked.

Endings are a closed class: every polite and formal one becomes the plain 해 or (이)야, and greetings, thanks and
softeners around a question go. For reading questions only, never documents; what people see stays as they wrote it.
"""

from __future__ import annotations

import re
import unicodedata

from core.retrieval.conjugation import (
    BIEUP,
    NIEUN,
    RIEUL,
    SSANG_SIOT,
    has_final,
    parts,
    plain,
    with_dropped,
    with_final,
)

_COURTESY = (
    r"안녕(?:하세요|하십니까|하신가요|하셨어요)?|반갑습니다|반가워요|처음 뵙겠습니다|수고하(?:세요|십니다|셨습니다)"
    r"|수고\s?많으(?:세요|십니다)|(?:정말 |미리 |항상 |늘 |답변 )?(?:감사(?:합니다|드립니다|드려요|해요|해)"
    r"|고맙습니다|고마워요?|땡큐)|죄송(?:합니다만?|하지만|해요|한데요?)|실례(?:합니다만?|지만|하겠습니다|할게요)"
    r"|미안(?:합니다만?|하지만|해요?|한데)|저기요|여기요|저기?(?=,)|도와\s?(?:주세요|줘요?|주십시오)"
    r"|(?:질문|문의|궁금한 (?:점|게|것이?))(?:이|사항이?)? ?(?:하나 )?(?:있습니다|있어요?|있는데요?|드립니다|드려요)"
    r"|(?:좀 |하나 |뭐 (?:좀 |하나 )?)?(?:여쭤|물어)\s?(?:볼게요?|보겠습니다|봅니다|볼 게 있는데요?"
    r"|봐도 (?:돼요?|될까요?|되나요))"
)
_ONLY_COURTESY = re.compile(rf"\W*(?:{_COURTESY})[\W_ㅋㅎㅠㅜ]*")
_OPENING = re.compile(rf"\s*(?:{_COURTESY})(?:[\s,!.~]+)(?=\S)")
_JOINT = re.compile(r"\s*(?:그런데요?|근데요?|그럼|그러면|다름이? 아니라)[\s,]+(?=\S)")
_SOFTENER = re.compile(r"(?<!\S)(?:혹시|좀(?! 더))[\s,]+(?=\S)")
_SENTENCE = re.compile(r"(?<=[.?!？！。…~])\s+|\s*\n\s*")
_LAST = re.compile(r"(\S*[가-힣])([^가-힣]*)$")
_PRONOUN = re.compile(r"(?<!\S)(?:저희(?=\s|[가는도의를])|제가(?!\S)|저(?:는|도|한테)(?!\S))")
_PLAIN_PRONOUN = {"저희": "우리", "제가": "내가", "저는": "나는", "저도": "나도", "저한테": "나한테"}
_REQUEST = re.compile(
    r"(?:(?:주실|줄) 수 [있없]어|주(?:시)?면 (?:감사해|고마워|감사드려|좋아|돼)|주(?:시)?기 바라|주길 바라)(?=\W*$)"
)
_ASKED_FOR = re.compile(r"부탁\s?(?:드립니다|드려요?|드릴게요|합니다|해요?)(?=\W*$)")

_COPULA = re.compile(r"(?<=\S)(?:이에요|이예요|예요|에요|이야|야|이요)$")
_NOUNS = re.compile(r"(?:^|[^가-힣])?(?:필|중|주|개|수|소|동|긴)요$")
_VERBS_IN_I = re.compile(r"(?:안)?(?:[보쌓쓰붙줄높들먹죽속모끓놓섞늘녹]|움직)이")
_CONTRACTED = ("뭐", "누구", "언제", "어디", "얼마", "거")
_OWN_SI = ("마시", "모시", "가르치시", "드시")

_VERBAL = re.compile(r"(?<=[가-힣])(?:나요|는지요?|는가요?|는데요)$")
_WHOLE = re.compile(
    r"(?<=[가-힣])(?:습니까|습니다|은가요|은지요|은데요|을까요?|을지요|으?십니까|으?십니다|으?십시오|으?세요|네요|죠|냐)$"
    r"|(?<=[하되있없])[지니]$|(?<=[^페]이)[지니]$|(?<=[되있없])나$"
)
_CASUAL_PAST = re.compile(r"[지니나]$")
_FINAL = (
    (NIEUN, re.compile(r"(?:가요|지요|데요)$|(?<=뭔)가$|(?<=[가-힣A-Za-z0-9][인한은는])가$")),
    (RIEUL, re.compile(r"(?:까요?|지요)$")),
)
_FORMAL = re.compile(r"니[까다]$")
_JIYO = re.compile(r"(?<=[가-힣])(?<!까)지요$")


def plainly(question: str) -> str:
    """The question without courtesies, each sentence in its plain form; other text, and courtesies alone, as it is."""
    text = unicodedata.normalize("NFC", question)
    if not re.search("[가-힣]", text):
        return question
    sentences = [piece for piece in _SENTENCE.split(text.strip()) if piece]
    asking = [piece for piece in sentences if not _ONLY_COURTESY.fullmatch(piece)]
    if not asking:
        return question
    bare = _without_opening(asking[0], len(asking) < len(sentences))
    return " ".join(_plain_sentence(piece) for piece in [bare, *asking[1:]])


def _without_opening(sentence: str, after_courtesy: bool) -> str:
    """The sentence without the greeting in front, and without the joint that led from a courtesy to it."""
    while found := _OPENING.match(sentence):
        sentence, after_courtesy = sentence[found.end() :], True
    joint = _JOINT.match(sentence) if after_courtesy else None
    return sentence[joint.end() :] if joint else sentence


def _plain_sentence(sentence: str) -> str:
    text = _SOFTENER.sub("", sentence.strip())
    text = _PRONOUN.sub(lambda found: _PLAIN_PRONOUN[found[0]], text)
    text = _ASKED_FOR.sub("부탁해", text)
    text = _LAST.sub(lambda found: _plain_word(found[1]) + found[2], text)
    return _REQUEST.sub("줘", text)


def _plain_word(word: str) -> str:
    """The last word of a sentence in its plain form; one that ends otherwise as it is."""
    if _NOUNS.search(word):
        return word
    if found := _COPULA.search(word):
        return _is(_noun(word[: found.start()], found[0]), word if found[0] == "야" else "")
    stem, verbal = _stem(word)
    if stem:
        return _spoken(stem, verbal=verbal)
    if word.endswith("되"):
        return word[:-1] + "돼"
    return _without_yo(word) if word.endswith("요") and len(word) > 1 else word


def _without_yo(word: str) -> str:
    """A word without the polite 요: 있어요, 까지요, and the old error 되요."""
    base = word[:-1]
    if base.endswith("겠어"):
        return _spoken(base[:-1], verbal=True)
    if base.endswith("셨어"):
        return _spoken(base[:-1], verbal=True)
    return base[:-1] + "돼" if base.endswith("되") else base


def _stem(word: str) -> tuple[str, bool]:
    """What stands before the ending, and whether only a verb can; empty when it is no ending of a question."""
    if found := _VERBAL.search(word):
        return with_dropped(word[: found.start()]), True
    if found := _WHOLE.search(word):
        return word[: found.start()], False
    if (found := _CASUAL_PAST.search(word)) and len(word) > 1 and _final(word[-2]) == SSANG_SIOT:
        return word[:-1], True
    for final, ending in (*_FINAL, (BIEUP, _FORMAL)):
        found = ending.search(word)
        if found and found.start() and _final(word[found.start() - 1]) == final:
            kept = word[: found.start()]
            return with_dropped(kept[:-1] + with_final(kept[-1], 0)), False
    found = _JIYO.search(word)
    return (word[: found.start()] if found else ""), False


def _spoken(stem: str, *, verbal: bool) -> str:
    """The stem with its plain ending: that of a noun's 이다, or of a verb; honorific 시 and 겠 are courtesies too."""
    stem = stem.removesuffix("겠") or stem
    if stem.endswith("셨") and len(stem) > 1:
        bare = f"{stem[:-1]}시"
        form = plain(bare if bare.endswith(_OWN_SI) else _without_eu(stem[:-1]))
        return form if has_final(form[-1]) else form[:-1] + with_final(form[-1], SSANG_SIOT) + "어"
    if stem.endswith("시") and len(stem) > 1 and not stem.endswith(_OWN_SI):
        stem = _without_eu(stem[:-1])
    if stem.endswith(_CONTRACTED):
        return f"{stem}야"
    if stem.endswith("이") and len(stem) > 1 and not verbal and not _VERBS_IN_I.fullmatch(stem):
        return _is(stem[:-1])
    return plain(stem) if "가" <= stem[-1] <= "힣" else stem


def _without_eu(stem: str) -> str:
    return stem[:-1] if stem.endswith("으") and len(stem) > 1 and has_final(stem[-2]) else stem


def _noun(before: str, ending: str) -> str:
    """The noun in front of 이다: 차이예요 is 차이, as 이 stands after consonants alone."""
    korean = "가" <= before[-1] <= "힣"
    return f"{before}이" if ending.startswith("이") and korean and not has_final(before[-1]) else before


def _is(noun: str, otherwise: str = "") -> str:
    """The noun with the plain form of 이다; `otherwise` where 야 after a consonant is part of a word (분야)."""
    if otherwise and "가" <= noun[-1] <= "힣" and has_final(noun[-1]):
        return otherwise
    noun = f"{noun[:-1]}거" if noun.endswith("것") else noun
    return f"{noun}이야" if "가" <= noun[-1] <= "힣" and has_final(noun[-1]) else f"{noun}야"


def _final(letter: str) -> int:
    return parts(letter)[2] if "가" <= letter <= "힣" else 0
