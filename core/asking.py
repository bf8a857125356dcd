"""Is a message a question or a request, and is it put to somebody else? Pure rules, both languages.

Asked of messages that nobody addressed to us: in doubt they are not for us, because people speak to one another in
a thread, and an answer that nobody wanted is worse than one that has to be asked for by name.
"""

from __future__ import annotations

import re

_MARKED = re.compile(r"[?？]")
_ASKED_EN = re.compile(
    r"^(?:(?:so|and|but|ok|okay|then|also|hmm|sorry|thanks|great|hi|hello|hey|please)[,.!…\s]+)*"
    r"(?:who|whom|whose|what|whats|what's|when|where|which|why|how|hows|how's"
    r"|can|could|do|does|did|is|are|was|were|should|would|will|may|must|has|have|any (?:idea|way|chance|docs?)"
    r"|tell (?:me|us)|explain|show (?:me|us)|list|find|give (?:me|us)|describe|define|summari[sz]e|compare|remind me"
    r"|look up|walk (?:me|us) through)\b",
    re.IGNORECASE,
)
# "and for GKE", "what about weekends": the rest of a question that was asked before.
_CONTINUED_EN = re.compile(r"^(?:and|or|same)\b.{1,60}$", re.IGNORECASE)
_ASKED_KO = re.compile(
    r"(?:나요|가요|까요|까|습니까|ㅂ니까|니|냐|죠|지요|는지|은지|ㄴ지|던가|는가|은가|인가|려나|을까|는데요|ㄴ데요|뭐지|뭐야|뭔가요"
    r"|(?:알려|설명해|보여|찾아|정리해|요약해|비교해|가르쳐|말해)\s?(?:줘|주세요|주실래요|주시겠어요|달라|줄래|줘요|주라)"
    r"|궁금(?:해|합니다|해요|한데)|부탁(?:해|드려요|드립니다|합니다)|어때|어떤가|뭐|어디|언제|얼마|누구|왜|어떻게|몇\s?\S{0,3})\s*[요~!.…ㅠㅎㅋ]*$"
)
_NO_QUESTION_KO = re.compile(r"(?:겠죠|했죠|네요|군요|(?P<before>\S)니까|아니|했으니|거니|테니)\s*[요~!.…ㅠㅎㅋ\s]*$")
_VOCATIVE_EN = re.compile(
    r"^(?:(?:hey|hi|hello|thanks|ok|okay|yo)[,\s]+)?(?P<name>[A-Z][a-z]{1,20})[,:]\s*(?:can|could|would|will|do|did"
    r"|are|were|have|what|when|where|how|why|please|any)\b"
)
_NO_NAMES_TEXT = (
    "Thanks Ok Okay So And But Also Great Sorry Hmm Well Yes No Then Finally Now Actually However Hello Hi Hey Please"
    " Anyway Alternatively Otherwise Cool Nice Perfect Right Sure True Good Wow Refdesk Quick Question Next First"
)
_NO_NAMES = frozenset(_NO_NAMES_TEXT.split())
_VOCATIVE_KO = re.compile(r"(?:^|\s)(?P<name>[가-힣]{2,6})(?:님|씨)(?=[,!~\s께])(?!\s?(?:이|은|의|에게 보낸))")


def asks(text: str) -> bool:
    """Whether the message wants to know something: a question, a request, or the rest of one."""
    plain = " ".join(text.split())
    if not plain:
        return False
    if _MARKED.search(plain) or _ASKED_EN.match(plain) or _CONTINUED_EN.match(plain):
        return True
    return bool(_ASKED_KO.search(plain)) and not _says_so(plain)


def _says_so(text: str) -> bool:
    """Endings that look like a question's; 니까 asks after a consonant ㅂ (합니까) and gives a reason elsewhere."""
    found = _NO_QUESTION_KO.search(text)
    return found is not None and not (found["before"] and _ends_in_bieup(found["before"]))


def _ends_in_bieup(syllable: str) -> bool:
    return "가" <= syllable <= "힣" and (ord(syllable) - ord("가")) % 28 == 17


def calls_somebody(text: str) -> bool:
    """Whether the message begins by naming a person it is meant for, without the platform's mention."""
    plain = " ".join(text.split())
    found = _VOCATIVE_EN.match(plain)
    if found and found["name"] not in _NO_NAMES:
        return True
    return _VOCATIVE_KO.search(plain[:24]) is not None


_HUSH_TEXT = (
    "quiet|be quiet|quiet please|please be quiet|mute|shut up|stop answering|stop replying|조용히|조용|조용히 해"
    "|조용히 해줘|조용히 해 줘|조용히 해주세요|그만|그만해|그만 대답해|대답하지 마|대답하지마|답하지 마|답하지마"
)
_HUSH = frozenset(_HUSH_TEXT.split("|"))
_HALT_TEXT = (
    "stop|stop it|stop please|please stop|stop now|cancel|cancel that|never mind|nevermind|멈춰|멈춰줘|멈춰 줘"
    "|멈춰주세요|멈춰 주세요|중지|중지해|중지해줘|중지해 줘|중지해주세요|중단|중단해|중단해줘|중단해 줘|중단해주세요"
    "|스톱|스탑|취소|취소해|취소해줘"
)
_HALT = frozenset(_HALT_TEXT.split("|"))


def hushes(text: str) -> bool:
    """Whether the message is nothing but the wish that we be quiet here."""
    return _words(text) in _HUSH


def halts(text: str) -> bool:
    """Whether the message is nothing but the wish that the answer under way end."""
    return _words(text) in _HALT


_PLEA_TEXT = (
    "help|please help|help please|help me|please help me|help us|please|can you help|can you help me|could you help"
    "|any help|any idea|any ideas|thoughts|please answer|what about this|도와줘|도와 줘|도와줘요|도와주세요|도와 주세요"
    "|도와줄래|도와주실래요|도움|도움 좀|답해줘|답해 줘|답해주세요|답변해줘|답변해주세요|답변 부탁해"
    "|답변 부탁드려요|답변 부탁드립니다|부탁해|부탁해요|부탁드려요|부탁드립니다|알려줘|알려 줘|알려주세요"
    "|이거 알려줘|이거 도와줘|이거 좀 도와줘"
)
_PLEA = frozenset(_PLEA_TEXT.split("|"))


def pleads(text: str) -> bool:
    """Whether the message is nothing, or nothing but a wish for help: what with was said before."""
    return not text.strip() or _words(text) in _PLEA


def opens_with_question(text: str) -> bool:
    """Whether a line of what a thread or a post began with, its title or its text, asks something."""
    return any(map(asks, text.splitlines()))


def _words(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", text).split()).casefold()
