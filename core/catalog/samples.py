"""Small talk, and questions that no team's documents answer, for the router's self-test. Data, Korean and English.

No phrase here is one that a planner was taught with.
"""

from __future__ import annotations

from typing import Literal

Samples = tuple[tuple[Literal["ko", "en"], str], ...]


def _each(language: Literal["ko", "en"], lines: str) -> Samples:
    return tuple((language, line.strip()) for line in lines.strip().splitlines())


TALK_SAMPLES: Samples = _each(
    "en",
    """
    Good morning, everybody!
    hey there, are you around?
    Thanks a million, that did it
    Cheers, much appreciated
    ok bye, talk tomorrow
    Have a great weekend!
    so what are you able to do for me?
    Who am I talking to?
    Are you a real human being?
    Could you tell me a good joke?
    how are you feeling today?
    I'm exhausted, what a week
    Sorry, I didn't mean that
    you are really clever
    lol, that was funny
    Where do you come from?
    """,
) + _each(
    "ko",
    """
    안녕하세요, 좋은 아침입니다!
    안녕, 지금 있어?
    정말 고마워요, 덕분에 살았어요
    알려 주셔서 감사합니다
    그럼 내일 봬요
    주말 잘 보내세요!
    너는 어떤 일을 할 수 있니?
    지금 나랑 얘기하는 게 누구야?
    혹시 진짜 사람이에요?
    심심한데 농담 하나만 해 줘
    오늘 기분은 어때요?
    아 오늘 너무 피곤하다
    미안, 그런 뜻은 아니었어
    너 진짜 똑똑하구나
    ㅋㅋㅋ 재밌다
    넌 어디에서 왔어?
    """,
)

OUTSIDE_SAMPLES: Samples = _each(
    "en",
    """
    Which river flows through Vienna?
    How many moons does Jupiter have?
    who painted the girl with the pearl earring
    What did the cup final end, how many goals were there?
    How long do I have to boil an egg?
    what's the weather going to be like on Saturday
    Which films are nominated for best picture?
    Who was the first emperor of China?
    what is the boiling point of nitrogen
    How old can a giant tortoise get?
    Is it safe to give grapes to a dog?
    which singer had the most number one hits in the eighties
    What is the currency of Morocco?
    How do I get red wine out of a carpet?
    Which planet has the shortest day?
    cheapest way to travel from Rome to Naples
    """,
) + _each(
    "ko",
    """
    다뉴브강은 어느 나라들을 지나가?
    목성의 위성은 몇 개야?
    진주 귀걸이를 한 소녀는 누가 그렸어?
    지난 결승전 점수가 어떻게 됐지?
    달걀은 몇 분 삶아야 해?
    이번 토요일에 비가 올까?
    올해 영화제 작품상 후보는 뭐야?
    중국의 첫 황제는 누구였어?
    질소의 끓는점은 몇 도야?
    거북이는 몇 살까지 살아?
    강아지가 포도를 먹어도 괜찮아?
    팔십 년대에 가장 인기 있던 가수는 누구야?
    모로코는 어떤 돈을 써?
    카펫에 쏟은 와인은 어떻게 지워?
    하루가 가장 짧은 행성은?
    부산에서 제주까지 가장 싸게 가는 방법 알려 줘
    """,
)
