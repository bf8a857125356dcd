"""Every kind of reader × every kind of visibility × every place where something is shown: no word of what is hidden."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Iterable
from datetime import UTC

import pytest
import pytest_asyncio

from adapters.clock import SystemClock
from adapters.memory.copies import MemoryTurnCopies
from adapters.memory.replies import MemoryPosts
from adapters.memory.turns import MemoryTurnEdits, MemoryTurnQueue, MemoryTurnRecord
from adapters.sql.jobs import SqlJobEdits, SqlJobQueue, SqlJobRecord
from core.access import suggestions
from core.access_commands import Named, Person, Staff
from core.answers import Answer
from core.catalog.prompt import router_prompt
from core.desk.explain import explain
from core.desk.job_lines import JobLines
from core.desk.jobs import Jobs
from core.desk.passages import FootnoteReading
from core.desk.reindex import Reindexing, Wish
from core.desk.settings import ChannelSettings, Inquiry
from core.desk.share import Destination, Sharing, SharingStores
from core.documents import Readable
from core.errors import InputError, RefdeskError
from core.jobs import Asker
from core.messages import Audience, ReplyTarget, Turn
from tests.access.house import House, built, question
from tests.access.readers import AUDIENCES, COLLECTIONS, HERE, hidden_words, readable_words

pytestmark = pytest.mark.asyncio(loop_scope="module")

SMALL_TALK = ("Hello!", "What can you do?", "안녕하세요")
NOWHERE = ("Who won the chess tournament in 1987?", "화성까지 얼마나 걸려?", "Why?")
NAMES = list(AUDIENCES)
ADMIN = Person("slack", "T1", "U0")
STAFF = Staff(Named(frozenset({"slack/T1/U0"})))


def leaked(text: object, words: Iterable[str]) -> set[str]:
    """The words that stand in what was shown, however they are written there."""
    folded = str(text).casefold()
    return {word for word in words if word in folded}


def named(words: Iterable[str]) -> set[str]:
    """The collections of the words."""
    return {f"{word}-files" for word in words}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """One house for all; what one test asked stays on record for the next."""
    async with built(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def turns(house: House) -> dict[str, list[Turn]]:
    """What everybody asked in a thread of their own: for what is hidden from them, for some of the rest, and talk."""
    return {
        name: [
            await house.ask(text, who(name), name) for text in (*map(question, words_for(name)), *SMALL_TALK, *NOWHERE)
        ]
        for name in NAMES
    }


def words_for(name: str) -> list[str]:
    """All that is hidden from them, and some of what they may read (at the terminal all)."""
    open_to_them = sorted(readable_words(name))
    return [*sorted(hidden_words(name)), *(open_to_them if name == "terminal" else open_to_them[:3])]


def who(name: str) -> Audience:
    """The readers."""
    return AUDIENCES[name][0]


async def here(house: House, name: str) -> Readable:
    """What they may read."""
    return await house.access.readable(who(name))


@pytest.mark.parametrize("name", NAMES)
async def test_the_rule_meets_the_table(house: House, name: str) -> None:
    assert (await here(house, name)).collections == named(readable_words(name))


@pytest.mark.parametrize("name", NAMES)
async def test_answers_status_lines_drafts_and_traces(house: House, turns: dict[str, list[Turn]], name: str) -> None:
    for turn in turns[name]:
        assert turn.status == "answered"
        assert not leaked(house.told(turn), hidden_words(name))


@pytest.mark.parametrize("name", NAMES)
async def test_what_may_be_read_is_answered(turns: dict[str, list[Turn]], name: str) -> None:
    for word, turn in zip(words_for(name), turns[name], strict=False):
        assert turn.answer is not None
        assert (word in turn.answer.text) == (word in readable_words(name))


@pytest.mark.parametrize("name", NAMES)
async def test_what_planner_and_router_prompt_are_made_of(
    house: House, turns: dict[str, list[Turn]], name: str
) -> None:
    asked = {turn.question for turn in turns[name]}
    cards = list(await house.catalog.cards(await here(house, name)))
    seen = [
        request for request in house.asked if {c.collection for c in request.cards} == {c.collection for c in cards}
    ]
    assert asked <= {request.question for request in seen}
    for request in seen:
        prompt = router_prompt(request.cards, request.question, budget=20_000)
        assert not leaked((prompt, request.history, request.cards), hidden_words(name))
    everything = router_prompt(cards, budget=20_000)
    assert leaked(everything, COLLECTIONS) == readable_words(name)


@pytest.mark.parametrize("reader", NAMES)
async def test_why_whoever_asked(house: House, turns: dict[str, list[Turn]], reader: str) -> None:
    readable = await here(house, reader)
    for told in turns.values():
        for turn in told:
            for language in ("en", "ko"):
                assert not leaked(explain(turn, readable, language), hidden_words(reader))


@pytest.mark.parametrize("name", NAMES)
async def test_lists_and_what_is_suggested_while_typing(house: House, name: str) -> None:
    readable = await here(house, name)
    cards, scope = await house.catalog.cards(readable), await house.catalog.pin(readable)
    assert {card.collection for card in cards} == scope.collections == named(readable_words(name))
    assert set(suggestions(readable, "")) == named(readable_words(name))
    assert [suggestions(readable, word) for word in hidden_words(name)] == [[] for _ in hidden_words(name)]
    problems = [problem for each in suggestions(readable, "", 99) for problem in await house.digests.problems(each)]
    assert leaked(problems, COLLECTIONS) == readable_words(name)


@pytest.mark.parametrize("name", NAMES)
async def test_jobs_and_how_collections_stand(house: House, name: str) -> None:
    queue, record, edits = SqlJobQueue(house.database), SqlJobRecord(house.database), SqlJobEdits(house.database)
    reindexing = Reindexing(queue, sorted(named(COLLECTIONS)), SystemClock())
    jobs, lines = Jobs(record, edits), JobLines("en", UTC)
    everything = await here(house, "terminal")
    asked = {each.job.collection: each.job for each in await reindexing.ask(Wish(Asker("ann")), everything, _always)}
    readable = await here(house, name)
    listed = await jobs.latest(readable, 99)
    shown = [line for job in listed for line in lines.job(job, SystemClock().now())]
    assert leaked(shown, COLLECTIONS) == readable_words(name)
    assert set(await jobs.standings(readable)) == named(readable_words(name))
    for word in hidden_words(name):
        with pytest.raises(InputError) as unknown:
            await jobs.cancel(asked[f"{word}-files"].id, readable, _always)
        with pytest.raises(InputError) as nameless:
            await reindexing.ask(Wish(Asker("ann"), (f"{word}-files",)), readable, _always)
        assert not leaked(_spoken(unknown.value), hidden_words(name))
        assert not leaked(_spoken(nameless.value), hidden_words(name) - {word})
    if hidden_words(name):
        mine = {each.job.collection for each in await reindexing.ask(Wish(Asker("ann")), readable, _always)}
        assert mine == named(readable_words(name))


@pytest.mark.parametrize("name", NAMES)
async def test_settings_of_a_channel(house: House, name: str) -> None:
    use = ChannelSettings(house.settings, house.settings, house.access, STAFF, SystemClock())
    await use.set_defaults(Inquiry(ADMIN, who("terminal"), HERE), sorted(named(COLLECTIONS)))
    try:
        inquiry = Inquiry(ADMIN, who(name), HERE)
        may_name = {
            word for word in COLLECTIONS if f"{word}-files" in (await house.access.nameable(who(name))).collections
        }
        secret = set(COLLECTIONS) - may_name
        assert not leaked((await use.view(inquiry), await use.changes(inquiry)), secret)
        for word in secret:
            for change in (
                use.set_visible(inquiry, [f"{word}-files"], True),
                use.set_defaults(inquiry, [f"{word}-files"]),
                use.set_hint(inquiry, f"{word}-files", "x"),
            ):
                with pytest.raises(InputError) as caught:
                    await change
                assert not leaked(_spoken(caught.value), secret - {word})
    finally:
        await use.set_defaults(Inquiry(ADMIN, who("terminal"), HERE), ())


@pytest.mark.parametrize("reader", NAMES)
async def test_shared_answers_and_opened_footnotes(house: House, turns: dict[str, list[Turn]], reader: str) -> None:
    posts, audience = MemoryPosts(), who(reader)
    record, edits = MemoryTurnRecord(house.kept), MemoryTurnEdits(house.kept)
    stores = SharingStores(MemoryTurnQueue(house.kept), record, edits, MemoryTurnCopies(house.kept), house.catalog)
    sharing = Sharing(stores, house.access, posts, SystemClock())
    footnotes = FootnoteReading(record, house.access, house.catalog, house.index.passages)
    place = ReplyTarget(audience.platform, audience.workspace, audience.channel, "")
    told: list[object] = []
    for turn in turns["terminal"][: len(COLLECTIONS)]:
        to = Destination(place, audience, f"shared {turn.id} {reader}")
        told.append(await _refusal(sharing.share(turn.id, turn.author.id, to)))
        assert turn.answer is not None
        for citation in turn.answer.citations:
            refused = await _refusal(footnotes.open(turn.id, citation.number, audience), told)
            assert bool(refused) == (citation.collection in named(hidden_words(reader)))
    assert not leaked(told, hidden_words(reader))
    assert not leaked(posts.posted, hidden_words(reader))
    shared = {c.collection for _, answer, _ in posts.posted if isinstance(answer, Answer) for c in answer.citations}
    assert shared <= named(readable_words(reader))


@pytest.mark.parametrize("later", ["shared with another organisation", "public channel"])
async def test_the_conversation_before_is_not_carried_to_readers_who_may_not_read_it(house: House, later: str) -> None:
    first, thread = "private reply in the channel", f"common {later}"
    for word in COLLECTIONS:
        await house.ask(question(word), who(first), thread)
    before = len(house.asked)
    turn = await house.ask("And what is it called?", who(later), thread)
    assert not leaked((house.asked[before:], house.told(turn)), hidden_words(later))


async def _refusal(work: Awaitable[object], told: list[object] | None = None) -> str:
    """Why it was refused, as people read it; else nothing, and what came of it is `told`."""
    try:
        done = await work
    except RefdeskError as refused:
        return _spoken(refused)
    if told is not None:
        told.append(done)
    return ""


def _always(_: str) -> bool:
    return True


def _spoken(error: RefdeskError) -> str:
    return error.user_message("en") + error.user_message("ko")
