"""However politely Korean is put, the same is found, judged and answered: the whole program over three small pages."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from bots.compose import opened
from bots.settings import load
from core.desk.desk import Turn

COLLECTION = '[[collections]]\nname = "docs"\nsource = "folder:docs"\n'
PAGES = {
    "leave.md": "# 연차 휴가\n\n## 일수\n\n연차는 1년에 15일입니다.\n\n## 신청\n\n휴가는 인사 포털에서 신청합니다."
    "\n\n## 이월\n\n남은 연차는 5일까지 다음 해로 이월됩니다.\n",
    "sick.md": "# 병가\n\n병가는 1년에 10일까지 쓸 수 있습니다.\n\n## 진단서\n\n사흘 이상 쉬면 진단서가 필요합니다.\n",
    "expenses.md": "# 경비\n\n출장 숙박비는 하루 12만 원까지 지급합니다.\n\n영수증은 30일 안에 재무팀에 냅니다.\n",
}
FORMS: Mapping[str, tuple[str, ...]] = {
    "15일": (
        "연차는 며칠이야?",
        "연차는 며칠이에요?",
        "연차는 며칠인가요?",
        "연차는 며칠입니까?",
        "안녕하세요! 연차는 며칠이에요?",
    ),
    "10일": ("병가는 며칠이야?", "병가는 며칠이에요?", "병가는 며칠일까요?", "감사합니다. 그런데 병가는 며칠이에요?"),
    "인사 포털": (
        "휴가는 어디서 신청해?",
        "휴가는 어디서 신청하나요?",
        "혹시 휴가는 어디서 신청합니까?",
        "휴가는 어디서 신청하죠?",
    ),
    "진단서가": ("진단서 필요해?", "진단서 필요한가요?", "진단서 필요합니까?", "안녕하세요, 진단서 필요해요?"),
}
PROBLEMS = (
    "도와주세요, 병가 신청이 안 돼요",
    "휴가 신청이 안 돼요",
    "휴가 신청이 안 됩니다",
    "이월 되나요?",
    "이월 돼요?",
    "연차 며칠이에요",
)
TALK = (
    "안녕하세요!",
    "감사합니다",
    "고마워요, 큰 도움이 됐어요",
    "수고하세요",
    "뭘 도와줄 수 있나요?",
    "오늘 너무 피곤해요",
)


@pytest.fixture(scope="module")
def turns(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Turn]:
    """Every message, each in a thread of its own; asked in one process."""
    folder = tmp_path_factory.mktemp("politeness")
    (folder / "docs").mkdir()
    for name, text in PAGES.items():
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    (folder / "refdesk.toml").write_text(COLLECTION, encoding="utf-8")
    return asyncio.run(_asked(folder))


async def _asked(folder: Path) -> dict[str, Turn]:
    settings = load(folder / "refdesk.toml", {"REFDESK_DATA_DIR": str(folder / "data")})
    messages = [*(form for forms in FORMS.values() for form in forms), *PROBLEMS, *TALK]
    async with opened(settings, quiet=True) as app:
        await app.prepare(refresh=True)
        return {
            message: await app.desk.ask(app.terminal.message(message, f"t{number}"))
            for number, message in enumerate(messages)
        }


def outcome(turn: Turn) -> tuple[str, str, tuple[str, ...]]:
    """What was answered, how sure, and from where."""
    assert turn.answer is not None
    sources = tuple(each.document_id for each in turn.answer.citations)
    return turn.answer.standing, turn.answer.text, sources


@pytest.mark.parametrize("fact", FORMS)
def test_every_form_of_a_question_gets_the_answer_of_the_casual_one(turns: Mapping[str, Turn], fact: str) -> None:
    casual, *others = [outcome(turns[form]) for form in FORMS[fact]]
    assert casual[0] in ("supported", "closest")
    assert fact in casual[1]
    assert others == [casual] * len(others)


@pytest.mark.parametrize("message", PROBLEMS)
def test_what_names_a_thing_of_the_documents_is_looked_up_however_it_is_worded(
    turns: Mapping[str, Turn], message: str
) -> None:
    standing = outcome(turns[message])[0]
    assert standing != "direct"


@pytest.mark.parametrize("message", TALK)
def test_courtesies_and_small_talk_stay_what_they_are(turns: Mapping[str, Turn], message: str) -> None:
    assert outcome(turns[message])[0] == "direct"
