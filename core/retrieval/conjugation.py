"""How a Korean stem takes its plain ending (하: 해, 쓰: 써, 다르: 달라): contraction and closed classes; pure."""

from __future__ import annotations

_FIRST = 0xAC00
_VOWELS, _FINALS = 21, 28
_A, _AE, _EO, _E, _YEO, _O, _WA, _OE, _WAE, _U, _WO, _EU, _I = 0, 1, 4, 5, 6, 8, 9, 11, 10, 13, 14, 18, 20
NIEUN, DIGEUT, RIEUL, BIEUP, SIOT, SSANG_SIOT = 4, 7, 8, 17, 19, 20
_INITIAL_RIEUL, _INITIAL_NULL = 5, 11

_CONTRACTED = {_O: _WA, _U: _WO, _OE: _WAE, _I: _YEO, _EU: _EO}
_ABSORBING = {_A, _AE, _EO, _E, _YEO, 2, 3, 7, 12}

# Stems that end otherwise than their letters say. Those in ㅅ and ㅂ that change, or keep, their last letter are few.
_WHOLE = {
    "하": "해",
    "아니": "아니야",
    "푸": "퍼",
    "돕": "도와",
    "계": "있어",
    "어떠": "어때",
    "어떻": "어때",
    "이러": "이래",
    "이렇": "이래",
    "그러": "그래",
    "그렇": "그래",
}
_LOSING_SIOT = ("낫", "짓", "잇", "붓", "긋", "젓")
_KEEPING_BIEUP = ("입", "잡", "뽑", "씹", "접", "집", "꼽", "업", "좁", "넓")
_CHANGING_DIGEUT = ("듣", "걷", "싣", "깨닫", "일컫")
_KEEPING_REU = ("따르", "치르", "들르", "푸르")
_DROPPING_RIEUL = frozenset("아파여노머기느무미부버빠다")


def parts(syllable: str) -> tuple[int, int, int]:
    """Initial, vowel and final of a Hangul syllable, as Unicode numbers them; final 0 is none."""
    code = ord(syllable) - _FIRST
    return code // (_VOWELS * _FINALS), code // _FINALS % _VOWELS, code % _FINALS


def joined(initial: int, vowel: int, final: int = 0) -> str:
    """The syllable of these parts."""
    return chr(_FIRST + (initial * _VOWELS + vowel) * _FINALS + final)


def with_final(syllable: str, final: int) -> str:
    """The syllable with another final, or none (0)."""
    initial, vowel, _ = parts(syllable)
    return joined(initial, vowel, final)


def has_final(syllable: str) -> bool:
    """Whether it ends in a consonant."""
    return bool(parts(syllable)[2])


def plain(stem: str) -> str:
    """The stem with the plain ending 아/어, contracted as it is spoken."""
    for ending, form in _WHOLE.items():
        if stem.endswith(ending):
            return stem[: -len(ending)] + form
    return _closed(stem) if has_final(stem[-1]) else _open(stem)


def _closed(stem: str) -> str:
    head, last = stem[:-1], stem[-1]
    _, vowel, final = parts(last)
    if final == SSANG_SIOT:
        return f"{stem}어"
    if final == BIEUP and not stem.endswith(_KEEPING_BIEUP):
        return f"{head}{with_final(last, 0)}워"
    if final == SIOT and stem.endswith(_LOSING_SIOT):
        last = with_final(last, 0)
    elif final == DIGEUT and stem.endswith(_CHANGING_DIGEUT):
        last = with_final(last, RIEUL)
    return head + last + ("아" if vowel in (_A, _O) else "어")


def _open(stem: str) -> str:
    head, last = stem[:-1], stem[-1]
    initial, vowel, _ = parts(last)
    if (initial, vowel) == (_INITIAL_RIEUL, _EU) and head and not stem.endswith(_KEEPING_REU):
        bright = parts(head[-1])[1] in (_A, _O)
        return head[:-1] + with_final(head[-1], RIEUL) + ("라" if bright else "러")
    if vowel == _EU and head and not has_final(head[-1]) and parts(head[-1])[1] in (_A, _O):
        return head + joined(initial, _A)
    if vowel in _ABSORBING:
        return stem
    return head + joined(initial, _CONTRACTED[vowel]) if vowel in _CONTRACTED else f"{stem}어"


def with_dropped(stem: str) -> str:
    """The stem with the ㄹ that falls away before ㄴ and ㅂ, where it is one that has it (드나요: 들)."""
    return stem[:-1] + with_final(stem[-1], RIEUL) if stem in _DROPPING_RIEUL or stem.endswith("드") else stem
