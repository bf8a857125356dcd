"""The plain form of Korean questions: the same for every degree of politeness, and nothing else is touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.conjugation import plain
from core.retrieval.politeness import plainly

# The casual form, and the polite and formal ones of the same question.
SAME = (
    "며칠이야? 며칠이에요? 며칠인가요? 며칠입니까? 며칠인지요? 며칠일까요? 며칠이죠? 며칠이지? 며칠이니? 며칠일까?",
    "얼마야? 얼마예요? 얼마에요? 얼마인가요? 얼만가요? 얼마입니까? 얼맙니까? 얼마죠? 얼마일까요?",
    "뭐야? 뭐예요? 뭔가요? 뭡니까? 뭐죠? 뭘까요?",
    "누구야? 누구예요? 누구세요? 누구신가요? 누구십니까? 누군가요? 누구죠?",
    "정보야? 정보예요? 정보인가요? 정보입니까?",
    "차이야? 차이예요? 차이에요? 차이인가요? 차이입니까?",
    "API야? API예요? API인가요? API입니까?",
    "언제까지야? 언제까지예요? 언제까지인가요? 언제까지입니까?",
    "신청해? 신청해요? 신청하나요? 신청합니까? 신청할까요? 신청하죠? 신청하지? 신청하시나요? 신청하는지요? 신청하세요?",
    "필요해? 필요해요? 필요한가요? 필요합니까? 필요할까요? 필요하죠? 필요하신가요?",
    "돼? 돼요? 되요? 되나요? 됩니까? 될까요? 되는지요? 되죠? 되네요? 되겠습니까? 될까? 되지?",
    "있어? 있어요? 있나요? 있습니까? 있을까요? 있는지요? 있죠? 있지?",
    "들어? 들어요? 드나요? 듭니까? 들까요?",
    "만들어? 만들어요? 만드나요? 만듭니까? 만들까요?",
    "달라? 달라요? 다른가요? 다릅니까? 다르죠?",
    "어때? 어때요? 어떤가요? 어떻습니까?",
    "걸려? 걸려요? 걸리나요? 걸립니까? 걸릴까요?",
    "보여? 보여요? 보이나요? 보입니까?",
    "봐? 봐요? 보나요? 봅니까? 볼까요?",
    "써? 써요? 쓰나요? 씁니까? 쓸까요? 쓰세요?",
    "쉬워? 쉬워요? 쉬운가요? 쉽습니까? 쉽나요? 쉬울까요?",
    "많아? 많아요? 많은가요? 많습니까? 많을까요?",
    "받았어? 받았어요? 받았나요? 받았습니까? 받으셨나요? 받으셨습니까? 받으셨어요? 받았지?",
    "했어? 했어요? 했나요? 했습니까? 하셨나요? 하셨습니까? 하셨어요?",
)
COURTEOUS = (
    ("연차는 며칠이야?", "안녕하세요! 연차는 며칠이에요?"),
    ("연차는 며칠이야?", "안녕하세요 연차는 며칠인가요? 감사합니다."),
    ("병가는 며칠이야?", "감사합니다. 그런데 병가는 며칠이에요?"),
    ("병가는 며칠이야?", "죄송하지만 혹시 병가는 며칠입니까?"),
    ("휴가 신청이 안 돼", "도와주세요, 휴가 신청이 안 돼요"),
    ("규정 알려줘", "규정 좀 알려주세요"),
    ("규정 알려줘", "규정 알려주실 수 있을까요"),
    ("규정 알려줘", "수고하세요. 규정 알려주시면 감사하겠습니다"),
    ("우리 회사 주소는?", "저희 회사 주소는요?"),
)


@pytest.mark.parametrize("forms", [line.split() for line in SAME], ids=[line.split()[0] for line in SAME])
def test_every_degree_of_politeness_has_the_plain_form_of_the_casual_one(forms: list[str]) -> None:
    for form in forms:
        assert plainly(f"휴가는 어디서 {form}") == f"휴가는 어디서 {forms[0]}"


@pytest.mark.parametrize(("casual", "polite"), COURTEOUS)
def test_courtesies_around_a_question_are_left_out(casual: str, polite: str) -> None:
    assert plainly(polite) == plainly(casual) == casual


@pytest.mark.parametrize(
    "text",
    [
        "필요",
        "개요",
        "공지",
        "유지?",
        "병가",
        "휴지",
        "페이지?",
        "언제까지",
        "시니어",
        "어떤 분야?",
        "서비스 인가?",
        "경비 한도",
        "여기 주소는?",
        "더 좀 더 많이",
    ],
)
def test_a_word_that_only_looks_like_an_ending_is_left(text: str) -> None:
    assert plainly(text) == text


@pytest.mark.parametrize(
    "text", ["안녕하세요", "감사합니다!", "도와주세요", "How many days are there?", "", " ?", "LF-4012"]
)
def test_courtesies_alone_and_other_languages_are_left(text: str) -> None:
    assert plainly(text) == text


@given(st.text(alphabet="가나다요이까니지습는으시셨겠되하 .?!안녕세ㅋA1것\n", max_size=30))
def test_any_text_has_one_and_it_is_never_empty(text: str) -> None:
    assert bool(plainly(text).strip()) == bool(text.strip())


@pytest.mark.parametrize(
    ("stem", "form"),
    [
        *(("고르", "골라"), ("따르", "따라"), ("모으", "모아"), ("쓰", "써"), ("크", "커"), ("오", "와"), ("주", "줘")),
        *(("내", "내"), ("듣", "들어"), ("받", "받아"), ("짓", "지어"), ("씻", "씻어"), ("잡", "잡아"), ("돕", "도와")),
        *(("가깝", "가까워"), ("바뀌", "바뀌어"), ("좋", "좋아"), ("없", "없어"), ("보내", "보내"), ("줄이", "줄여")),
    ],
)
def test_stems_take_their_ending_as_they_are_spoken(stem: str, form: str) -> None:
    assert plain(stem) == form
