"""Every kind of fault at every step: the run ends in words that say where they stand, within its caps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answers import Answer
from core.errors import UpstreamRefused
from core.policy import PRESETS
from core.wording import say
from tests.openai_server.replies import Broken, Cut, Empty, Fail, Filtered, Hang, Malformed, Refuse, Reply, Say, Value
from tests.openai_server.server import Manners
from tests.scenarios.asking import Room, Setting, opened
from tests.scenarios.scripts import (
    CHECKED,
    GRADED,
    PLANNED,
    STRAIGHT,
    WRITTEN,
    Cue,
    Cues,
    Script,
    checked,
    grading,
    none,
    only,
    routed,
)
from tests.tavily_server.server import TavilyServer, refusing, result

ADAPTIVE = PRESETS["adaptive"]
ROLLBACK = "Rolling back"
HELM = result("https://docs.example/helm", "A helm rollback takes two minutes.", title="Helm rollback")

BROKEN = ("It takes ten minutes [1]. ", "And then ", "it ends.")
SO_FAR = "It takes ten minutes [1]. And then …"
FAULTS: dict[str, Reply] = {
    "429": Fail(429, retry_after=0.01),
    "429 for an hour": Fail(429, retry_after=3600),
    "500": Fail(500),
    "401": Fail(401, code="invalid_api_key"),
    "too slow": Hang(30),
    "cut": Cut(2, Say(BROKEN)),
    "broken": Broken(2, Say(BROKEN)),
    "malformed": Malformed('{"grades": "1:yes'),
    "prose": Say("I would rather not fill in forms."),
    "refusal": Refuse(),
    "filtered": Filtered(),
    "empty": Empty(),
}
QUICK = {"timeout": 0.5, "idle": 0.3, "max_retries": 0}
PASSING = ("429", "500")


def honest(answer: Answer, room: Room) -> None:
    """Words, a standing, and no more calls than allowed; nothing of what the service said."""
    assert answer.text.strip()
    assert answer.standing in ("supported", "closest", "unchecked", "partial", "not_found")
    assert "the script failed" not in answer.text
    assert "fill in forms" not in answer.text
    assert room.calls.count(WRITTEN) <= 2 * (1 + ADAPTIVE.max_loops)


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_planner_that_fails_leaves_the_question_to_all_collections(setting: Setting, fault: str) -> None:
    async with opened(Script(plan=FAULTS[fault], grade=only(ROLLBACK)), replace(setting, models=QUICK)) as room:
        answer = await room.ask()
    honest(answer, room)
    assert (answer.standing, answer.searched) == ("supported", ("faq", "handbook", "runbooks"))
    assert room.calls[-3:] == [GRADED, WRITTEN, CHECKED]


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_grader_that_fails_leaves_doubt(setting: Setting, fault: str) -> None:
    async with opened(Script(grade=FAULTS[fault]), replace(setting, models=QUICK)) as room:
        answer = await room.ask()
    honest(answer, room)
    assert (answer.standing, answer.verdict) == ("closest", "ambiguous")
    assert room.calls[-2:] == [WRITTEN, CHECKED]


@pytest.mark.parametrize("fault", [name for name in FAULTS if name not in ("malformed", "prose")])
async def test_a_rewriter_that_fails_searches_for_the_question_itself(
    setting: Setting, web: TavilyServer, fault: str
) -> None:
    web.will_find(HELM)
    script = Script(grade=[none(), grading()], rewrite=FAULTS[fault], write=Say("Two minutes [1]."))
    async with opened(script, replace(setting, models=QUICK, web=web)) as room:
        answer = await room.ask()
    honest(answer, room)
    assert room.queries == ["How long does rolling back a release take?"]
    assert answer.standing == "supported"


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_checker_that_fails_leaves_the_answer_unchecked(setting: Setting, fault: str) -> None:
    async with opened(Script(grade=only(ROLLBACK), check=FAULTS[fault]), replace(setting, models=QUICK)) as room:
        answer = await room.ask()
    honest(answer, room)
    assert answer.standing == "unchecked"
    assert answer.text == "It takes ten minutes [1]."


@pytest.mark.parametrize("fault", ["429", "429 for an hour", "500", "too slow", "refusal", "filtered", "empty"])
async def test_a_writer_that_fails_before_its_first_word_leaves_quotes(setting: Setting, fault: str) -> None:
    async with opened(Script(grade=only(ROLLBACK), write=FAULTS[fault]), replace(setting, models=QUICK)) as room:
        answer = await room.ask()
    honest(answer, room)
    assert "ten minutes" in answer.text
    assert [each.title for each in answer.citations] == ["Rolling back a release"]
    assert say("note.quoted", "en") in answer.notes


@pytest.mark.parametrize("fault", ["cut", "broken"])
async def test_a_writer_that_breaks_off_leaves_the_words_so_far_marked_as_partial(setting: Setting, fault: str) -> None:
    async with opened(Script(grade=only(ROLLBACK), write=FAULTS[fault]), replace(setting, models=QUICK)) as room:
        answer = await room.ask()
    honest(answer, room)
    assert (answer.standing, answer.text) == ("partial", SO_FAR)
    assert answer.notes == (say("note.failed", "en"),)
    assert room.calls.count(WRITTEN) == 1


async def test_words_that_ran_ahead_and_broke_off_are_kept_too(setting: Setting) -> None:
    policy = replace(ADAPTIVE, speculate=True)
    async with opened(Script(grade=only(ROLLBACK), write=FAULTS["cut"]), replace(setting, policy=policy)) as room:
        answer = await room.ask()
    honest(answer, room)
    assert (answer.standing, answer.text) == ("partial", SO_FAR)


@pytest.mark.parametrize("fault", ["500", "cut", "refusal"])
async def test_a_writer_that_fails_the_second_time_leaves_what_it_wrote_first(setting: Setting, fault: str) -> None:
    script = Script(grade=only(ROLLBACK), write=[Say("It takes an hour [1]."), FAULTS[fault]], check=checked(1))
    async with opened(script, replace(setting, models=QUICK)) as room:
        answer = await room.ask()
    honest(answer, room)
    assert answer.standing == "partial"
    assert answer.text in ("It takes an hour.", SO_FAR)
    assert answer.notes


async def test_a_key_that_is_refused_is_told_and_not_covered_up(setting: Setting) -> None:
    async with opened(Script(grade=only(ROLLBACK)), replace(setting, manners=Manners(key="another"))) as room:
        with pytest.raises(UpstreamRefused) as raised:
            await room.ask()
    assert "refused the key" in raised.value.user_message("en")
    assert "another" not in str(raised.value)
    assert room.server.chats[0].headers["authorization"].removeprefix("Bearer ") not in str(raised.value)


@pytest.mark.parametrize("step", ["plan", "grade", "write", "check"])
@pytest.mark.parametrize("fault", PASSING)
async def test_what_passes_is_waited_for(setting: Setting, step: str, fault: str) -> None:
    usual: dict[str, Cue] = {"plan": routed(), "grade": only(ROLLBACK), "write": Say("It takes ten minutes [1].")}
    cues: dict[str, Cues] = {**usual, step: [FAULTS[fault], usual.get(step, checked())]}
    script = Script(**cues)
    async with opened(script, setting) as room:
        answer = await room.ask()
    assert answer.standing == "supported"
    assert len(room.calls) == len(STRAIGHT) + 1
    assert room.ledger.calls == len(STRAIGHT) + 1


@pytest.mark.parametrize("route", ["no-such-collection", "", "everything", "web and handbook", "../etc"])
async def test_a_route_that_does_not_exist_is_repaired(setting: Setting, route: str) -> None:
    async with opened(Script(plan=routed(route), grade=only(ROLLBACK)), setting) as room:
        answer = await room.ask()
    assert room.calls == STRAIGHT
    assert answer.standing == "supported"


@pytest.mark.parametrize("said", ["1:perhaps 2:who knows", "", "?", "relevant", "1 2 3 4 5 6", "12:yes"])
async def test_a_grader_that_says_neither_yes_nor_no_leaves_doubt(setting: Setting, said: str) -> None:
    async with opened(Script(grade=Value({"grades": said})), setting) as room:
        answer = await room.ask()
    assert room.calls == STRAIGHT
    assert (answer.standing, answer.verdict) == ("closest", "ambiguous")


@pytest.mark.parametrize("preset", sorted(PRESETS))
async def test_a_service_that_is_down_for_every_step_still_ends_each_preset(setting: Setting, preset: str) -> None:
    down = Fail(500)
    script = Script(plan=down, grade=down, rewrite=down, write=down, check=down)
    where = replace(setting, policy=PRESETS[preset], models={**QUICK, "max_retries": 0})
    async with opened(script, where) as room:
        answer = await room.ask()
    honest(answer, room)
    assert answer.notes


async def test_requests_for_other_forms_of_structure_count_against_the_budget(setting: Setting) -> None:
    """A model that answers everything in prose is asked in four ways each time."""
    prose = FAULTS["prose"]
    script = Script(plan=prose, grade=prose, check=prose, rewrite=prose)
    async with opened(script, setting) as room:
        answer = await room.ask()
    assert answer.text == "It takes ten minutes [1]."
    assert len(room.calls) <= ADAPTIVE.max_model_calls


async def test_a_web_that_is_down_is_said(setting: Setting, web: TavilyServer) -> None:
    web.will_say(refusing(500))
    script = Script(grade=grading({ROLLBACK: "partly"}, "no"))
    async with opened(script, replace(setting, web=web)) as room:
        answer = await room.ask()
    assert answer.standing == "closest"
    assert any("web could not be searched" in note for note in answer.notes)
    assert room.calls == [PLANNED, GRADED, "small text streamed", WRITTEN, CHECKED]
