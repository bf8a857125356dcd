"""Text to the tokens of the lexical list, and the identifiers of a question that must be found verbatim.

Pure: knows nothing of indexes or of how scores are made. The same analysis reads passages and questions.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_HANGUL = "\uac00-\ud7a3\u3131-\u318e"
_KANA_HAN = "\u3040-\u30ff\u3400-\u9fff"
_RUN = re.compile(
    rf"(?P<hangul>[{_HANGUL}]+)|(?P<han>[{_KANA_HAN}]+)"
    r"|(?P<latin>(?:--)?[A-Za-z0-9_]+(?:[-./:@+][A-Za-z0-9_]+)*)"
    rf"|(?P<word>[^\W_{_HANGUL}{_KANA_HAN}]+)"
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

# Function words carry no meaning for a list of words, and their postings are the long ones.
_FUNCTION_TEXT = (
    "a an and are as at be been but by can could did do does don for from had has have how i if in into is it its ll"
    " may me might my no not of on or our re s shall should so such t than that the their them then there these they"
    " this those to us ve was we were what when where which who whom why will with would you your"
)
_FUNCTION_WORDS = frozenset(_FUNCTION_TEXT.split())
# Particles in the order in which they are tried: the longer first.
_PARTICLE_TEXT = (
    "으로부터 에서는 에서도 으로는 으로도 이라는 이라고 까지는 부터는 에게서 한테서 로부터 에서 에게 한테 께서 으로"
    " 까지 부터 처럼 보다 마다 조차 마저 이나 이란 라는 라고 에는 에도 과는 와는"
    " 은 는 이 가 을 를 의 에 로 와 과 도 만 나"
)
_PARTICLES = frozenset(_PARTICLE_TEXT.split())
_LONGEST_PARTICLE = max(map(len, _PARTICLES))

_REMEMBERED = 50_000


# One word, however it is written: full and half width, ligatures, radicals, signs made of letters, accents, and marks
# that nobody sees.
_COMPATIBLE = re.compile(
    "[\u00b2\u00b3\u00b9\u2070-\u209c\u2100-\u214f\u2160-\u217f\u2460-\u24ff\u2e80-\u2fdf\u3200-\u33ff"
    "\ufb00-\ufb06\uff01-\uffef]+"
)
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff]")
_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "œ": "oe", "Œ": "OE", "ł": "l", "Ł": "L"}
)


def folded(text: str) -> str:
    """The text as the lists of words see it; what people are shown stays as it was written."""
    text = unicodedata.normalize("NFC", _UNSEEN.sub("", text))
    if _COMPATIBLE.search(text):
        text = unicodedata.normalize("NFC", _COMPATIBLE.sub(_plain, text))
    if _ACCENTED.search(text):
        text = _ACCENTED.sub(_bare, text.translate(_LETTERS))
    return text


def _plain(run: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", run[0])


def _bare(letter: re.Match[str]) -> str:
    base = unicodedata.normalize("NFD", letter[0])[0]
    return base if base.isascii() else letter[0]


class BigramAnalyzer:
    """Hangul as character bigrams, English lightly stemmed, identifiers both whole and in parts."""

    def __init__(self) -> None:
        # Most words come again and again; a word's tokens never change.
        self._latin = lru_cache(_REMEMBERED)(_latin)
        self._hangul = lru_cache(_REMEMBERED)(_hangul)

    @property
    def name(self) -> str:
        """Stored with the index; a change of rules needs a new name."""
        return "bigram-2"

    def tokens(self, text: str) -> list[str]:
        """Tokens in order, duplicates kept; the same for questions and passages."""
        found: list[str] = []
        latin_end = -1
        for run in _RUN.finditer(folded(text)):
            kind, word = run.lastgroup, run.group()
            if kind == "hangul" and run.start() == latin_end and word in _PARTICLES:
                continue  # the particle of a Latin word says nothing
            if kind == "hangul":
                found.extend(self._hangul(word))
            elif kind == "han":
                found.extend(_bigrams(word))
            elif kind == "latin":
                found.extend(self._latin(word))
                latin_end = run.end()
            else:
                found.append(word.casefold())
        return found


def stem(word: str) -> str:
    """A lower-case English word without plural and the commonest endings; never shorter than three letters."""
    if len(word) <= 3 or not word.isascii():
        return word
    return _without_ending(_singular(word))


def without_particle(eojeol: str) -> str:
    """A Korean word without a common particle at its end; one syllable at least stays."""
    for end in range(max(1, len(eojeol) - _LONGEST_PARTICLE), len(eojeol)):  # the longest first
        if eojeol[end:] in _PARTICLES:
            return eojeol[:end]
    return eojeol


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_ending(word: str) -> str:
    for ending in ("ing", "ed"):
        root = word[: -len(ending)]
        if word.endswith(ending) and len(root) >= 3 and re.search("[aeiouy]", root):
            if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz":
                return root[:-1]
            return root
    if word.endswith("e") and len(word) > 4:
        return word[:-1]
    return word


def _hangul(word: str) -> tuple[str, ...]:
    bare = without_particle(word)
    # 휴가 and 회의 end like nouns with a particle, 컵은 is one: nobody can tell, so both readings count.
    return (word, bare) if len(word) == 2 and len(bare) == 1 else tuple(_bigrams(bare))


def _bigrams(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


def _latin(word: str) -> tuple[str, ...]:
    parts = [p.casefold() for p in _PART.findall(word)]
    whole = word.casefold()
    own = () if parts == [whole] else (whole,)
    return (*own, *(stem(part) for part in parts if part not in _FUNCTION_WORDS))


_IDENTIFIER = re.compile(
    r"`(?P<quoted>[^`\n]{2,80})`"
    r"|(?P<status>\b(?:HTTP|[Ee]rror|[Ee]xit|[Cc]ode|[Pp]ort|RFC)\s#?\d{2,5}\b)"
    r"|(?P<flag>(?<![\w-])--[A-Za-z][\w-]+)"
    r"|(?P<code>(?<![\w-])[A-Z][A-Z0-9]{0,9}[-_]?\d{2,}(?![\w-]))"
    r"|(?P<path>(?<![\w/])/?[\w-]+(?:[./][\w-]+)*\.[A-Za-z][\w-]*)"
    r"|(?P<folder>(?<![\w/])/?[\w-]+(?:/[\w-]+){2,}|(?<!\S)/[\w-]+/[\w-]+)"
    r"|(?P<version>(?<![\w.])v?\d+(?:\.\d+){1,3}(?:-[a-z]+\.?\d*)?(?!\w))"
    r"|(?P<snake>(?<![\w-])[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|__\w+__)"
    r"|(?P<camel>\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+(?:[A-Z][a-z0-9]+)+|\b[A-Z]{2,}[a-z]{2,}\w*)",
    re.ASCII,
)
# "e.g" and "i.e" look like dotted names.
_ABBREVIATIONS = frozenset({"e.g", "i.e", "a.m", "p.m", "u.s", "u.k", "vs", "etc"})


def identifiers(text: str) -> tuple[str, ...]:
    """What a passage must hold verbatim: codes, file names, flags, dotted names, versions, quoted code.

    In order of appearance, each once, as written.
    """
    found = dict.fromkeys(
        match.group("quoted") or match.group() for match in _IDENTIFIER.finditer(unicodedata.normalize("NFC", text))
    )
    return tuple(term.strip() for term in found if term.strip().casefold() not in _ABBREVIATIONS and term.strip())
